/** Every two values of a case, as text. */
export function pairsOf(one: object): string[] {
  const values = Object.entries(one).map(([name, value]) => `${name}=${value}`);
  return values.flatMap((first, index) => values.slice(index + 1).map((second) => `${first} ${second}`));
}

/**
 * Cases out of `all` that, with `chosen`, hold every pair of values that occurs in `all`: each time the case with
 * the most new pairs, the earliest of several.
 */
export function pairCover<Case extends object>(all: readonly Case[], chosen: readonly Case[]): Case[] {
  const covered = new Set(chosen.flatMap(pairsOf));
  const added: Case[] = [];
  for (;;) {
    let best: { one: Case; fresh: number } | null = null;
    for (const one of all) {
      const fresh = pairsOf(one).filter((pair) => !covered.has(pair)).length;
      if (fresh > (best?.fresh ?? 0)) best = { one, fresh };
    }
    if (best === null) return added;
    added.push(best.one);
    for (const pair of pairsOf(best.one)) covered.add(pair);
  }
}
