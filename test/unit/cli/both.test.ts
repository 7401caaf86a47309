import { expect, test } from "vitest";
import { both } from "../../../src/cli/demo/both.ts";
import type { Play } from "../../../src/cli/demo/play.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { commandContext } from "../../../tools/generated/command-tree.ts";

const play: Play = {
  flags: { frames: { first: 1, last: 2 } },
  context: commandContext,
  stage: { scene: "", run: "", data: "", tokens: "", state: () => "", clear: async () => {} },
  gateway: { url: "", gatewayId: "", stop: async () => {}, kill: async () => {} },
  out: "",
};

test("two parts that succeed give both results", async () => {
  expect(
    await both(
      play,
      async () => 1,
      async () => "b",
    ),
  ).toEqual([1, "b"]);
});

test("when one part fails the other is stopped and waited for, and the first failure is told", async () => {
  const happened: string[] = [];
  const failing = async (): Promise<never> => {
    throw new HandoffError("DEMO_FAILED");
  };
  const stopped = (half: Play): Promise<never> =>
    new Promise((_, reject) => {
      const { signal } = half.context;
      signal.addEventListener("abort", () => {
        // its processes take a while to end
        setImmediate(() => {
          happened.push("the other has ended");
          reject(signal.reason);
        });
      });
    });
  await both(play, stopped, failing).catch((thrown: unknown) => {
    happened.push(thrown instanceof HandoffError ? thrown.code : String(thrown));
  });
  expect(happened).toEqual(["the other has ended", "DEMO_FAILED"]);
});
