interface Page<T> {
  readonly items: readonly T[];
  /** Null on the last page. */
  readonly cursor: string | null;
}

/** Items of a page that is asked for: few enough that the answer keeps its cap whatever is in them. */
export const PAGE_ITEMS = 200;

/** The whole of a list that the gateway answers in pages. */
export async function allPages<T>(ask: (from: { cursor?: string }) => Promise<Page<T>>): Promise<T[]> {
  const all: T[] = [];
  let from: { cursor?: string } = {};
  for (;;) {
    const { items, cursor } = await ask(from);
    all.push(...items);
    if (cursor === null) return all;
    from = { cursor };
  }
}
