import { expect, it } from "vitest";
import { withDecoders } from "../../../src/cli/with-decoders.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { openDecoders } from "../../../src/join/decode/open-decoders.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { folderOf } from "../join/folder-of.ts";

it("a signal ends a frame that does not come to an end", async () => {
  const folder = await folderOf();
  const entry = new URL("../join/fakes/stuck-on-frames.ts", import.meta.url);
  const decoders = openDecoders({ entry, threads: 2, deadlineMs: 3_600_000 }, systemClock);
  const controller = new AbortController();
  const reason = new Error("told to stop");
  const verdict = withDecoders(decoders, controller, async (given) => {
    setTimeout(() => controller.abort(reason), 1_000);
    const judged = await verifyEvidence({ folder, clock: systemClock, decoders: given });
    controller.signal.throwIfAborted();
    return judged;
  });
  await expect(verdict).rejects.toBe(reason);
  expect(decoders.closed).toBe(true);
});
