import { readFileSync } from "node:fs";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { JoinReport } from "../../../contracts/documents/join-report.ts";
import { STANDARD_POLICY } from "../../../contracts/documents/policy.ts";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { sha256 } from "../../../fixtures/evidence-maker/digest.ts";
import { PEOPLE } from "../../../fixtures/evidence-maker/documents.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { exitOfReport } from "../../../src/join/report/exit-of-report.ts";
import { type VerifyOptions, verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();

const JOB_SHA256 = sha256(evidence().get("job.json") ?? Buffer.alloc(0));

async function reportOf(changes: Changes, options: Partial<VerifyOptions> = {}): Promise<JoinReport> {
  const folder = await folderOf(changes);
  return (await verifyEvidence({ folder, clock: systemClock, decoders, ...options })).report;
}
const codesOf = (report: JoinReport): string[] => [...new Set(report.findings.map((one) => one.code))].sort();

describe("verifyEvidence", () => {
  it("writes a report of its schema with both provenances, all frames and every digest", async () => {
    const report = await reportOf({});
    expect(JoinReport.parse(report)).toEqual(report);
    expect(report.verdict).toBe("accepted");
    expect(report.job_sha256).toBe(JOB_SHA256);
    expect(report.frames.map((one) => one.frame)).toEqual([205, 206, 207, 208, 209, 210]);
    expect(report.provenance.a?.worker_uuid).toBe(PEOPLE.a.worker_uuid);
    expect(report.provenance.b?.operator).toBe(PEOPLE.b.operator);
    expect(report.evidence.map((one) => one.path).sort()).toEqual([...evidence().keys()].sort());
  });

  it("is unanchored unless the checker says what it expects", async () => {
    expect((await reportOf({})).anchored).toEqual({ job: false, gateway: false });
    const anchored = await reportOf({}, { expectJob: JOB_SHA256, expectGateway: PEOPLE.gateway });
    expect(anchored.anchored).toEqual({ job: true, gateway: true });
    expect(anchored.policy).toMatchObject({ expect_job: JOB_SHA256, expect_gateway: PEOPLE.gateway });
  });

  it("does not take an expectation inside the evidence for an anchor, unless the job is anchored", async () => {
    const changes: Changes = { job: (job) => (job.policy.expect_gateway = PEOPLE.gateway) };
    expect((await reportOf(changes)).anchored).toEqual({ job: false, gateway: false });
    const expectJob = sha256(evidence(changes).get("job.json") ?? Buffer.alloc(0));
    expect((await reportOf(changes, { expectJob })).anchored).toEqual({ job: true, gateway: true });
  });

  it("is anchored only by what was compared and is equal", async () => {
    const [expectJob, expectGateway] = ["e".repeat(64), PEOPLE.otherGateway];
    const right = { expectJob: JOB_SHA256, expectGateway: PEOPLE.gateway };
    const anchoredBy = async (changes: Changes, options: Partial<VerifyOptions>) =>
      (await reportOf(changes, options)).anchored;
    expect(await anchoredBy({}, { ...right, expectJob })).toEqual({ job: false, gateway: true });
    expect(await anchoredBy({}, { ...right, expectGateway })).toEqual({ job: true, gateway: false });
    const without = (path: string): Changes => ({ late: (files) => files.delete(path) });
    expect(await anchoredBy(without("job.json"), right)).toEqual({ job: false, gateway: true });
    expect(await anchoredBy(without("gateway.json"), right)).toEqual({ job: true, gateway: false });
    const policy = { ...STANDARD_POLICY, expect_job: expectJob, expect_gateway: PEOPLE.gateway };
    expect(await anchoredBy({}, { policy })).toEqual({ job: false, gateway: true });
  });

  it("does not take the gateway that another job expects for an anchor", async () => {
    const changes: Changes = { job: (job) => (job.policy.expect_gateway = PEOPLE.gateway) };
    const { anchored } = await reportOf(changes, { expectJob: "e".repeat(64) });
    expect(anchored).toEqual({ job: false, gateway: false });
  });

  it("rejects another job and another gateway than the expected ones", async () => {
    const report = await reportOf({}, { expectJob: "e".repeat(64), expectGateway: PEOPLE.otherGateway });
    expect(codesOf(report)).toEqual(["JOIN_GATEWAY_NOT_EXPECTED", "JOIN_JOB_NOT_EXPECTED"]);
    expect(exitOfReport(report)).toBe(1);
  });

  it("holds the evidence against the checker's policy in place of the job's", async () => {
    const policy = { ...STANDARD_POLICY, allow_containment: ["unshare" as const], strict_content: false };
    const report = await reportOf({}, { policy, strictContent: true });
    expect(codesOf(report)).toEqual(["JOIN_CONTAINMENT_REFUSED"]);
    expect(report.policy).toEqual({ ...policy, strict_content: true });
  });

  it("lists every fault, not only the first", async () => {
    const report = await reportOf({
      a: { manifest: ({ device }) => (device.class = "CUDA") },
      b: { manifest: (manifest) => (manifest.containment = "process-group"), worker: PEOPLE.stranger },
    });
    expect(codesOf(report)).toEqual([
      "JOIN_CONTAINMENT_REFUSED",
      "JOIN_DEVICE_MISMATCH",
      "JOIN_WORKER_INVALID",
    ]);
  });

  it("rejects for a proven fault even where something else is missing", async () => {
    const report = await reportOf({
      b: { worker: PEOPLE.a.worker_uuid },
      late: (files) => files.delete("slots/a/request.json"),
    });
    expect(codesOf(report)).toEqual(["JOIN_EVIDENCE_MISSING", "JOIN_WORKER_NOT_DISTINCT"]);
    expect(report.verdict).toBe("rejected");
  });

  it.each([...evidence().keys()])("is undecided without %s, never accepted", async (path) => {
    const report = await reportOf({ late: (files) => files.delete(path) });
    expect(report.verdict).toBe("undecided");
    expect(codesOf(report)).toEqual(["JOIN_EVIDENCE_MISSING"]);
    expect(exitOfReport(report)).toBe(4);
  });

  it("is undecided about a folder that is not there, and about an empty one", async () => {
    const folder = await temporaryFolder();
    for (const one of [folder, join(folder, "nowhere")]) {
      const { report, accepted } = await verifyEvidence({ folder: one, clock: systemClock, decoders });
      expect([report.verdict, accepted]).toEqual(["undecided", null]);
    }
  });

  it.each(["job.json", "slots/b/receipt.json", "slots/b/bundle.zip"])(
    "follows no link for %s",
    async (path) => {
      const folder = await folderOf();
      const elsewhere = join(await temporaryFolder(), "elsewhere");
      await writeFile(elsewhere, evidence().get(path) ?? "");
      await rm(join(folder, path));
      await symlink(elsewhere, join(folder, path));
      const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
      expect(codesOf(report)).toEqual(["JOIN_EVIDENCE_INVALID"]);
    },
  );

  it("follows no link for a folder of a slot", async () => {
    const folder = await folderOf();
    const elsewhere = join(await temporaryFolder(), "elsewhere");
    await rename(join(folder, "slots/a"), elsewhere);
    await symlink(elsewhere, join(folder, "slots/a"));
    const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
    expect(codesOf(report)).toEqual(["JOIN_EVIDENCE_INVALID"]);
    expect(report.findings.map((one) => one.path)).toEqual(["slots/a/"]);
  });

  it("refuses a folder in the place of a file, and a file over its cap", async () => {
    const folder = await folderOf();
    await rm(join(folder, "slots/a/bundle.zip"));
    await mkdir(join(folder, "slots/a/bundle.zip"));
    await writeFile(join(folder, "slots/a/receipt.json"), Buffer.alloc(70_000, " "));
    const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
    expect(codesOf(report)).toEqual(["JOIN_EVIDENCE_INVALID"]);
    expect(report.findings.map((one) => one.path).sort()).toEqual([
      "slots/a/bundle.zip",
      "slots/a/receipt.json",
    ]);
  });
});

describe("docs/LIBRARY.md", () => {
  const page = readFileSync(join(import.meta.dirname, "../../../docs/LIBRARY.md"), "utf8");

  it("has every option of verifyEvidence, and everything that it resolves to", async () => {
    const options = {
      ...{ folder: 0, clock: 0, policy: 0, expectJob: 0, expectGateway: 0 },
      ...{ strictContent: 0, secondDecoder: 0, decode: 0, decoders: 0, begun: 0 },
    } satisfies Record<keyof VerifyOptions, 0>;
    const rows = page.split("\n").filter((line) => line.startsWith("| `"));
    const named = rows.flatMap((line) => line.split(" | ")[0]?.match(/\w+/g) ?? []);
    expect(Object.keys(options).filter((name) => !named.includes(name))).toEqual([]);
    const verdict = await verifyEvidence({ folder: await folderOf(), clock: systemClock, decoders });
    const resolves = /It resolves to `\{ (.*) \}`/.exec(page)?.[1]?.split(", ");
    expect(resolves?.sort()).toEqual(Object.keys(verdict).sort());
  });
});

describe("exit codes of a report", () => {
  const finding = {
    severity: "undecided",
    blame: "none",
    slot: null,
    frame: null,
    path: "",
    expected: null,
    actual: null,
  } as const;
  it("are 3 only when a retry can help with everything that is in the way", () => {
    const pending = { ...finding, code: "JOIN_SLOT_PENDING" };
    const missing = { ...finding, code: "JOIN_EVIDENCE_MISSING" };
    expect(exitOfReport({ verdict: "undecided", findings: [pending] })).toBe(3);
    expect(exitOfReport({ verdict: "undecided", findings: [pending, missing] })).toBe(4);
    expect(exitOfReport({ verdict: "rejected", findings: [pending] })).toBe(1);
    expect(exitOfReport({ verdict: "accepted", findings: [] })).toBe(0);
  });
});
