import { describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { Pool } from "../../../src/join/decode/pool.ts";

function poolOf(
  fake: string,
  options: { size?: number; startMs?: number; deadlineMs?: number; workerData?: unknown } = {},
): Pool<unknown, unknown> {
  const pool = new Pool<unknown, unknown>({
    entry: new URL(`./fakes/${fake}.ts`, import.meta.url),
    size: options.size ?? 1,
    startMs: options.startMs ?? 20_000,
    deadlineMs: options.deadlineMs ?? 20_000,
    heapMegabytes: 24,
    workerData: options.workerData,
    clock: systemClock,
  });
  onTestFinished(() => pool.close());
  return pool;
}

describe("a pool of decoders", () => {
  it("answers tasks in the order given, more than there are threads", async () => {
    const pool = poolOf("spins", { size: 2 });
    const outcomes = await Promise.all(["one", "two", "three", "four"].map((task) => pool.run(task)));
    expect(outcomes).toEqual(
      ["one", "two", "three", "four"].map((answer) => ({ ended: "answered", answer })),
    );
  });

  it("ends a thread at the deadline, and the next task has a new thread", async () => {
    const pool = poolOf("spins", { deadlineMs: 5_000 });
    const [stuck, next] = await Promise.all([pool.run("spin"), pool.run("one")]);
    expect(stuck.ended).toBe("timeout");
    expect(next).toEqual({ ended: "answered", answer: "one" });
  });

  it.each(["exits", "throws"])("calls a thread that %s crashed, for each of its tasks", async (fake) => {
    const pool = poolOf(fake);
    const outcomes = await Promise.all([pool.run("one"), pool.run("two")]);
    expect(outcomes.map((one) => one.ended)).toEqual(["crashed", "crashed"]);
  });

  it("calls a thread that is over its memory limit out of memory", async () => {
    expect((await poolOf("hoards").run("one")).ended).toBe("memory");
  });

  it("tells every waiting task when a thread cannot be loaded, instead of trying for ever", async () => {
    const pool = poolOf("dies-at-start");
    const outcomes = await Promise.all([pool.run("one"), pool.run("two")]);
    expect(outcomes.map((one) => one.ended)).toEqual(["crashed", "crashed"]);
  });

  it("goes on with one thread when another cannot be loaded, and does not try that one again", async () => {
    const loaded = new SharedArrayBuffer(4);
    const pool = poolOf("second-dies", { size: 2, workerData: loaded });
    const outcomes = await Promise.all(["one", "two", "three"].map((task) => pool.run(task)));
    expect(outcomes.map((one) => one.ended)).toEqual(["answered", "answered", "answered"]);
    expect(Atomics.load(new Int32Array(loaded), 0)).toBe(2);
  });

  it("ends a thread that does not become ready in its time", async () => {
    expect((await poolOf("never-ready", { startMs: 300 }).run("one")).ended).toBe("timeout");
  });

  it("ends what waits when it is closed", async () => {
    const pool = poolOf("spins");
    const outcomes = [pool.run("spin"), pool.run("one")];
    await pool.close();
    expect((await Promise.all(outcomes)).map((one) => one.ended)).toEqual(["crashed", "crashed"]);
  });

  it("starts no thread once it is closed, and says so to whoever asks it then", async () => {
    const loaded = new SharedArrayBuffer(4);
    const pool = poolOf("counts", { workerData: loaded });
    const first = pool.run("one");
    void first.then(() => pool.run("two"));
    await pool.close();
    expect(pool.closed).toBe(true);
    expect(await pool.run("three")).toEqual({ ended: "crashed", detail: "closed" });
    expect(Atomics.load(new Int32Array(loaded), 0)).toBeLessThan(2);
  });

  it("whose end is asked for twice has ended both times", async () => {
    const pool = poolOf("spins");
    const stuck = pool.run("spin");
    const ends = [pool.close(), pool.close()];
    expect(ends[0]).toBe(ends[1]);
    await Promise.all(ends);
    expect((await stuck).ended).toBe("crashed");
  });
});
