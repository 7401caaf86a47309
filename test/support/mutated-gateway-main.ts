import { registerHooks } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Change, MUTATIONS } from "./mutations.ts";

/**
 * A test build of the gateway with one rule broken: mutated-gateway-main.ts DATA PORT FAULT_POINT MUTATION.
 * The product's sources are changed as they are loaded; a text that is not there exactly once ends it.
 */
const name = process.argv[5] ?? "";
const changes: readonly Change[] = Object.entries(MUTATIONS).find(([known]) => known === name)?.[1] ?? [];
if (changes.length === 0) throw new Error(`no mutation ${name}`);
const root = join(import.meta.dirname, "../..");
const left = new Set(changes);

registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context);
    const own = changes.filter(({ file }) => pathToFileURL(join(root, file)).href === url);
    if (own.length === 0) return loaded;
    let source = String(loaded.source);
    for (const change of own) {
      if (source.split(change.find).length !== 2) throw new Error(`${change.file}: not once: ${change.find}`);
      source = source.replace(change.find, () => change.put);
      left.delete(change);
    }
    return { ...loaded, source };
  },
});
await import("./gateway-main.ts");
if (left.size > 0) throw new Error(`not loaded: ${[...left].map(({ file }) => file).join(", ")}`);
