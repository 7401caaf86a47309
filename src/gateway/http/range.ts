/** What a Range header asks for: everything (also for what is not understood), a part, or nothing there. */
export type Range =
  | { readonly kind: "whole" }
  | { readonly kind: "part"; readonly first: number; readonly last: number }
  | { readonly kind: "outside" };

/** RFC 9110 section 14: one range of bytes; several at once are answered as a whole. */
export function readRange(header: string | undefined, bytes: number): Range {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? "");
  if (match === null) return { kind: "whole" };
  const [, from = "", to = ""] = match;
  if (from === "" && to === "") return { kind: "whole" };
  if (from === "") {
    const tail = Math.min(Number(to), bytes);
    return tail === 0 ? { kind: "outside" } : { kind: "part", first: bytes - tail, last: bytes - 1 };
  }
  if (to !== "" && Number(to) < Number(from)) return { kind: "whole" };
  if (Number(from) >= bytes) return { kind: "outside" };
  return { kind: "part", first: Number(from), last: to === "" ? bytes - 1 : Math.min(Number(to), bytes - 1) };
}
