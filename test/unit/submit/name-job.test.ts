import { expect, test } from "vitest";
import { JobId } from "../../../contracts/names.ts";
import { nameJob } from "../../../src/submit/name-job.ts";
import { codeOf } from "../../support/code-of.ts";

const clock = { uuid: () => "0a1b2c3d-0000-4000-8000-000000000000" };

test("a job is named after its scene", () => {
  expect(nameJob(null, "/x/Shot 12 (final).blend", clock)).toBe("shot-12-final-0a1b2c3d");
});

test.each(["日本.blend", "---.blend", `${"x".repeat(200)}.blend`, "É.blend"])(
  "%s gives a valid id",
  (scene) => {
    expect(JobId.safeParse(nameJob(null, scene, clock)).success).toBe(true);
  },
);

test("an id that was asked for is taken as it is or refused", () => {
  expect(nameJob("shot-12", "x.blend", clock)).toBe("shot-12");
  expect(codeOf(() => nameJob("Shot 12", "x.blend", clock))).toBe("USAGE_ARGUMENT");
});
