const NEWLINE = 0x0a;
const RETURN = 0x0d;
const TAIL_BYTES = 64 * 1024;

export interface LineCaps {
  /** Bytes kept of one line; the rest of it is dropped. */
  readonly lineBytes: number;
  /** Bytes after which lines are no longer cut and only the stream's end is kept: a flood costs no time. */
  readonly streamBytes: number;
}

/** Cuts a hostile byte stream into lines with bounded memory; lines end at LF or CR, bad UTF-8 is replaced. */
export class LineSplitter {
  private readonly onLine: (line: string) => void;
  private readonly caps: LineCaps;
  private held: Buffer[] = [];
  private heldBytes = 0;
  private tail: Buffer | null = null;
  private seen = 0;

  constructor(onLine: (line: string) => void, caps: LineCaps) {
    this.onLine = onLine;
    this.caps = caps;
  }

  push(chunk: Buffer): void {
    this.seen += chunk.byteLength;
    if (this.tail !== null || this.seen > this.caps.streamBytes) this.keepTail(chunk);
    else this.cut(chunk);
  }

  /** Gives out what is left without a newline. */
  end(): void {
    const tail = this.tail;
    this.tail = null;
    if (tail !== null) this.cut(tail);
    this.flush();
  }

  private keepTail(chunk: Buffer): void {
    const joined = this.tail === null ? chunk : Buffer.concat([this.tail, chunk]);
    this.tail = Buffer.from(joined.subarray(-TAIL_BYTES));
  }

  private cut(chunk: Buffer): void {
    let start = 0;
    for (let at = nextBreak(chunk, 0); at !== -1; at = nextBreak(chunk, start)) {
      this.hold(chunk.subarray(start, at));
      this.flush();
      start = at + 1;
    }
    this.hold(chunk.subarray(start));
  }

  private hold(part: Buffer): void {
    const room = this.caps.lineBytes - this.heldBytes;
    if (room <= 0 || part.byteLength === 0) return;
    // A copy: a view would keep the whole chunk alive.
    this.held.push(Buffer.from(part.subarray(0, room)));
    this.heldBytes += Math.min(room, part.byteLength);
  }

  private flush(): void {
    if (this.heldBytes > 0) this.onLine(Buffer.concat(this.held).toString("utf8"));
    this.held = [];
    this.heldBytes = 0;
  }
}

function nextBreak(chunk: Buffer, from: number): number {
  const newline = chunk.indexOf(NEWLINE, from);
  const end = newline === -1 ? chunk.byteLength : newline;
  const back = chunk.subarray(from, end).indexOf(RETURN);
  return back === -1 ? newline : from + back;
}
