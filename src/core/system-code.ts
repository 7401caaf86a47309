/** The system's error code (ENOENT, ENOSPC …) of a thrown value, if it has one. */
export const systemCode = (thrown: unknown): string | undefined =>
  thrown instanceof Error && "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
