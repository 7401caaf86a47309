import type { Clock } from "../../../core/clock.ts";
import { HandoffError } from "../../../core/error.ts";
import { comparePlaces, cursorOf, startReading } from "../../queue/read-events.ts";
import type { EventPlace } from "../../queue/rows.ts";
import type { QueueStore } from "../../queue/store.ts";
import { Leases } from "./leases.ts";
import { News, toldOf } from "./news.ts";
import { type SeatLimits, Seats, type Sitter } from "./seats.ts";
import { EventStream, KEEP_ALIVE, message, type Reader } from "./stream.ts";

export interface FeedOptions {
  readonly store: QueueStore;
  readonly clock: Pick<Clock, "monotonicMs" | "sleep">;
  /** Milliseconds between two looks at the store. */
  readonly lookMs?: number;
  /** Streams of this process. */
  readonly seats?: SeatLimits;
  /** Milliseconds after which a stream ends, and its reader comes back with its token. */
  readonly lifeMs?: number;
}

export interface Follow extends Sitter {
  /** Events after this one; from now on when null. */
  readonly cursor: EventPlace | null;
  readonly brief: boolean;
}

const LOOK_MS = 250;
const SEATS: SeatLimits = { all: 500, reserved: 50, person: 16 };
const LIFE_MS = 15 * 60_000;
const KEEP_ALIVE_MS = 10_000;
/** Milliseconds that a reader waits before it comes back. */
const RETRY_MS = 1_000;
const EVENTS_A_LOOK = 500;

/** One look at the store at a time for all streams of this process, however many there are; none when none is. */
export class EventFeed {
  private readonly options: FeedOptions;
  private readonly streams = new Set<EventStream>();
  private readonly seats: Seats;
  private readonly leases = new Leases();
  private readonly stopped = new AbortController();
  private place: EventPlace | null = null;
  private changes = 0;
  private looking: Promise<void> | null = null;
  private aliveMs = 0;

  constructor(options: FeedOptions) {
    this.options = options;
    this.seats = new Seats(options.seats ?? SEATS);
  }

  /** A new stream; unavailable when there are too many or the gateway is closing, rate_limited for one reader's. */
  async follow({ cursor, brief, personUuid, trusted }: Follow): Promise<EventStream> {
    const { store, clock } = this.options;
    this.needOpen();
    // before anything is waited for: many that ask at once are counted one by one
    const leave = this.seats.take({ personUuid, trusted });
    try {
      const { place, reset } = await startReading(store, cursor);
      this.needOpen();
      const untilMs = clock.monotonicMs() + (this.options.lifeMs ?? LIFE_MS);
      const stream = new EventStream({ place, brief, personUuid, untilMs });
      stream.once("close", () => {
        leave();
        this.streams.delete(stream);
      });
      this.streams.add(stream);
      const greeting = { event: reset ? "reset" : "ready", id: cursorOf(place), data: {} };
      stream.tell(`retry: ${RETRY_MS}\n${message(greeting)}`);
      this.looking ??= this.look();
      return stream;
    } catch (thrown) {
      leave();
      throw thrown;
    }
  }

  /** Grows whenever a look has found something; null while nobody follows and nobody looks. */
  seen(): number | null {
    return this.looking === null ? null : this.changes;
  }

  /** Ends every stream; their readers come back to another gateway, or to this one's next start. */
  async close(): Promise<void> {
    this.stopped.abort();
    for (const stream of this.streams) stream.finish();
    await this.looking;
  }

  private needOpen(): void {
    if (!this.stopped.signal.aborted) return;
    throw new HandoffError("unavailable", "The gateway is closing.", { retryAfterSeconds: 5 });
  }

  private async look(): Promise<void> {
    const { clock, lookMs = LOOK_MS } = this.options;
    while (this.streams.size > 0 && !this.stopped.signal.aborted) {
      // while the store is away the streams stay open, and go on when it is back
      const full = await this.turn().catch(() => false);
      await clock.sleep(full ? 0 : lookMs, this.stopped.signal).catch(() => {});
    }
    this.looking = null;
    this.place = null;
  }

  /** True when there may be more to read at once. */
  private async turn(): Promise<boolean> {
    const { store, clock } = this.options;
    this.place ??= (await startReading(store, null)).place;
    const from = this.place;
    // not learned from events, which may be held back (PostgreSQL), or were told before a stream was there
    const people = [...new Set([...this.streams].flatMap(({ reader }) => reader.personUuid ?? []))];
    const { events, leased, revoked } = await store.read(async (rows) => {
      const now = await rows.now();
      const [found, tasks, gone] = await Promise.all([
        rows.eventsAfter(from, EVENTS_A_LOOK),
        rows.leasedTasks(now, EVENTS_A_LOOK),
        people.length === 0 ? [] : rows.revokedAmong(people),
      ]);
      return { events: found, leased: tasks, revoked: new Set(gone) };
    });
    const news = new News({ events, from, moved: this.leases.compare(leased) });
    if (news.isSome) this.changes += 1;
    const now = clock.monotonicMs();
    const quiet = now - this.aliveMs >= KEEP_ALIVE_MS ? KEEP_ALIVE : "";
    if (quiet !== "") this.aliveMs = now;
    for (const stream of [...this.streams]) {
      const { reader } = stream;
      const missed =
        !reader.brief && comparePlaces(reader.place, from) < 0 ? await this.missed(reader, from) : "";
      const text = `${missed}${news.for(reader)}${quiet}`;
      if (text !== "") stream.tell(text);
      if (now >= reader.untilMs || revoked.has(reader.personUuid ?? "")) stream.finish();
    }
    this.place = news.last;
    return events.length === EVENTS_A_LOOK;
  }

  /** A piece of what a reader with an old cursor has missed, up to where the others are. */
  private async missed(reader: Reader, upTo: EventPlace): Promise<string> {
    const found = await this.options.store.read((rows) => rows.eventsAfter(reader.place, EVENTS_A_LOOK));
    const known = found.filter((event) => comparePlaces(event, upTo) <= 0);
    reader.place = known.length < EVENTS_A_LOOK ? upTo : (known.at(-1) ?? upTo);
    return known.map(toldOf).join("");
  }
}
