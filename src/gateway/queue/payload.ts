import { type Json, parseStrict } from "../../core/json/parse-strict.ts";

/** A JSON text that this gateway stored as JCS. */
export const parseStored = (text: string): Json => parseStrict(Buffer.from(text, "utf8"));
