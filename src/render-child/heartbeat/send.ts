import { type IncomingMessage, request as requestPlain } from "node:http";
import { request as requestTls } from "node:https";

export interface SentAnswer {
  readonly status: number;
  readonly body: Buffer;
  /** A header that stands once; null when it is absent or doubled. */
  header(name: string): string | null;
}

/**
 * Sends one request on a connection of its own and reads the whole answer. Rejects when it cannot be sent or
 * read, when the signal aborts, or when the answer is over `capBytes`. Node's own client: undici would be
 * loaded and compiled a second time for the thread, and takes more memory than all the rest of it.
 */
export function send(message: {
  readonly method: "POST" | "PUT";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly capBytes: number;
  readonly signal: AbortSignal;
}): Promise<SentAnswer> {
  const { method, url, body, signal } = message;
  const request = url.startsWith("https:") ? requestTls : requestPlain;
  const headers = { ...message.headers, "content-length": body.byteLength };
  return new Promise((resolve, reject) => {
    const call = request(url, { method, headers, agent: false, signal }, (response) => {
      take(response, message.capBytes).then(resolve, (thrown: unknown) => {
        call.destroy();
        reject(thrown);
      });
    });
    call.on("error", reject);
    call.end(body);
  });
}

async function take(response: IncomingMessage, capBytes: number): Promise<SentAnswer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response) {
    const bytes: Buffer = chunk;
    size += bytes.byteLength;
    if (size > capBytes) throw new Error(`the answer is over ${capBytes} bytes`);
    chunks.push(bytes);
  }
  return {
    status: response.statusCode ?? 0,
    body: Buffer.concat(chunks),
    header: (name) => {
      const values = response.headersDistinct[name] ?? [];
      return values.length === 1 ? (values[0] ?? null) : null;
    },
  };
}
