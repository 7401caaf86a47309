import { expect, test } from "vitest";
import { CONTAINMENTS, type Containment } from "../../../contracts/documents/policy.ts";
import type { ContainmentReport } from "../../../src/blender/containment/detect.ts";
import { type ContainmentWish, planContainment } from "../../../src/blender/containment/plan.ts";

const working = (...rungs: Containment[]): ContainmentReport => {
  const rung = (name: Containment) => ({ available: rungs.includes(name), detail: "" });
  return { bwrap: rung("bwrap"), unshare: rung("unshare"), "process-group": rung("process-group") };
};
const wish = (particular: Partial<ContainmentWish>): ContainmentWish => ({
  report: working(...CONTAINMENTS),
  allowed: CONTAINMENTS,
  trustScenes: false,
  jobScripts: false,
  workerScripts: false,
  ...particular,
});

test("bubblewrap is taken where it works, also for trusted scenes", () => {
  expect(planContainment(wish({}))).toEqual({ containment: "bwrap", allowScripts: false });
  expect(planContainment(wish({ trustScenes: true })).containment).toBe("bwrap");
});

test("without bubblewrap a scene that is not trusted is refused", () => {
  const report = working("unshare", "process-group");
  expect(() => planContainment(wish({ report }))).toThrow(
    expect.objectContaining({ code: "RENDER_CONTAINMENT_MISSING" }),
  );
});

test("without bubblewrap a trusted scene gets the best of what works", () => {
  const best = (...rungs: Containment[]) =>
    planContainment(wish({ report: working(...rungs), trustScenes: true })).containment;
  expect(best("unshare", "process-group")).toBe("unshare");
  expect(best("process-group")).toBe("process-group");
});

test("a containment that the job does not allow is not taken", () => {
  expect(planContainment(wish({ allowed: ["process-group"], trustScenes: true })).containment).toBe(
    "process-group",
  );
  expect(() => planContainment(wish({ allowed: ["unshare"] }))).toThrow(
    expect.objectContaining({ code: "RENDER_CONTAINMENT_MISSING" }),
  );
});

test("scripts need the job, the worker and bubblewrap", () => {
  const scripts = { jobScripts: true, workerScripts: true, trustScenes: true };
  expect(planContainment(wish(scripts))).toEqual({ containment: "bwrap", allowScripts: true });
  for (const less of [{ workerScripts: false }, { report: working("unshare", "process-group") }])
    expect(() => planContainment(wish({ ...scripts, ...less }))).toThrow(
      expect.objectContaining({ code: "RENDER_SCRIPTS_REFUSED" }),
    );
  expect(planContainment(wish({ workerScripts: true })).allowScripts).toBe(false);
});
