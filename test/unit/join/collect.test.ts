import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { EvidenceGateway } from "../../../contracts/documents/evidence.ts";
import { TaskRecord } from "../../../contracts/documents/records.ts";
import type { Changes } from "../../../fixtures/evidence-maker/changes.ts";
import { goodGateway, PEOPLE } from "../../../fixtures/evidence-maker/documents.ts";
import { evidence } from "../../../fixtures/evidence-maker/good.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { collectEvidence, type EvidenceSource } from "../../../src/join/collect.ts";
import { exitOfReport } from "../../../src/join/report/exit-of-report.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { sharedDecoders } from "./folder-of.ts";

const decoders = sharedDecoders();

type Answers = { [K in keyof EvidenceSource]?: EvidenceSource[K] };

/** A gateway that answers out of a good case, and the order of what it was asked. */
function source(changes: Changes = {}, instead: Answers = {}): { client: EvidenceSource; asked: string[] } {
  const files = evidence(changes);
  const asked: string[] = [];
  const looks = new Map<string, number>();
  const bytesOf = (path: string): Buffer => files.get(path) ?? Buffer.alloc(0);
  const slotOf = (task: string): string => task.slice(-1);
  const answer = <T>(what: string, value: T): Promise<{ value: T; gatewayId: string }> => {
    asked.push(what);
    return Promise.resolve({ value, gatewayId: PEOPLE.gateway });
  };
  const gateway = goodGateway();
  const client: EvidenceSource = {
    wellKnown: () => answer("well-known", gateway.well_known),
    getWorker: (id) => {
      const record = gateway.workers.find((one) => one.worker_uuid === id);
      return record === undefined ? unknown("worker_unknown")() : answer(`worker ${id}`, record);
    },
    getJob: () => answer("job", bytesOf("job.json")),
    getTask: (id) =>
      answer(`task ${id}`, TaskRecord.parse(JSON.parse(String(bytesOf(`slots/${slotOf(id)}/task.json`))))),
    getReceipt: (id) => answer(`receipt ${id}`, bytesOf(`slots/${slotOf(id)}/receipt.json`)),
    getRequest: (id) => answer(`request ${id}`, bytesOf(`slots/${slotOf(id)}/request.json`)),
    getObject: (id) => {
      const look = looks.get(id) ?? 0;
      looks.set(id, look + 1);
      const when = look === 0 ? "before" : "after";
      const { envelope } = JSON.parse(String(bytesOf(`slots/${slotOf(id)}/provenance.${when}.json`)));
      return answer(`${when} ${id}`, Buffer.from(JSON.stringify(envelope, null, 2)));
    },
    getBlob: async ({ path, sha256 }) => {
      const slot = path.includes("/slots/a/") ? "a" : "b";
      await writeFile(path, bytesOf(`slots/${slot}/bundle.zip`));
      return answer(`bundle dusk.${slot}`, sha256);
    },
    ...instead,
  };
  return { client, asked };
}
const unknown = (code: "object_unknown" | "receipt_unknown" | "worker_unknown") => () =>
  Promise.reject(new HandoffError(code));
const gatewayOf = async (folder: string): Promise<EvidenceGateway> =>
  EvidenceGateway.parse(JSON.parse(await readFile(join(folder, "gateway.json"), "utf8")));
const target = async (): Promise<string> => join(await temporaryFolder(), "evidence");
const collect = (client: EvidenceSource, folder: string) =>
  collectEvidence({ client, jobId: "dusk", folder, clock: systemClock });
async function failure(action: Promise<unknown>): Promise<string> {
  const thrown: unknown = await action.then(
    () => null,
    (reason: unknown) => reason,
  );
  return thrown instanceof HandoffError ? thrown.code : String(thrown);
}

describe("collectEvidence", () => {
  it("leaves a folder that is accepted, with nothing beside it", async () => {
    const folder = await target();
    expect(await collect(source().client, folder)).toEqual({ pending: [] });
    const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
    expect([report.verdict, report.findings]).toEqual(["accepted", []]);
    expect(await readdir(dirname(folder))).toEqual(["evidence"]);
  });

  it("reads every provenance before and after everything else, slot by slot", async () => {
    const { client, asked } = source();
    await collect(client, await target());
    const ofSlot = (slot: string): string[] =>
      ["task", "receipt", "request", "bundle"].map((what) => `${what} dusk.${slot}`);
    expect(asked).toEqual([
      "well-known",
      "job",
      "before dusk.a",
      "before dusk.b",
      ...ofSlot("a"),
      ...ofSlot("b"),
      "after dusk.a",
      "after dusk.b",
      `worker ${PEOPLE.a.worker_uuid}`,
      `worker ${PEOPLE.b.worker_uuid}`,
    ]);
  });

  it("keeps job, receipt, request and envelope as the bytes that came", async () => {
    const folder = await target();
    await collect(source().client, folder);
    for (const path of ["job.json", "slots/a/receipt.json", "slots/b/request.json"])
      expect(await readFile(join(folder, path))).toEqual(evidence().get(path));
    expect(await readFile(join(folder, "slots/a/provenance.before.json"), "utf8")).toContain(
      '\n  "object_key": ',
    );
  });

  it("has no record of a worker that was never issued, nor of one that is none, and verify rejects", async () => {
    const folder = await target();
    const b: Changes["b"] = { task: (task) => (task.worker_id = PEOPLE.stranger) };
    await collect(source({ b }).client, folder);
    expect((await gatewayOf(folder)).workers.map((one) => one.worker_uuid)).toEqual([
      PEOPLE.a.worker_uuid,
      PEOPLE.b.worker_uuid,
    ]);
    const nobody = await target();
    await collect(source({}, { getWorker: unknown("worker_unknown") }).client, nobody);
    expect((await gatewayOf(nobody)).workers).toEqual([]);
    const { report } = await verifyEvidence({ folder: nobody, clock: systemClock, decoders });
    expect(report.findings.map((one) => one.code)).toEqual(["JOIN_WORKER_INVALID", "JOIN_WORKER_INVALID"]);
  });

  it("makes a slot that is not handed in undecided, worth a retry", async () => {
    const b: Changes["b"] = { task: (task) => (task.state = "leased") };
    const { client } = source({ b });
    const { getObject } = client;
    const missing = unknown("object_unknown");
    const folder = await target();
    const some: EvidenceSource = {
      ...client,
      getObject: (id) => (id.endsWith("b") ? missing() : getObject(id)),
    };
    expect(await collect(some, folder)).toEqual({ pending: ["b"] });
    const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
    expect(report.findings.map((one) => [one.code, one.slot])).toEqual([["JOIN_SLOT_PENDING", "b"]]);
    expect(exitOfReport(report)).toBe(3);
  });

  it("notices that another gateway gave one of the answers", async () => {
    const { client } = source();
    const folder = await target();
    const { getReceipt } = client;
    const mixed: EvidenceSource = {
      ...client,
      getReceipt: async (id) => ({ ...(await getReceipt(id)), gatewayId: PEOPLE.otherGateway }),
    };
    await collect(mixed, folder);
    const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
    expect(report.findings.map((one) => one.code)).toEqual(["JOIN_GATEWAY_MIXED", "JOIN_GATEWAY_MIXED"]);
  });

  it("asks for no bundle where the request names none, or one over the job's cap", async () => {
    for (const changes of [
      { b: { request: () => Buffer.from("{}") } },
      { job: (job) => (job.limits.bundle_bytes = 100) },
    ] satisfies Changes[]) {
      const { client, asked } = source(changes);
      const folder = await target();
      await collect(client, folder);
      expect(asked).not.toContain("bundle dusk.b");
      const { report } = await verifyEvidence({ folder, clock: systemClock, decoders });
      expect(report.verdict).not.toBe("accepted");
    }
  });

  it.each([
    ["a receipt that is gone", { getReceipt: unknown("receipt_unknown") }, "JOIN_COLLECT_FAILED"],
    ["a slot handed in between the looks", { getObject: unknown("object_unknown") }, "JOIN_COLLECT_FAILED"],
    [
      "an object that is no JSON",
      { getObject: () => Promise.resolve({ value: Buffer.from("{,}"), gatewayId: PEOPLE.gateway }) },
      "GATEWAY_RESPONSE_INVALID",
    ],
    [
      "a gateway that stops answering",
      { getWorker: () => Promise.reject(new HandoffError("GATEWAY_UNREACHABLE")) },
      "GATEWAY_UNREACHABLE",
    ],
  ] satisfies [string, Answers, string][])("leaves nothing after %s", async (_what, instead, code) => {
    const folder = await target();
    expect(await failure(collect(source({}, instead).client, folder))).toBe(code);
    expect(await readdir(dirname(folder))).toEqual([]);
  });

  it("refuses a folder that is there and one that cannot be made", async () => {
    const folder = await target();
    await mkdir(folder);
    expect(await failure(collect(source().client, folder))).toBe("USAGE_OUTPUT_EXISTS");
    await writeFile(join(folder, "file"), "");
    expect(await failure(collect(source().client, join(folder, "file", "evidence")))).toBe(
      "JOIN_COLLECT_FAILED",
    );
  });
});
