import { z } from "zod";
import { isJson, isJsonObject } from "./json.ts";

// z.json() and z.record() build a copy: at eight times the cost of parsing, and without the key `__proto__`

/** Any JSON value, handed on as it is. */
export const JsonValue = z.unknown().refine(isJson, "no JSON value");

/** Any JSON object, handed on as it is. */
export const JsonObject = z.unknown().refine(isJsonObject, "no JSON object").meta({ type: "object" });
