import { type IncomingHttpHeaders, request } from "node:http";

export interface CallOptions {
  readonly method?: string;
  readonly token?: string | null;
  readonly headers?: Record<string, string | string[]>;
  /** An object goes out as JSON; a buffer or string as it is. */
  readonly body?: unknown;
}
export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The body as JSON. */
  json(): Record<string, unknown>;
  /** The code of a problem document; the empty string for any other answer. */
  readonly code: string;
}

/** One plain HTTP exchange on a connection of its own. */
export function callGateway(url: string, options: CallOptions = {}): Promise<Answered> {
  const plain =
    options.body === undefined || typeof options.body === "string" || Buffer.isBuffer(options.body);
  const body = plain ? options.body : JSON.stringify(options.body);
  const headers = {
    ...(options.token == null ? {} : { authorization: `Bearer ${options.token}` }),
    ...(body === undefined
      ? {}
      : {
          "content-type": "application/json",
          "content-length": String(
            Buffer.byteLength(typeof body === "string" || Buffer.isBuffer(body) ? body : ""),
          ),
        }),
    ...options.headers,
  };
  return new Promise((resolve, reject) => {
    const exchange = request(url, { method: options.method ?? "GET", headers, agent: false }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk: Buffer) => chunks.push(chunk));
      answer.on("error", reject);
      answer.on("end", () => {
        const bytes = Buffer.concat(chunks);
        const json = (): Record<string, unknown> => JSON.parse(bytes.toString("utf8"));
        const problem = bytes.byteLength > 0 && answer.headers["content-type"] === "application/problem+json";
        const code = problem ? String(json()["type"]).replace("urn:render-handoff:error:", "") : "";
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, json, code });
      });
    });
    exchange.on("error", reject);
    exchange.end(body);
  });
}
