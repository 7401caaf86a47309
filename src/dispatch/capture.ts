import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { LIMITS } from "../../contracts/limits.ts";
import { sha256 } from "../core/digest.ts";
import type { ExchangeRecord } from "../gateway-client/client.ts";

export interface Capture {
  /** Exchanges written so far. */
  readonly count: () => number;
  readonly record: (exchange: ExchangeRecord) => void;
}

const NEVER_KEPT = new Set(["authorization", "proxy-authorization", "cookie", "set-cookie"]);

/**
 * Writes each exchange of a run as it goes: `NNNN-<route>.json` with status, headers (none that carries a
 * secret) and the digest and size of the answer's body, and its first 64 KiB as `NNNN-<route>.body`. A body
 * that went to a file of its own (a blob) has neither: its digest is in the path.
 */
export function openCapture(folder: string): Capture {
  mkdirSync(folder, { mode: 0o700 });
  let count = 0;
  return {
    count: () => count,
    record: (exchange) => {
      count += 1;
      const name = join(folder, `${String(count).padStart(4, "0")}-${exchange.route}`);
      const kept = exchange.body.subarray(0, LIMITS.smallBodyBytes);
      const { body, requestHeaders, headers, ...rest } = exchange;
      const document = {
        schema: "render_handoff.exchange.v1",
        ...rest,
        request_headers: withoutSecrets(requestHeaders),
        headers: withoutSecrets(headers),
        body: { bytes: body.byteLength, sha256: sha256(body), kept: kept.byteLength },
      };
      // at once and in order, so that a run that is killed leaves what it had learned
      writeFileSync(`${name}.json`, `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
      if (kept.byteLength > 0) writeFileSync(`${name}.body`, kept, { mode: 0o600 });
    },
  };
}

const withoutSecrets = (headers: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !NEVER_KEPT.has(name.toLowerCase())));
