import { describe, expect, test } from "vitest";
import type { Verdict } from "../../../contracts/documents/verdict.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { checkGateway } from "../../../src/gateway/upkeep/check.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { putSampleJob, sampleResult, winSlot } from "../../support/gateway-job.ts";
import { outside, post } from "../gateway/route-calls.ts";

const other = sha256("another");

/** A gateway whose one job is handed in and was judged. */
async function judgedGateway(): Promise<{ gateway: TestGateway; verdict: Verdict }> {
  const gateway = await startGateway();
  const job = await putSampleJob(gateway);
  for (const slot of ["a", "b"] as const)
    await winSlot(gateway, await gateway.registerWorker(`of ${slot}`), { job, slot });
  const pin = (slot: "a" | "b") => ({
    version_num: 1,
    sha256_hash: sha256(canonicalBytes(sampleResult(job, slot))),
  });
  const verdict: Verdict = {
    schema: "render_handoff.verdict.v1",
    gateway_id: gateway.gatewayId,
    job_id: job.job_id,
    job_sha256: sha256(canonicalBytes(job)),
    verdict: "accepted",
    report_sha256: other,
    finding_codes: [],
    built_on: { a: pin("a"), b: pin("b") },
    tool_version: "0.1.0",
  };
  const { token } = await gateway.registerChecker();
  expect(await post(gateway, "/q/verdict", { token, body: verdict })).toMatchObject({ status: 201 });
  return { gateway, verdict };
}

async function check(gateway: TestGateway): Promise<readonly string[]> {
  const stores = { dataFolder: gateway.dataFolder, storeUrl: null, blobsUrl: null };
  const report = await checkGateway({ ...stores, quick: true, clock: systemClock });
  expect(report.checked.verdicts).toBeLessThanOrEqual(1);
  return report.findings.map(({ code }) => code);
}

/** Another payload under its own digest, as somebody would write it who knows how. */
const rewrite = (payload: Buffer): string =>
  `UPDATE verdicts SET payload = '${payload.toString()}', sha256 = '${sha256(payload)}'`;

describe("check of verdicts and of what they were built on", () => {
  test("finds nothing wrong with a verdict that was posted", async () => {
    expect(await check((await judgedGateway()).gateway)).toEqual([]);
  });

  test.each<[string, (verdict: Verdict) => string, readonly string[]]>([
    [
      "a verdict with another digest",
      () => `UPDATE verdicts SET sha256 = '${other}'`,
      ["CHECK_OBJECT_SHA256"],
    ],
    ["a row that says rejected", () => "UPDATE verdicts SET verdict = 'rejected'", ["CHECK_VERDICT"]],
    [
      "a payload that is another verdict, under its own digest",
      (verdict) => rewrite(canonicalBytes({ ...verdict, verdict: "rejected" })),
      ["CHECK_VERDICT"],
    ],
    [
      "a verdict on another job of that name",
      (verdict) => rewrite(canonicalBytes({ ...verdict, job_sha256: other })),
      ["CHECK_VERDICT"],
    ],
    [
      "a verdict of another gateway",
      (verdict) =>
        rewrite(canonicalBytes({ ...verdict, gateway_id: "g_00000000-0000-4000-8000-000000000000" })),
      ["CHECK_VERDICT"],
    ],
    ["a payload that is no verdict", () => rewrite(Buffer.from("{}")), ["CHECK_VERDICT"]],
    [
      "a payload with its members in another order",
      ({ schema, ...rest }) => rewrite(Buffer.from(JSON.stringify({ ...rest, schema }))),
      ["CHECK_VERDICT"],
    ],
    [
      "pins and edges on an object that never was",
      ({ built_on, ...rest }) =>
        rewrite(
          canonicalBytes({ ...rest, built_on: { ...built_on, b: { version_num: 2, sha256_hash: other } } }),
        ),
      ["CHECK_EDGE", "CHECK_EDGE"],
    ],
    [
      "an object that is gone",
      () => "DELETE FROM objects WHERE object_key = 'shot-1.a'",
      ["CHECK_OBJECT_MISSING", "CHECK_EDGE"],
    ],
    ["an edge that is gone", () => "DELETE FROM edges WHERE target_key = 'shot-1.b'", ["CHECK_EDGE"]],
    [
      "an edge to another digest",
      () => `UPDATE edges SET target_sha256 = '${other}' WHERE target_key = 'shot-1.b'`,
      ["CHECK_EDGE"],
    ],
    [
      "an edge too many",
      () => `INSERT INTO edges VALUES ('shot-1.join', 1, 'shot-2.a', 'verifies', 1, '${other}')`,
      ["CHECK_EDGE"],
    ],
    ["edges of a verdict that is gone", () => "DELETE FROM verdicts", ["CHECK_EDGE"]],
  ])("finds %s", async (_what, harm, codes) => {
    const { gateway, verdict } = await judgedGateway();
    outside(gateway, harm(verdict));
    expect(await check(gateway)).toEqual(codes);
  });
});
