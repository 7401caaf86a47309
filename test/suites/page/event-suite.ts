import { once } from "node:events";
import { describe, expect, test } from "vitest";
import { ChangeEvent } from "../../../contracts/wire/events.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { EventFeed } from "../../../src/gateway/http/events/feed.ts";
import { revokeWorker } from "../../../src/gateway/people/workers.ts";
import { heartbeat } from "../../../src/gateway/queue/heartbeat.ts";
import type { Queue } from "../../../src/gateway/queue/queue.ts";
import {
  BEGINNING,
  changeOf,
  comparePlaces,
  cursorOf,
  placeOf,
  startReading,
} from "../../../src/gateway/queue/read-events.ts";
import { release } from "../../../src/gateway/queue/release.ts";
import { reopen } from "../../../src/gateway/queue/reopen.ts";
import type { QueueStore } from "../../../src/gateway/queue/store.ts";
import { codeOfPromise } from "../../support/code-of.ts";
import { withJob } from "../gateway/job-bench.ts";
import { openBench, ready, type StoreUnderTest, take } from "../gateway/queue-bench.ts";

const all = async (queue: Queue): Promise<ChangeEvent[]> =>
  (await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 1_000))).map((row) =>
    ChangeEvent.parse(changeOf(row)),
  );

const reader = { cursor: null, brief: false, trusted: false };

/** What is written into the events, and how it is read, on any store. */
export function eventSuite(sut: StoreUnderTest): void {
  describe(`${sut.name}: events`, () => {
    test("every change of a job's life is one event, in order, each as its kind says", async () => {
      const { queue, worker, win, take: takeSlot } = await withJob(sut);
      const [one, two] = [await worker(), await worker()];
      const { answer } = await takeSlot(one, "a");
      const lease = { taskId: "shot-1.a", workerId: one, fence: answer.fencing_token };
      await release(queue, lease, "RENDER_WATCHDOG");
      await win(one, "a");
      await reopen(queue, "shot-1.a", "JOIN_FRAMES");
      await revokeWorker(queue.store, two);
      const told = (await all(queue)).filter((event) => event.kind !== "blob_stored");
      expect(told.map((event) => event.kind)).toEqual([
        ...["job_put", "enqueued", "enqueued", "worker_registered", "worker_registered"],
        ...["claimed", "released", "claimed", "submitted", "reopened", "worker_revoked"],
      ]);
      expect(told[6]).toMatchObject({
        task_id: "shot-1.a",
        job_id: "shot-1",
        worker_uuid: one,
        detail: { fencing_token: 1, reason: "RENDER_WATCHDOG" },
      });
      expect(told[8]?.detail).toMatchObject({ fencing_token: 2, version: 1 });
      expect(told[9]?.detail).toEqual({ version: 2, reason: "JOIN_FRAMES" });
    });

    test("a claim that takes over an ended lease tells whose lease that was", async () => {
      const { queue, clock } = await ready(sut);
      await take(queue, "worker-a");
      clock.seconds = 110;
      await take(queue, "worker-b");
      const rows = await queue.store.read((reading) => reading.eventsAfter(BEGINNING, 10));
      expect(rows.map(({ kind, workerUuid, at }) => [kind, workerUuid, at])).toEqual([
        ["enqueued", null, 100],
        ["claimed", "worker-a", 100],
        ["lease_expired", "worker-a", 110],
        ["claimed", "worker-b", 110],
      ]);
    });

    test("what is refused, replayed or a heartbeat leaves no event", async () => {
      const { queue } = await ready(sut);
      await take(queue, "worker-a", "key");
      const rowsBefore = await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 10));
      await take(queue, "worker-a", "key");
      expect(await codeOfPromise(take(queue, "worker-b"))).toBe("already_leased");
      expect(await codeOfPromise(reopen(queue, "task", "X"))).toBe("not_done");
      const stale = { taskId: "task", workerId: "worker-a", fence: 7 };
      expect(await codeOfPromise(release(queue, stale, "X"))).toBe("stale_or_invalid_lease");
      await heartbeat(queue, { ...stale, fence: 1 }, null);
      expect(await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 10))).toEqual(rowsBefore);
    });

    test("a stream whose reader was revoked before the first look is ended by that look, no other is", async () => {
      const { queue, worker } = await withJob(sut);
      const [gone, stays] = [await worker("one"), await worker("two")];
      const feed = new EventFeed({ store: queue.store, clock: systemClock });
      await revokeWorker(queue.store, gone);
      const follow = (personUuid: string) => feed.follow({ ...reader, personUuid });
      const [ended, other] = [await follow(gone), await follow(stays)];
      for (const stream of [ended, other]) stream.resume();
      await once(ended, "end");
      expect(other.readableEnded).toBe(false);
      await feed.close();
    });

    test("a look that fails half-way asks again for the readers that it did not come to", async () => {
      const { queue, worker } = await withJob(sut);
      const gone = await worker("one");
      const [first = BEGINNING] = await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 1));
      await revokeWorker(queue.store, gone);
      let [asked, failed] = [false, false];
      const store: QueueStore = {
        write: (work) => queue.store.write(work),
        close: () => queue.store.close(),
        read: (work) =>
          queue.store.read((rows) => {
            const revokedAmong: typeof rows.revokedAmong = (uuids) => {
              asked = true;
              return rows.revokedAmong(uuids);
            };
            const eventsAfter: typeof rows.eventsAfter = (place, limit) => {
              if (failed || comparePlaces(place, first) !== 0) return rows.eventsAfter(place, limit);
              failed = asked;
              throw new HandoffError("GATEWAY_STORE_FAILED");
            };
            return work({ ...rows, revokedAmong, eventsAfter });
          }),
      };
      const feed = new EventFeed({ store, clock: systemClock });
      // the one that missed something comes before the one whose reader was revoked
      const behind = await feed.follow({ ...reader, cursor: first, personUuid: null });
      const ended = await feed.follow({ ...reader, personUuid: gone });
      for (const stream of [behind, ended]) stream.resume();
      await once(ended, "end");
      expect(failed).toBe(true);
      await feed.close();
    });

    test("no reader takes more than its share of the streams, and the last places are for who looks after it", async () => {
      const { queue } = await openBench(sut);
      const seats = { all: 4, reserved: 1, person: 2 };
      const feed = new EventFeed({ store: queue.store, clock: systemClock, seats });
      const codes = (asked: readonly object[]) =>
        Promise.all(asked.map((one) => codeOfPromise(feed.follow({ ...reader, personUuid: null, ...one }))));
      const [one, two] = [{ personUuid: "one" }, { personUuid: "two" }];
      // all at once: each is counted before any of them waits
      expect(await codes([one, one, one])).toEqual([null, null, "rate_limited"]);
      const first = await feed.follow({ ...reader, personUuid: "two" });
      expect(await codes([two, {}])).toEqual(["unavailable", "unavailable"]);
      const trusted = { trusted: true };
      expect(await codes([trusted, trusted])).toEqual([null, "unavailable"]);
      first.destroy();
      await once(first, "close");
      expect(await codes([two, two])).toEqual([null, "unavailable"]);
      await feed.close();
    });

    test("events are read in pieces, and a cursor that is too old or not of this store is told", async () => {
      const { queue, clock } = await openBench(sut);
      const add = async (n: number): Promise<void> => {
        clock.seconds = 100 + n;
        await queue.store.write(async (rows) => {
          const at = await rows.now();
          await rows.insertEvent({ ...NOTHING, at, taskId: `task-${n}` });
        });
      };
      for (let n = 0; n < 5; n += 1) await add(n);
      const first = await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 2));
      const place = first[1] ?? BEGINNING;
      expect(placeOf(cursorOf(place))).toEqual({ tx: place.tx, id: place.id });
      const rest = await queue.store.read((rows) => rows.eventsAfter(place, 10));
      expect([...first, ...rest].map((event) => event.taskId)).toEqual(
        [0, 1, 2, 3, 4].map((n) => `task-${n}`),
      );

      expect((await startReading(queue.store, place)).reset).toBe(false);
      expect(await queue.store.write((rows) => rows.pruneEvents({ keep: 2, before: 0 }))).toBe(3);
      const last = rest.at(-1) ?? BEGINNING;
      expect(await startReading(queue.store, place)).toEqual({
        place: { tx: last.tx, id: last.id },
        reset: true,
      });
      expect((await startReading(queue.store, { ...last, id: last.id + 1 })).reset).toBe(true);
      expect(await queue.store.write((rows) => rows.pruneEvents({ keep: 10, before: 104 }))).toBe(1);
      expect(await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 10))).toHaveLength(1);
    });

    test("events go from the oldest on, a batch at a time, and none that is young and among those kept", async () => {
      const { queue } = await openBench(sut);
      await queue.store.write(async (rows) => {
        for (let n = 1; n <= 5_010; n++)
          await rows.insertEvent({ ...NOTHING, at: n <= 5_003 ? 100 : 200, taskId: `task-${n}` });
      });
      const prune = (keep: number, before: number) =>
        queue.store.write((rows) => rows.pruneEvents({ keep, before }));
      expect(await prune(6_000, 100)).toBe(0);
      expect([await prune(6_000, 200), await prune(6_000, 200), await prune(6_000, 200)]).toEqual([
        5_000, 3, 0,
      ]);
      expect([await prune(4, 0), await prune(4, 0)]).toEqual([3, 0]);
      const left = await queue.store.read((rows) => rows.eventsAfter(BEGINNING, 10));
      expect(left.map((row) => row.taskId)).toEqual(["task-5007", "task-5008", "task-5009", "task-5010"]);
    });
  });
}

const NOTHING = {
  kind: "enqueued",
  jobId: null,
  workerUuid: null,
  detail: "{}",
} as const;
