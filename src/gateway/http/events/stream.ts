import { Readable } from "node:stream";
import type { EventPlace } from "../../queue/rows.ts";

/** Bytes that wait for one reader at most: a slower one is closed, and comes back with its cursor. */
export const BACKLOG_BYTES = 256 * 1024;

export interface Reader {
  /** Up to where events were told to it. */
  place: EventPlace;
  /** At most one `changed` in each turn, instead of what changed. */
  readonly brief: boolean;
  /** The worker or checker whose revocation ends the stream. */
  readonly personUuid: string | null;
  readonly untilMs: number;
}

/** What one connection reads: server-sent events as text. */
export class EventStream extends Readable {
  readonly reader: Reader;
  private ending = false;

  constructor(reader: Reader) {
    super({ highWaterMark: BACKLOG_BYTES });
    this.reader = reader;
  }

  /** False when the stream ends, or the reader was too slow and is gone. */
  tell(text: string): boolean {
    if (this.destroyed || this.ending) return false;
    this.push(text);
    if (this.readableLength <= BACKLOG_BYTES) return true;
    this.destroy();
    return false;
  }

  finish(): void {
    // what waits for the reader is still told to it: only nothing new is
    this.ending = true;
    if (!this.destroyed) this.push(null);
  }

  override _read(): void {}
}

interface Message {
  readonly event: string;
  /** A reader that comes back says the last one that it saw. */
  readonly id?: string;
  readonly data: unknown;
}

/** One server-sent event; JSON has no line breaks. */
export const message = ({ event, id, data }: Message): string =>
  `${id === undefined ? "" : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;

export const KEEP_ALIVE = ": still here\n\n";
