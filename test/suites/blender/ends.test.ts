import { expect, test } from "vitest";
import { CONTAINMENTS } from "../../../contracts/documents/policy.ts";
import { listOutput } from "../../../src/blender/list-output.ts";
import { failureOf } from "../../../src/blender/outcome.ts";
import { renderFrames } from "../../../src/blender/render.ts";
import { markedProcesses } from "../../../src/blender/sweep.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { attempt, fakeBlender } from "../../support/blender.ts";

test.each(CONTAINMENTS)(
  "%s: a Blender that sleeps for ever is ended by the watchdog",
  async (containment) => {
    const options = await attempt(await fakeBlender("sleeps-for-ever"), { containment, watchdogMs: 3_000 });
    const outcome = await renderFrames(options);
    expect(outcome).toMatchObject({ ended: "killed", reason: "RENDER_WATCHDOG", proof: "gone", facts: null });
    expect(outcome.details.join()).toContain("Fra:205");
    expect(outcome.peakRssBytes).toBeGreaterThan(0);
    expect(markedProcesses(options.marker)).toEqual([]);
  },
);

test.each(CONTAINMENTS)(
  "%s: SIGTERM ignored, with a grandchild in a session of its own that holds stdout: all gone",
  async (containment) => {
    const options = await attempt(await fakeBlender("ignores-sigterm"), { containment, watchdogMs: 1_000 });
    const outcome = await renderFrames(options);
    expect(outcome).toMatchObject({ ended: "killed", reason: "RENDER_WATCHDOG", proof: "gone" });
    expect(markedProcesses(options.marker)).toEqual([]);
  },
);

test.each(CONTAINMENTS)("%s: what a Blender that ended leaves behind is ended too", async (containment) => {
  const options = await attempt(await fakeBlender("leaves-a-grandchild"), { containment });
  const outcome = await renderFrames(options);
  expect(outcome).toMatchObject({ ended: "finished", exitCode: 0, proof: "gone" });
  expect(markedProcesses(options.marker)).toEqual([]);
});

test("an aborted signal ends it for the reason that the signal gives, and the first reason wins", async () => {
  const stop = new AbortController();
  const options = await attempt(await fakeBlender("ignores-sigterm"), {
    watchdogMs: 60_000,
    signal: stop.signal,
  });
  const running = renderFrames({ ...options, onProgress: () => stop.abort(new HandoffError("LEASE_LOST")) });
  expect(await running).toMatchObject({ ended: "killed", reason: "LEASE_LOST", proof: "gone" });
});

test("a signal that is aborted already ends it at once", async () => {
  const signal = AbortSignal.abort("RENDER_RUN_DEADLINE");
  const outcome = await renderFrames(await attempt(await fakeBlender("sleeps-for-ever"), { signal }));
  expect(outcome).toMatchObject({ ended: "killed", reason: "RENDER_RUN_DEADLINE", proof: "gone" });
});

test("a Blender that ends with 0 and did nothing has failed", async () => {
  const outcome = await renderFrames(await attempt(await fakeBlender("writes-nothing")));
  expect(outcome).toMatchObject({ ended: "finished", exitCode: 0, reason: "RENDER_BLENDER_FAILED" });
});

test("a Blender that crashes has failed, with its signal and its last words", async () => {
  const outcome = await renderFrames(await attempt(await fakeBlender("crashes")));
  expect(outcome).toMatchObject({ ended: "finished", signal: "SIGSEGV", reason: "RENDER_BLENDER_FAILED" });
  expect(failureOf(outcome)?.details).toContain("about to crash");
});

test("a command that the system cannot start is an outcome, not an exception", async () => {
  const outcome = await renderFrames(await attempt(await fakeBlender("honest"), { marker: "no\0marker" }));
  expect(outcome).toMatchObject({
    ended: "failed_to_start",
    reason: "RENDER_CONTAINMENT_MISSING",
    proof: "gone",
  });
});

test("a Blender that is gone since it was identified fails to start", async () => {
  const identity = { ...(await fakeBlender("honest")), path: "/usr/bin/no-such-blender" };
  const outcome = await renderFrames(await attempt(identity, { containment: "bwrap" }));
  expect(failureOf(outcome)).not.toBeNull();
});

test("1 GB of output costs neither memory nor the last line, which is still read", async () => {
  const before = process.memoryUsage().rss;
  const outcome = await renderFrames(await attempt(await fakeBlender("floods")));
  expect(outcome).toMatchObject({ ended: "finished", exitCode: 0 });
  expect(outcome.details.join("\n")).toContain("Error: last words");
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test("a line of 50 MB is cut and the line after it is whole", async () => {
  const outcome = await renderFrames(await attempt(await fakeBlender("one-long-line")));
  expect(outcome.details.at(-1)).toBe("last line");
  expect(Math.max(...outcome.details.map((line) => line.length))).toBeLessThan(500);
});

test.each(CONTAINMENTS)(
  "%s: an honest run has frames, facts, progress and nothing against it",
  async (containment) => {
    const done: number[] = [];
    const options = await attempt(await fakeBlender("honest"), { containment });
    const outcome = await renderFrames({ ...options, onProgress: (now) => done.push(now.framesDone) });
    expect(outcome).toMatchObject({ ended: "finished", reason: null, proof: "gone" });
    expect(outcome.facts?.device).toEqual({ class: "CPU", name: "fake" });
    expect(done.at(-1)).toBe(3);
    const { frames, outputFolder: folder } = options;
    expect((await listOutput({ folder, frames, frameBytes: 100_000 })).map(({ frame }) => frame)).toEqual(
      frames,
    );
  },
);

test("an output folder that is not empty is refused before anything is started", async () => {
  const options = await attempt(await fakeBlender("honest"));
  await renderFrames(options);
  await expect(renderFrames(options)).rejects.toEqual(
    expect.objectContaining({ code: "RENDER_FRAME_UNEXPECTED" }),
  );
});

test("scripts outside bubblewrap are refused before anything is started", async () => {
  const options = await attempt(await fakeBlender("honest"), { allowScripts: true });
  await expect(renderFrames(options)).rejects.toEqual(
    expect.objectContaining({ code: "RENDER_SCRIPTS_REFUSED" }),
  );
});
