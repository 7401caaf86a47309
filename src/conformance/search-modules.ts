import type { LoadedModule } from "./read-module.ts";

/** How well a module answers a search: exact hint, then alias, then all words, then some; 0 is not at all. */
function rank({ module }: LoadedModule, wanted: string): number {
  const words = wordsOf(wanted);
  const phrase = words.join(" ");
  const same = (text: string): boolean => wordsOf(text).join(" ") === phrase;
  if (module.hints.some(same)) return 1_000_000;
  if (module.name === wanted || module.aliases.some(same)) return 100_000;
  if (module.rules.some((rule) => rule.id.toLowerCase() === wanted.trim().toLowerCase())) return 100_000;
  const text = new Set(
    [
      module.name,
      module.summary,
      ...module.hints,
      ...module.aliases,
      ...module.rules.flatMap((rule) => [rule.id, rule.statement]),
    ].flatMap(wordsOf),
  );
  const found = words.filter((word) => text.has(word)).length;
  return found === words.length ? 10_000 : found;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Modules that answer to the words, best first; equal ones by name, so that the order is always the same. */
export function searchModules(modules: readonly LoadedModule[], wanted: string | null): LoadedModule[] {
  const byName = [...modules].sort((left, right) => (left.module.name < right.module.name ? -1 : 1));
  if (wanted === null || wordsOf(wanted).length === 0) return byName;
  return byName
    .map((loaded) => ({ loaded, rank: rank(loaded, wanted) }))
    .filter((row) => row.rank > 0)
    .sort((left, right) => right.rank - left.rank)
    .map((row) => row.loaded);
}
