/** Of what was found with one more than fits, the page, and the cursor of the next one: null where this is the last. */
export function pageOf<T>(
  found: readonly T[],
  limit: number,
  idOf: (one: T) => string,
): { readonly page: readonly T[]; readonly cursor: string | null } {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { page, cursor: found.length > limit && last !== undefined ? idOf(last) : null };
}
