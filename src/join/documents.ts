import type { z } from "zod";
import type { BundleManifest } from "../../contracts/documents/bundle-manifest.ts";
import type { EvidenceGateway, EvidenceIndex, ProvenanceRead } from "../../contracts/documents/evidence.ts";
import type { Job } from "../../contracts/documents/job.ts";
import type { ObjectEnvelope } from "../../contracts/documents/object.ts";
import type { Receipt } from "../../contracts/documents/receipt.ts";
import type { TaskRecord } from "../../contracts/documents/records.ts";
import type { SlotResult } from "../../contracts/documents/slot-result.ts";
import type { SlotTask } from "../../contracts/documents/slot-task.ts";
import type { SubmitRequest } from "../../contracts/wire/queue.ts";
import type { Guard } from "../core/json/guards.ts";
import { type DocumentRead, narrow, readJson } from "../core/json/read-document.ts";
import {
  guardBundleManifest,
  guardEvidenceGateway,
  guardEvidenceIndex,
  guardJob,
  guardObjectEnvelope,
  guardProvenanceRead,
  guardReceipt,
  guardSlotResult,
  guardSlotTask,
  guardSubmitRequest,
  guardTaskRecord,
} from "./guards.ts";

/**
 * A document that a verdict reads. What its guard passes needs no schema: loading the schemas takes longer than
 * decoding six frames, and good evidence is the rule. All else its schema judges.
 */
export interface Kind<T> {
  readonly guard: Guard;
  schema(): Promise<z.ZodType<T>>;
}

export const KIND = {
  bundleManifest: kind<BundleManifest>(guardBundleManifest, async () => {
    return (await import("../../contracts/documents/bundle-manifest.ts")).BundleManifest;
  }),
  evidenceGateway: kind<EvidenceGateway>(guardEvidenceGateway, async () => {
    return (await import("../../contracts/documents/evidence.ts")).EvidenceGateway;
  }),
  evidenceIndex: kind<EvidenceIndex>(guardEvidenceIndex, async () => {
    return (await import("../../contracts/documents/evidence.ts")).EvidenceIndex;
  }),
  job: kind<Job>(guardJob, async () => (await import("../../contracts/documents/job.ts")).Job),
  objectEnvelope: kind<ObjectEnvelope>(guardObjectEnvelope, async () => {
    return (await import("../../contracts/documents/object.ts")).ObjectEnvelope;
  }),
  provenanceRead: kind<ProvenanceRead>(guardProvenanceRead, async () => {
    return (await import("../../contracts/documents/evidence.ts")).ProvenanceRead;
  }),
  receipt: kind<Receipt>(
    guardReceipt,
    async () => (await import("../../contracts/documents/receipt.ts")).Receipt,
  ),
  slotResult: kind<SlotResult>(guardSlotResult, async () => {
    return (await import("../../contracts/documents/slot-result.ts")).SlotResult;
  }),
  slotTask: kind<SlotTask>(guardSlotTask, async () => {
    return (await import("../../contracts/documents/slot-task.ts")).SlotTask;
  }),
  submitRequest: kind<SubmitRequest>(guardSubmitRequest, async () => {
    return (await import("../../contracts/wire/queue.ts")).SubmitRequest;
  }),
  taskRecord: kind<TaskRecord>(guardTaskRecord, async () => {
    return (await import("../../contracts/documents/records.ts")).TaskRecord;
  }),
};

function kind<T>(guard: Guard, schema: () => Promise<z.ZodType<T>>): Kind<T> {
  return { guard, schema };
}

/** Narrows attacker-controlled bytes to a document, once, at the edge; never throws for their content. */
export async function readKind<T>(of: Kind<T>, bytes: Uint8Array): Promise<DocumentRead<T>> {
  const read = readJson(bytes);
  return read.ok ? narrowKind(of, read.value) : read;
}

export async function narrowKind<T>(of: Kind<T>, value: unknown): Promise<DocumentRead<T>> {
  return passes(of, value) ? { ok: true, value } : narrow(await of.schema(), value);
}

const passes = <T>(of: Kind<T>, value: unknown): value is T => of.guard(value);
