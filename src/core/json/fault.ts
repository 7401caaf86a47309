/** What strict parsing refuses, as a closed set; `at` is a byte or character offset. */
export type JsonFaultKind =
  | "not_utf8"
  | "too_large"
  | "too_deep"
  | "too_many_values"
  | "syntax"
  | "duplicate_key"
  | "number_range"
  | "lone_surrogate";

export class JsonFault extends Error {
  override readonly name = "JsonFault";
  readonly kind: JsonFaultKind;
  readonly at: number;
  constructor(kind: JsonFaultKind, at: number) {
    super(`${kind} at ${at}`);
    this.kind = kind;
    this.at = at;
  }
}
