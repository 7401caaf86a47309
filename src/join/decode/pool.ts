import { Worker } from "node:worker_threads";
import type { Clock } from "../../core/clock.ts";
import { systemCode } from "../../core/system-code.ts";
import { threadEnvironment } from "../../core/thread-environment.ts";
import { isAllocationFailure } from "./allocation-failure.ts";

/** How a task ended: with an answer, or with what happened to the thread that had it. */
export type Outcome<Answer> =
  | { readonly ended: "answered"; readonly answer: Answer }
  | { readonly ended: "timeout" | "memory" | "crashed"; readonly detail: string };

export interface PoolOptions {
  /** Module that a thread runs; it posts "ready" once, and then one answer for each task. */
  readonly entry: URL;
  /** Most threads. */
  readonly size: number;
  /** Threads that start at once; by default all. More follow where much work waits. */
  readonly first?: number;
  /** For a thread to become ready. */
  readonly startMs: number;
  /** For one task, from the moment a ready thread gets it. */
  readonly deadlineMs: number;
  readonly heapMegabytes: number;
  /** What a thread is told at its start. */
  readonly workerData?: unknown;
  readonly clock: Pick<Clock, "sleep">;
}

interface Job<Task, Answer> {
  readonly task: Task;
  readonly settle: (outcome: Outcome<Answer>) => void;
}

const CLOSED = { ended: "crashed", detail: "closed" } as const;
/** Tasks that may wait for each thread before there is another: starting one takes as long as several tasks. */
const MOST_WAITING = 16;
/** What a task leaves behind is little: more room for new objects would only be filled before it is cleared. */
const YOUNG_MEGABYTES = 4;

/**
 * Threads that do tasks on attacker-controlled bytes, each under a deadline and a memory limit. A thread
 * that does not answer is ended and replaced; the caller is neither blocked nor killed by it. Tasks of one
 * pool run in the order given, as many at a time as there are threads.
 */
export class Pool<Task, Answer> {
  private readonly options: PoolOptions;
  private readonly waiting: Job<Task, Answer>[] = [];
  private readonly members = new Set<Member<Task, Answer>>();
  /** Threads that died before they were ready, and are not tried again while there is another. */
  private lost = 0;
  private ending: Promise<void> | null = null;

  constructor(options: PoolOptions) {
    this.options = options;
  }

  /** Whether it was closed: no thread starts any more. */
  get closed(): boolean {
    return this.ending !== null;
  }

  /** Starts the threads before there is work: their start-up then costs nothing. */
  start(): this {
    if (this.closed) return this;
    const { size, first = size } = this.options;
    const wanted = Math.max(1, Math.min(first, size - this.lost));
    while (this.members.size < wanted) this.add();
    return this;
  }

  run(task: Task): Promise<Outcome<Answer>> {
    if (this.closed) return Promise.resolve(CLOSED);
    return new Promise((settle) => {
      this.waiting.push({ task, settle });
      this.start();
      const { size } = this.members;
      if (size < this.options.size - this.lost && this.waiting.length > size * MOST_WAITING) this.add();
      this.hand();
    });
  }

  /** Ends every thread; tasks that still wait, and those of later calls, end as crashed. */
  close(): Promise<void> {
    const waiting = this.waiting.splice(0);
    this.ending ??= Promise.all([...this.members].map((member) => member.end(CLOSED))).then(() => {});
    for (const job of waiting) job.settle(CLOSED);
    return this.ending;
  }

  private add(): void {
    const member = new Member<Task, Answer>(this.options, {
      idle: () => this.hand(),
      gone: (outcome) => {
        this.members.delete(member);
        // a thread that died without work would die again: the others do the work, or what waits is told so
        if (outcome !== null) {
          this.lost += 1;
          if (this.members.size === 0) for (const job of this.waiting.splice(0)) job.settle(outcome);
        }
        if (this.waiting.length > 0) this.start();
      },
    });
    this.members.add(member);
  }

  private hand(): void {
    for (const member of this.members) {
      const job = member.free ? this.waiting.shift() : undefined;
      if (job !== undefined) member.take(job);
    }
  }
}

interface Owner<Answer> {
  idle(): void;
  /** With an outcome when it ended before it was ready. */
  gone(outcome: Outcome<Answer> | null): void;
}

class Member<Task, Answer> {
  private readonly worker: Worker;
  private readonly options: PoolOptions;
  private readonly owner: Owner<Answer>;
  private job: Job<Task, Answer> | null = null;
  private ready = false;
  private ended = false;
  private timer = new AbortController();

  constructor(options: PoolOptions, owner: Owner<Answer>) {
    this.options = options;
    this.owner = owner;
    this.worker = new Worker(options.entry, {
      env: threadEnvironment(),
      argv: [],
      workerData: options.workerData,
      resourceLimits: {
        maxOldGenerationSizeMb: options.heapMegabytes,
        maxYoungGenerationSizeMb: YOUNG_MEGABYTES,
      },
    });
    this.worker.on("message", (message: Answer | "ready") => this.hear(message));
    this.worker.on("error", (thrown) => {
      const memory = systemCode(thrown) === "ERR_WORKER_OUT_OF_MEMORY" || isAllocationFailure(thrown);
      void this.end({ ended: memory ? "memory" : "crashed", detail: String(thrown) });
    });
    this.worker.on("exit", (code) => void this.end({ ended: "crashed", detail: `exit ${code}` }));
    this.watch(options.startMs);
  }

  get free(): boolean {
    return this.ready && this.job === null && !this.ended;
  }

  take(job: Job<Task, Answer>): void {
    this.job = job;
    this.watch(this.options.deadlineMs);
    this.worker.postMessage(job.task);
  }

  /** First reason wins. */
  async end(outcome: Outcome<Answer>): Promise<void> {
    if (!this.ended) {
      this.ended = true;
      this.timer.abort();
      const job = this.job;
      this.job = null;
      this.owner.gone(this.ready ? null : outcome);
      job?.settle(outcome);
    }
    await this.worker.terminate();
  }

  private hear(message: Answer | "ready"): void {
    if (this.ended) return;
    this.timer.abort();
    const job = this.job;
    this.job = null;
    if (message === "ready") this.ready = true;
    else job?.settle({ ended: "answered", answer: message });
    this.owner.idle();
  }

  private watch(milliseconds: number): void {
    this.timer = new AbortController();
    const { signal } = this.timer;
    this.options.clock.sleep(milliseconds, signal).then(
      () => void this.end({ ended: "timeout", detail: `no answer within ${milliseconds} ms` }),
      () => {}, // aborted: it answered or ended
    );
  }
}
