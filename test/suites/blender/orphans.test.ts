import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { CONTAINMENTS, type Containment } from "../../../contracts/documents/policy.ts";
import { markedProcesses, sweepLeftovers } from "../../../src/blender/sweep.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { attempt, fakeBlender } from "../../support/blender.ts";

/** Starts a render in a process of its own and SIGKILLs that process in the middle; returns the marker. */
async function orphaned(containment: Containment, fake: string): Promise<string> {
  const identity = await fakeBlender(fake);
  const { signal: _, clock: __, identity: ___, ...options } = await attempt(identity, { containment });
  const program = fileURLToPath(new URL("./render-in-process.ts", import.meta.url));
  const owner = spawn(process.execPath, [program, identity.path, JSON.stringify(options)], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(owner.stdout, "data");
  owner.kill("SIGKILL");
  await once(owner, "exit");
  return options.marker;
}

async function emptied(marker: string): Promise<number> {
  for (let tries = 0; tries < 100 && markedProcesses(marker).length > 0; tries += 1)
    await systemClock.sleep(20);
  return markedProcesses(marker).length;
}

test.each(["bwrap", "unshare"] as const)(
  "%s: nothing outlives the process that started it, not even what ignores signals in its own session",
  async (containment) => {
    expect(await emptied(await orphaned(containment, "ignores-sigterm"))).toBe(0);
  },
);

test.each(CONTAINMENTS)("%s: Blender itself ends with the process that started it", async (containment) => {
  expect(await emptied(await orphaned(containment, "sleeps-for-ever"))).toBe(0);
});

test("process-group: what stays in a session of its own is found by its marker and swept", async () => {
  const marker = await orphaned("process-group", "ignores-sigterm");
  const swept = await sweepLeftovers({ markerPrefix: marker.slice(0, -6), clock: systemClock });
  expect(swept).toEqual({ found: expect.any(Number), proof: "gone" });
  expect(swept.found).toBeGreaterThan(0);
  expect(markedProcesses(marker)).toEqual([]);
});

test("a sweep with nothing to find does nothing", async () => {
  expect(await sweepLeftovers({ markerPrefix: `none-${systemClock.uuid()}`, clock: systemClock })).toEqual({
    found: 0,
    proof: "gone",
  });
});
