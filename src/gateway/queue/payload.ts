import { JsonFault } from "../../core/json/fault.ts";
import { type Json, parseStrict } from "../../core/json/parse-strict.ts";

/** A JSON text that this gateway stored as JCS. */
export const parseStored = (text: string): Json => parseStrict(Buffer.from(text, "utf8"));

/** The same of a text that may have been changed since: undefined where it is no JSON any more. */
export function readStored(text: string): Json | undefined {
  try {
    return parseStored(text);
  } catch (thrown) {
    if (thrown instanceof JsonFault) return undefined;
    throw thrown;
  }
}
