import { LIMITS } from "../../../contracts/limits.ts";
import { HandoffError } from "../../core/error.ts";
import { JsonFault } from "../../core/json/fault.ts";
import { type Json, parseStrict } from "../../core/json/parse-strict.ts";

/** Strict JSON of attacker-controlled bytes: invalid_json, duplicate_json_key or body_too_large. */
export function parseBody(bytes: Uint8Array, maxBytes: number): Json {
  const { bodyValues: values, bodyKeys: keys } = LIMITS;
  try {
    return parseStrict(bytes, { bytes: maxBytes, values, keys });
  } catch (thrown) {
    if (!(thrown instanceof JsonFault)) throw thrown;
    if (thrown.kind === "duplicate_key") throw new HandoffError("duplicate_json_key", `At ${thrown.at}.`);
    if (thrown.kind === "too_large") throw new HandoffError("body_too_large");
    if (thrown.kind === "too_many_values")
      throw new HandoffError("body_too_large", `At most ${values} JSON values and ${keys} different keys.`);
    throw new HandoffError("invalid_json", `${thrown.message}.`);
  }
}
