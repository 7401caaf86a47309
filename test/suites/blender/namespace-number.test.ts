import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { expect, onTestFinished, test } from "vitest";
import { unsharePrefix } from "../../../src/blender/containment/unshare.ts";
import { Family } from "../../../src/blender/process/family.ts";
import { pidNamespaceOf } from "../../../src/blender/process/proc.ts";
import { systemClock } from "../../../src/core/clock.ts";

const MOST_TRIES = 200;
const SLEEPS = [...unsharePrefix(process.getuid?.() === 0), "sleep", "600"];

interface Contained {
  readonly family: Family;
  readonly namespace: string;
  end(): Promise<void>;
}

/** A process in a PID namespace of its own, once its family knows what lives in there. */
async function contained(): Promise<Contained> {
  const wrapper: ChildProcess = spawn("setpriv", SLEEPS, { detached: true, stdio: "ignore" });
  const ended = once(wrapper, "exit");
  const end = async (): Promise<void> => {
    wrapper.kill("SIGKILL");
    await ended;
  };
  onTestFinished(end);
  const family = new Family(wrapper.pid ?? 0, "a marker that nobody has");
  for (;;) {
    const namespaces = family.living().map((entry) => pidNamespaceOf(entry.pid));
    const inside = namespaces.find((one) => one !== null && one !== pidNamespaceOf("self"));
    if (inside !== undefined && inside !== null) return { family, namespace: inside, end };
    await systemClock.sleep(10);
  }
}

test("a family that is gone does not claim a stranger whose namespace has got the same number", async () => {
  const first = await contained();
  await first.end();
  while (first.family.living().length > 0) await systemClock.sleep(10);
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const stranger = await contained();
    if (stranger.namespace === first.namespace) {
      expect(first.family.living()).toEqual([]);
      expect(stranger.family.living().length).toBeGreaterThan(0);
      return;
    }
    await stranger.end();
  }
  throw new Error(`the kernel gave no number again in ${MOST_TRIES} tries`);
});
