import { type IncomingMessage, request } from "node:http";
import { onTestFinished } from "vitest";

export interface Told {
  readonly event: string;
  readonly id: string | null;
  readonly data: Record<string, unknown>;
}
export interface EventReader {
  readonly status: number;
  readonly headers: IncomingMessage["headers"];
  /** Everything so far. */
  readonly told: readonly Told[];
  readonly comments: readonly string[];
  /** The first, told or to come, that is wanted. */
  next(wanted: (told: Told) => boolean): Promise<Told>;
  /** When the other side has ended the stream; the events that were told. */
  readonly ended: Promise<void>;
  /** Stops taking bytes from the connection. */
  pause(): void;
  close(): void;
}

/** Follows server-sent events over a connection of its own; closed when the test ends. */
export function readEvents(url: string, headers: Record<string, string> = {}): Promise<EventReader> {
  return new Promise((resolve, reject) => {
    const exchange = request(url, { headers, agent: false }, (answer) => {
      const told: Told[] = [];
      const comments: string[] = [];
      const waiting = new Set<() => void>();
      let rest = "";
      answer.setEncoding("utf8");
      answer.on("data", (text: string) => {
        const parts = `${rest}${text}`.split("\n\n");
        rest = parts.pop() ?? "";
        for (const part of parts) take(part, told, comments);
        for (const look of [...waiting]) look();
      });
      answer.on("error", () => {});
      const next: EventReader["next"] = (wanted) =>
        new Promise((found) => {
          const look = (): void => {
            const one = told.find(wanted);
            if (one === undefined) return;
            waiting.delete(look);
            found(one);
          };
          waiting.add(look);
          look();
        });
      resolve({
        status: answer.statusCode ?? 0,
        headers: answer.headers,
        told,
        comments,
        next,
        ended: new Promise((end) => answer.once("close", () => end())),
        pause: () => void answer.pause(),
        close: () => void exchange.destroy(),
      });
    });
    exchange.on("error", reject);
    onTestFinished(() => void exchange.destroy());
    exchange.end();
  });
}

function take(part: string, told: Told[], comments: string[]): void {
  const fields = new Map<string, string>();
  for (const line of part.split("\n")) {
    const colon = line.indexOf(":");
    if (colon === 0) comments.push(line.slice(1).trim());
    else fields.set(line.slice(0, colon), line.slice(colon + 1).trimStart());
  }
  const event = fields.get("event");
  if (event !== undefined)
    told.push({ event, id: fields.get("id") ?? null, data: JSON.parse(fields.get("data") ?? "{}") });
}
