import { permanent } from "./entry.ts";

export const CONFORMANCE_CODES = {
  CONFORMANCE_MODULE_CHANGED: permanent(
    null,
    "A file of a contract module is changed, missing or not listed in its manifest.",
    "Restore the file, or seal the module anew and pin its new version.",
  ),
  CONFORMANCE_MODULE_UNPINNED: permanent(
    null,
    "A contract module is not pinned, or is of another version than its pin.",
    "Pin it in contracts/registry.json or in the document of --config.",
  ),
  CONFORMANCE_MODULE_INVALID: permanent(
    null,
    "A document of a contract module does not follow its schema.",
    "Compare it with its schema in contracts/json-schema.",
  ),
  CONFORMANCE_MEMORY: permanent(
    null,
    "The run took more memory than its configuration allows.",
    "Raise memory_bytes in the document of --config, or play fewer modules at once.",
  ),
} as const;
