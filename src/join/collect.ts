import { z } from "zod";
import type { EvidenceGateway } from "../../contracts/documents/evidence.ts";
import { Job } from "../../contracts/documents/job.ts";
import type { TaskRecord, WellKnown, WorkerRecord } from "../../contracts/documents/records.ts";
import { SlotResult } from "../../contracts/documents/slot-result.ts";
import { SLOTS, type Slot } from "../../contracts/flow.ts";
import { slotTaskId } from "../../contracts/names.ts";
import { WORKER_UUID } from "../../contracts/patterns.ts";
import { SubmitRequest } from "../../contracts/wire/queue.ts";
import { type Clock, timestamp } from "../core/clock.ts";
import { HandoffError } from "../core/error.ts";
import { parseStrict } from "../core/json/parse-strict.ts";
import { narrow, readDocument } from "../core/json/read-document.ts";
import { EvidenceFolder } from "./evidence-folder.ts";
import { slotPath } from "./finding.ts";

/** An answer and the id of the gateway that gave this very answer. */
export interface Answered<T> {
  readonly value: T;
  readonly gatewayId: string;
}

const NamesWorker = z.looseObject({ worker_id: z.unknown().optional(), worker_uuid: z.unknown().optional() });

/** What collect needs of a gateway; an unknown object, receipt or worker is the HandoffError of that wire code. */
export interface EvidenceSource {
  wellKnown(): Promise<Answered<WellKnown>>;
  getWorker(workerUuid: string): Promise<Answered<WorkerRecord>>;
  getJob(jobId: string): Promise<Answered<Buffer>>;
  getTask(taskId: string): Promise<Answered<TaskRecord>>;
  getReceipt(taskId: string): Promise<Answered<Buffer>>;
  getRequest(taskId: string): Promise<Answered<Buffer>>;
  getObject(key: string): Promise<Answered<Buffer>>;
  getBlob(blob: {
    sha256: string;
    path: string;
    maxBytes: number;
    bytes: number | null;
  }): Promise<Answered<unknown>>;
}

export interface CollectOptions {
  readonly client: EvidenceSource;
  readonly jobId: string;
  /** Must not exist; appears when everything is in it. */
  readonly folder: string;
  readonly clock: Clock;
}

/** Slots that are not handed in yet: of those the folder has the task alone, and verify says so. */
export interface Collected {
  readonly pending: readonly Slot[];
}

/**
 * Collects the evidence of a job: every provenance before anything else of its slot, and again after
 * everything, so that a change in between shows. Throws USAGE_OUTPUT_EXISTS, JOIN_COLLECT_FAILED, and what
 * the client throws; then there is no folder.
 */
export async function collectEvidence(options: CollectOptions): Promise<Collected> {
  const folder = await EvidenceFolder.create(options.folder, options.clock);
  try {
    const pending = await new Collector(options, folder).collect();
    await folder.finish();
    return { pending };
  } catch (thrown) {
    await folder.discard();
    throw thrown;
  }
}

class Collector {
  private readonly client: EvidenceSource;
  private readonly jobId: string;
  private readonly clock: Clock;
  private readonly folder: EvidenceFolder;
  private readonly answers: EvidenceGateway["answers"] = [];
  /** Workers that the documents of the slots name. */
  private readonly named = new Set<unknown>();

  constructor(options: CollectOptions, folder: EvidenceFolder) {
    this.client = options.client;
    this.jobId = options.jobId;
    this.clock = options.clock;
    this.folder = folder;
  }

  async collect(): Promise<Slot[]> {
    const wellKnown = await this.client.wellKnown();
    this.answers.push({ path: "well-known", gateway_id: wellKnown.gatewayId });
    const job = await this.client.getJob(this.jobId);
    await this.keep("job.json", job, job.value);
    const done: Slot[] = [];
    for (const slot of SLOTS) if (await this.provenance(slot, "before")) done.push(slot);
    for (const slot of SLOTS) await this.slot(slot, { done: done.includes(slot), jobBytes: job.value });
    for (const slot of done)
      if (!(await this.provenance(slot, "after")))
        throw new HandoffError("JOIN_COLLECT_FAILED", `slot ${slot}`);
    // last, so that a revocation in the meantime is seen
    const workers = await this.workers();
    await this.folder.writeDocument("gateway.json", {
      schema: "render_handoff.evidence_gateway.v1",
      fetched_at: this.now(),
      well_known: wellKnown.value,
      workers,
      answers: this.answers,
    } satisfies EvidenceGateway);
    return SLOTS.filter((slot) => !done.includes(slot));
  }

  /** The envelope's own bytes stand in the file as they came; false when there is no such object yet. */
  private async provenance(slot: Slot, when: "before" | "after"): Promise<boolean> {
    const answer = await unlessUnknown("object_unknown", () =>
      this.client.getObject(slotTaskId(this.jobId, slot)),
    );
    if (answer === null) return false;
    try {
      this.noteWorker(parseStrict(answer.value));
    } catch (cause) {
      throw new HandoffError("GATEWAY_RESPONSE_INVALID", "An object is no JSON.", { cause });
    }
    const [head, tail] = [
      `{"gateway_id":${JSON.stringify(answer.gatewayId)},"fetched_at":"${this.now()}","envelope":`,
      "}",
    ];
    const bytes = Buffer.concat([Buffer.from(head), answer.value, Buffer.from(tail)]);
    await this.folder.write(slotPath(slot, `provenance.${when}.json`), bytes);
    return true;
  }

  private async slot(slot: Slot, state: { done: boolean; jobBytes: Buffer }): Promise<void> {
    const taskId = slotTaskId(this.jobId, slot);
    const task = await this.client.getTask(taskId);
    const answered = { path: slotPath(slot, "task.json"), gateway_id: task.gatewayId };
    this.answers.push(answered);
    await this.folder.writeDocument(answered.path, task.value);
    this.named.add(task.value.worker_id);
    if (!state.done) {
      // handed in between the two looks: the order of the reads would not hold
      if (task.value.state === "done")
        throw new HandoffError("JOIN_COLLECT_FAILED", `Slot ${slot} was handed in meanwhile.`);
      return;
    }
    const receipt = await this.needed(slot, () => this.client.getReceipt(taskId));
    await this.keep(slotPath(slot, "receipt.json"), receipt, receipt.value);
    const request = await this.needed(slot, () => this.client.getRequest(taskId));
    await this.keep(slotPath(slot, "request.json"), request, request.value);
    await this.bundle(slot, { request: request.value, jobBytes: state.jobBytes });
  }

  /** The bundle that the request names, within the job's cap; verify says what is wrong where it names none. */
  private async bundle(slot: Slot, from: { request: Buffer; jobBytes: Buffer }): Promise<void> {
    const request = readDocument(SubmitRequest, from.request);
    const result = request.ok ? narrow(SlotResult, request.value.result) : null;
    const job = readDocument(Job, from.jobBytes);
    if (result?.ok !== true || !job.ok) return;
    const { sha256, bytes } = result.value.bundle;
    const maxBytes = job.value.limits.bundle_bytes;
    if (bytes > maxBytes) return;
    const path = slotPath(slot, "bundle.zip");
    const target = await this.folder.target(path);
    const answer = await this.client.getBlob({ sha256, path: target, maxBytes, bytes });
    this.answers.push({ path, gateway_id: answer.gatewayId });
    this.folder.add({ path, sha256, bytes });
  }

  private async keep(path: string, { gatewayId }: Answered<unknown>, bytes: Buffer): Promise<void> {
    this.answers.push({ path, gateway_id: gatewayId });
    await this.folder.write(path, bytes);
    const read = readDocument(NamesWorker, bytes);
    if (read.ok) this.noteWorker(read.value);
  }

  /** The records of the workers that were named; an id that was never issued has none, and verify says so. */
  private async workers(): Promise<WorkerRecord[]> {
    const records: WorkerRecord[] = [];
    for (const id of this.named) {
      if (typeof id !== "string" || !WORKER_UUID.test(id)) continue;
      const answer = await unlessUnknown("worker_unknown", () => this.client.getWorker(id));
      if (answer === null) continue;
      this.answers.push({ path: "workers", gateway_id: answer.gatewayId });
      records.push(answer.value);
    }
    return records;
  }

  /** Receipt and request call a worker `worker_id`, an envelope `worker_uuid`. */
  private noteWorker(document: unknown): void {
    const read = narrow(NamesWorker, document);
    if (read.ok) for (const id of [read.value.worker_id, read.value.worker_uuid]) this.named.add(id);
  }

  /** A receipt that is gone means that the slot was reopened since its provenance was read. */
  private async needed(slot: Slot, read: () => Promise<Answered<Buffer>>): Promise<Answered<Buffer>> {
    const answer = await unlessUnknown("receipt_unknown", read);
    if (answer === null)
      throw new HandoffError("JOIN_COLLECT_FAILED", `Slot ${slot} was reopened meanwhile.`);
    return answer;
  }

  private readonly now = (): string => timestamp(this.clock.wallSeconds());
}

async function unlessUnknown<T>(
  code: "object_unknown" | "receipt_unknown" | "worker_unknown",
  read: () => Promise<T>,
): Promise<T | null> {
  try {
    return await read();
  } catch (thrown) {
    if (thrown instanceof HandoffError && thrown.code === code) return null;
    throw thrown;
  }
}
