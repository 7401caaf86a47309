/** Of one document: more than a person reads, few enough for a line of JSON. Who makes a file decides how many there are. */
export const MOST_FINDINGS = 1_000;

/**
 * How many of each kind may stay, so that all together are at most `most`: the rare ones whole, the others equally
 * many; of every kind one, so that nothing is told as better than it is.
 */
export function fairShare(counts: Iterable<number>, most = MOST_FINDINGS): number {
  const sorted = [...counts].sort((left, right) => left - right);
  let room = most;
  for (const [at, count] of sorted.entries()) {
    const share = Math.floor(room / (sorted.length - at));
    if (count > share) return Math.max(1, share);
    room -= count;
  }
  return most;
}

export interface FirstOptions {
  /** Of all kinds together, beside one of each. */
  readonly most: number;
  /** Of one kind, were it alone. */
  readonly mostOfKind?: number;
}

/** The first of each kind, as many as fairShare has it, in their order. */
export function firstOfEach<Item>(
  items: readonly Item[],
  kindOf: (item: Item) => string,
  { most, mostOfKind = most }: FirstOptions,
): Item[] {
  if (items.length <= Math.min(most, mostOfKind)) return [...items];
  const counts = new Map<string, number>();
  for (const item of items) counts.set(kindOf(item), (counts.get(kindOf(item)) ?? 0) + 1);
  const share = Math.min(fairShare(counts.values(), most), mostOfKind);
  const taken = new Map<string, number>();
  return items.filter((item) => {
    const count = (taken.get(kindOf(item)) ?? 0) + 1;
    taken.set(kindOf(item), count);
    return count <= share;
  });
}
