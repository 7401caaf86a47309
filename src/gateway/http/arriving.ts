import type { IncomingMessage } from "node:http";
import type { Clock } from "../../core/clock.ts";

/** Milliseconds between two looks at most. */
const LOOK_MS = 1_000;

/** Requests whose bodies are on their way, and the moments at which they are given up on. */
export class Arriving {
  private readonly deadlines = new Map<IncomingMessage, number>();
  private readonly stopped = new AbortController();
  private readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  private readonly lookMs: number;
  private readonly late: (request: IncomingMessage) => void;
  private looking = false;

  constructor(
    clock: Pick<Clock, "monotonicMs" | "sleep">,
    bodyMs: number,
    late: (request: IncomingMessage) => void,
  ) {
    this.clock = clock;
    this.lookMs = Math.min(LOOK_MS, bodyMs / 2);
    this.late = late;
  }

  expect(request: IncomingMessage, milliseconds: number): void {
    this.deadlines.set(request, this.clock.monotonicMs() + milliseconds);
    // a timer of its own for each request would cost more than most requests
    const forget = () => this.deadlines.delete(request);
    request.once("end", forget).once("close", forget);
    if (!this.looking) void this.look();
  }

  stop(): void {
    this.stopped.abort();
  }

  private async look(): Promise<void> {
    this.looking = true;
    while (this.deadlines.size > 0 && !this.stopped.signal.aborted) {
      await this.clock.sleep(this.lookMs, this.stopped.signal).catch(() => {});
      const now = this.clock.monotonicMs();
      for (const [request, deadline] of this.deadlines) {
        if (now < deadline) continue;
        this.deadlines.delete(request);
        this.late(request);
      }
    }
    this.looking = false;
  }
}
