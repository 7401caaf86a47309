import { expect, test } from "vitest";
import type { BlenderFacts } from "../../../src/blender/facts.ts";
import { judge } from "../../../src/blender/judge.ts";
import { failureOf } from "../../../src/blender/outcome.ts";
import { LogKeeper } from "../../../src/blender/process/log-keeper.ts";
import { SCENE } from "../../support/blender.ts";

const facts: BlenderFacts = {
  schema: "render_handoff.blender_facts.v1",
  version: "3.4.1",
  build_hash: "unknown",
  device: { class: "CPU", name: "some processor" },
  settings: {},
  refusals: [],
  scene: SCENE,
};
const ended = { signal: null, wallMs: 1, peakRssBytes: 0, proof: "gone" } as const;
const finished = (exitCode: number) => ({ ended: "finished", exitCode, ...ended }) as const;
const log = (...lines: string[]) => {
  const keeper = new LogKeeper();
  for (const line of lines) keeper.add(line);
  return keeper.kept();
};

test("exit code 0 with facts and a clean log has nothing against it", () => {
  const outcome = judge({ end: finished(0), facts, log: log("Blender quit") });
  expect(outcome.reason).toBeNull();
  expect(failureOf(outcome)).toBeNull();
});

test("exit code 0 without facts is a failure: nothing was enforced", () => {
  expect(judge({ end: finished(0), facts: null, log: log() }).reason).toBe("RENDER_BLENDER_FAILED");
});

test("exit code 0 with an error in the log is a failure, with that line", () => {
  const outcome = judge({ end: finished(0), facts, log: log("Error: something", "Blender quit") });
  expect(outcome).toMatchObject({ reason: "RENDER_LOG_ERROR", details: ["Error: something"] });
});

test("a refusal of the script is the reason, whatever the log says", () => {
  const refusals = [{ code: "RENDER_SCENE_INCOMPLETE" as const, items: ["image a: //a.png"] }];
  const outcome = judge({ end: finished(10), facts: { ...facts, refusals }, log: log("Error: x") });
  expect(outcome).toMatchObject({
    reason: "RENDER_SCENE_INCOMPLETE",
    details: ["RENDER_SCENE_INCOMPLETE: image a: //a.png"],
  });
});

test("a full disk is told apart from other failures", () => {
  const end = finished(1);
  expect(judge({ end, facts, log: log("Render error (No space left on device) cannot save") }).reason).toBe(
    "RENDER_DISK_FULL",
  );
  expect(judge({ end, facts, log: log("Error: whatever") }).reason).toBe("RENDER_BLENDER_FAILED");
});

test("a kill keeps its own reason, and an end that is not proven comes before it", () => {
  const end = { ended: "killed", reason: "RENDER_WATCHDOG", exitCode: null, ...ended } as const;
  expect(failureOf(judge({ end, facts: null, log: log() }))?.code).toBe("RENDER_WATCHDOG");
  const alive = judge({ end: { ...end, proof: "alive" }, facts: null, log: log() });
  expect(failureOf(alive)?.code).toBe("RENDER_PROCESS_ALIVE");
});
