import type { Readable } from "node:stream";
import type { z } from "zod";
import { LIMITS } from "../../../contracts/limits.ts";
import { HandoffError } from "../../core/error.ts";
import { narrow } from "../../core/json/read-document.ts";
import { parseBody } from "../queue/parse-body.ts";
import type { Answer, Call } from "./call.ts";

/** A body as the router hands it on. */
export type Payload =
  | { readonly kind: "none" }
  | { readonly kind: "bytes"; readonly bytes: Buffer }
  | { readonly kind: "stream"; readonly source: Readable };

/** One route's work. `request` is the schema of its JSON body, the same object as in ROUTES. */
export interface Handler {
  readonly request: z.ZodType | null;
  readonly run: (call: Call, payload: Payload) => Promise<Answer>;
  /** What somebody sees who may not call it, where a problem document helps nobody. */
  readonly refusal?: (error: HandoffError) => Answer | null;
}

const bytesOf = (payload: Payload): Buffer => (payload.kind === "bytes" ? payload.bytes : Buffer.alloc(0));

/** A route without a body; one that comes all the same is refused. */
export const plain = (run: (call: Call) => Promise<Answer>): Handler => ({
  request: null,
  run: (call, payload) => {
    if (bytesOf(payload).byteLength > 0)
      throw new HandoffError("invalid_request_shape", "The route takes no body.");
    return run(call);
  },
});

/** A route with a JSON body, narrowed once. */
export const json = <T>(schema: z.ZodType<T>, run: (call: Call, body: T) => Promise<Answer>): Handler => ({
  request: schema,
  run: async (call, payload) => {
    const read = narrow(schema, parseBody(bytesOf(payload), LIMITS.jsonBytes));
    if (!read.ok) throw new HandoffError("invalid_request_shape", `${read.path || "/"}: ${read.problem}.`);
    return run(call, read.value);
  },
});

/** A route whose exact bytes matter. */
export const raw = (run: (call: Call, bytes: Buffer) => Promise<Answer>): Handler => ({
  request: null,
  run: (call, payload) => run(call, bytesOf(payload)),
});

/**
 * A route whose body is streamed; an absent body is an empty one. A handler that stops reading leaves the
 * connection alone: destroying the request would destroy it before the answer is out.
 */
export const streamed = (
  run: (call: Call, source: AsyncIterable<Uint8Array>) => Promise<Answer>,
): Handler => ({
  request: null,
  run: (call, payload) =>
    run(call, payload.kind === "stream" ? payload.source.iterator({ destroyOnReturn: false }) : nothing()),
});

async function* nothing(): AsyncGenerator<Uint8Array> {}
