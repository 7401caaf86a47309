import type { z } from "zod";
import type { ObjectEnvelope } from "../../../contracts/documents/object.ts";
import { LATEST_FIELD, STABLE_FIELDS } from "../../../contracts/object-fields.ts";
import { sha256 } from "../../core/digest.ts";
import { canonicalBytes } from "../../core/json/canonical.ts";
import type { Json } from "../../core/json/parse-strict.ts";
import { narrow } from "../../core/json/read-document.ts";
import { KIND, narrowKind } from "../documents.ts";
import type { RecordedLookup, RecordedObject } from "./recorded.ts";

export interface PayloadFacts {
  readonly sha256: string;
  readonly bytes: number;
}

/** A provenance envelope of a known shape; `raw` is what was read, with the fields that nobody knows. */
export type Envelope =
  | {
      readonly shape: "own";
      readonly value: ObjectEnvelope;
      readonly raw: Json;
      readonly payload: PayloadFacts;
    }
  | {
      readonly shape: "recorded";
      readonly value: z.infer<typeof RecordedObject>;
      readonly raw: Json;
      readonly payload: PayloadFacts;
    }
  | { readonly shape: "lookup"; readonly value: z.infer<typeof RecordedLookup>; readonly raw: Json };

export type EnvelopeRead =
  | { readonly ok: true; readonly envelope: Envelope }
  /** Fields that must be there and are not. */
  | { readonly ok: false; readonly why: "incomplete"; readonly missing: readonly string[] }
  | { readonly ok: false; readonly why: "malformed"; readonly path: string; readonly problem: string };

const RECORDED_SCHEMA = "herma.priority_work_gateway.object.v1";

/**
 * Narrows an envelope (attacker-controlled) to one of the shapes that are known, by its `schema`.
 * `rawPayload` is the text of its payload without insignificant white space: a recorded digest is over that.
 */
export async function readEnvelope(raw: Json, rawPayload: Buffer | null): Promise<EnvelopeRead> {
  if (!isObject(raw)) return { ok: false, why: "malformed", path: "", problem: "no object" };
  if (raw["schema"] === RECORDED_SCHEMA) {
    const { RecordedObject } = await import("./recorded.ts"); // of another gateway: rarely met
    const read = narrow(RecordedObject, raw);
    if (!read.ok) return { ok: false, why: "malformed", path: read.path, problem: read.problem };
    const text = rawPayload ?? Buffer.alloc(0);
    const payload = { sha256: sha256(text), bytes: text.length };
    return { ok: true, envelope: { shape: "recorded", value: read.value, raw, payload } };
  }
  if (raw["schema"] === undefined && raw["lookup_id"] !== undefined) {
    const { RecordedLookup } = await import("./recorded.ts");
    const read = narrow(RecordedLookup, raw);
    if (!read.ok) return { ok: false, why: "malformed", path: read.path, problem: read.problem };
    return { ok: true, envelope: { shape: "lookup", value: read.value, raw } };
  }
  const missing = [...STABLE_FIELDS, LATEST_FIELD].filter((field) => !Object.hasOwn(raw, field));
  if (missing.length > 0) return { ok: false, why: "incomplete", missing };
  const read = await narrowKind(KIND.objectEnvelope, raw);
  if (!read.ok) return { ok: false, why: "malformed", path: read.path, problem: read.problem };
  const text = canonicalBytes(raw["payload"]);
  const payload = { sha256: sha256(text), bytes: text.length };
  return { ok: true, envelope: { shape: "own", value: read.value, raw, payload } };
}

export const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === "object" && value !== null && !Array.isArray(value);
