import { harmless } from "../core/escape.ts";
import { type Fault, fault } from "../core/fault.ts";
import { isPlainName } from "./plain-name.ts";
import type { DirectoryEntry } from "./read-directory.ts";

/** ZIP rule 4: names as raw bytes; exactly the expected ones where they are known; each once. */
export function judgeNames(entries: readonly DirectoryEntry[], expected: readonly string[] | null): Fault[] {
  const faults: Fault[] = [];
  const allowed = expected === null ? null : new Set(expected);
  const missing = new Set(expected ?? []);
  const seen = new Set<string>();
  for (const { name, where } of entries) {
    const folded = name.toLowerCase(); // two names that some file systems take for one
    if (!isPlainName(name)) faults.push(fault("ZIP_NAME_UNSAFE", where, { actual: harmless(name) }));
    else if (allowed !== null && !allowed.has(name)) faults.push(fault("ZIP_MEMBER_UNEXPECTED", where));
    if (seen.has(folded)) faults.push(fault("ZIP_MEMBER_DUPLICATE", where, { actual: harmless(name) }));
    seen.add(folded);
    missing.delete(name);
  }
  for (const name of missing) faults.push(fault("ZIP_MEMBER_MISSING", name));
  return faults;
}
