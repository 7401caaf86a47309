import type { CheckReport } from "../../../contracts/documents/upkeep.ts";
import { HandoffError } from "../../core/error.ts";
import type { JobRow, ObjectRow, ReceiptRow, TaskRow, VerdictRow } from "../queue/rows.ts";
import type { ReadRows } from "../queue/store.ts";
import { checkBlob } from "./check-blob.ts";
import { checkReceipt } from "./check-receipt.ts";
import { checkJob, checkObject, checkTask } from "./check-rows.ts";
import { checkVerdict } from "./check-verdict.ts";
import { Findings } from "./findings.ts";
import { type DataOptions, type OpenedData, openData } from "./open-data.ts";

export interface CheckOptions extends DataOptions {
  /** Look for blobs in their size only, without reading them. */
  readonly quick: boolean;
}

const PAGE = 200;

/**
 * Computes everything again that a gateway's data can be held to: receipts, objects, jobs, fences,
 * references, blobs, and what the database says of itself. Changes nothing. Throws as openData does.
 */
export async function checkGateway(options: CheckOptions): Promise<CheckReport> {
  const findings = new Findings();
  const checked = { tasks: 0, jobs: 0, receipts: 0, objects: 0, verdicts: 0, blobs: 0, blob_bytes: 0 };
  let gatewayId = "";
  const data = await openData(options);
  try {
    for (const line of await data.store.read((rows) => rows.integrity()))
      findings.add("CHECK_DATABASE", "database", { actual: line });
    gatewayId = await data.store.read((rows) => rows.meta("gateway_id"));
    await checkTables(data, checked, findings);
    await checkBlobs(data, options.quick, checked, findings);
  } catch (thrown) {
    // a page that cannot be read is a finding; the rest cannot be trusted to be reached
    if (!(thrown instanceof HandoffError) || thrown.code !== "GATEWAY_DATA_INVALID") throw thrown;
    findings.add("CHECK_DATABASE", "database", { actual: thrown.message });
  } finally {
    await data.close();
  }
  return {
    schema: "render_handoff.check_report.v1",
    gateway_id: gatewayId,
    ok: findings.listed.length === 0,
    checked,
    findings: findings.listed,
    findings_left_out: findings.leftOut,
  };
}

type Checked = CheckReport["checked"];

async function checkTables(data: OpenedData, checked: Checked, findings: Findings): Promise<void> {
  const all = { state: null, slot: null, jobId: null, newestFirst: false, limit: PAGE };
  checked.jobs = await pages<JobRow>(data, {
    read: (rows, last) => rows.jobsAfter(last?.jobId ?? "", PAGE),
    check: (rows, row) => checkJob(rows, row, findings),
  });
  checked.tasks = await pages<TaskRow>(data, {
    read: async (rows, last) => rows.tasks({ ...all, after: last?.taskId ?? null }, await rows.now()),
    check: (rows, row) => checkTask(rows, row, findings),
  });
  checked.receipts = await pages<ReceiptRow & { fence: number }>(data, {
    read: (rows, last) => rows.receiptsAfter(last ?? { taskId: "", version: 0 }, PAGE),
    check: (rows, row) => checkReceipt(rows, row, findings),
  });
  checked.objects = await pages<ObjectRow>(data, {
    read: (rows, last) => rows.objectsAfter(last ?? { key: "", version: 0 }, PAGE),
    check: (rows, row) => checkObject(rows, row, findings),
  });
  checked.verdicts = await pages<VerdictRow>(data, {
    read: (rows, last) => rows.verdictsAfter(last ?? { key: "", version: 0 }, PAGE),
    check: (rows, row) => checkVerdict(rows, row, findings),
  });
  for (const place of await data.store.read((rows) => rows.claimsAhead(PAGE)))
    findings.add("CHECK_FENCE", `claim ${place}`);
  for (const place of await data.store.read((rows) => rows.edgesOfNothing(PAGE)))
    findings.add("CHECK_EDGE", `edge of ${place}`, { expected: "a verdict", actual: "none" });
}

async function checkBlobs(
  data: OpenedData,
  quick: boolean,
  checked: Checked,
  findings: Findings,
): Promise<void> {
  for (let last = ""; ; ) {
    const page = await data.store.read((rows) => rows.blobsAfter(last, PAGE));
    for (const blob of page) checked.blob_bytes += await checkBlob(data, blob, { quick, findings });
    checked.blobs += page.length;
    if (page.length < PAGE) return;
    last = page.at(-1)?.sha256 ?? "";
  }
}

interface Pages<T> {
  readonly read: (rows: ReadRows, last: T | null) => Promise<readonly T[]>;
  readonly check: (rows: ReadRows, row: T) => Promise<void>;
}

/** Reads and checks row by row; each page in one transaction, so that its rows are of one moment. */
async function pages<T>({ store }: OpenedData, { read, check }: Pages<T>): Promise<number> {
  let count = 0;
  for (let last: T | null = null; ; ) {
    const page: readonly T[] = await store.read(async (rows) => {
      const found = await read(rows, last);
      for (const row of found) await check(rows, row);
      return found;
    });
    count += page.length;
    if (page.length < PAGE) return count;
    last = page.at(-1) ?? null;
  }
}
