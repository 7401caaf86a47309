/** The token of an Authorization header that stands once; null for anything else. */
export function bearerToken(values: readonly string[]): string | null {
  if (values.length !== 1) return null;
  return /^bearer +([^ ]+) *$/i.exec(values[0] ?? "")?.[1] ?? null;
}
