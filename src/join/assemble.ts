import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Finding, JoinReport } from "../../contracts/documents/join-report.ts";
import type { Clock } from "../core/clock.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { syncFolder } from "../core/files/write-durable.ts";
import type { SheetFrame } from "./draw/contact-sheet.ts";
import { exists } from "./path-exists.ts";
import { removeUnfinished } from "./remove-unfinished.ts";
import type { Picture } from "./report/page/page.ts";
import { reportText } from "./report/report-text.ts";
import type { Origin } from "./report/reproduce.ts";
import type { EvidenceVerdict, VerifiedFrames } from "./verdict.ts";

export interface AssembleOptions {
  /** What verifyEvidence returned. */
  readonly verdict: EvidenceVerdict;
  /** Must not exist; appears whole or not at all. */
  readonly out: string;
  /** What the page says of where the evidence is. */
  readonly origin?: Origin;
  readonly clock: Clock;
  /** Ends it early, with the signal's reason: then nothing is left there either. */
  readonly signal?: AbortSignal;
}

export type Assembled =
  | {
      readonly ok: true;
      readonly folder: string;
      readonly files: readonly string[];
      readonly report: JoinReport;
      /** Thumbnails by frame, for a page elsewhere. */
      readonly pictures: ReadonlyMap<number, Picture>;
    }
  /** Nothing was assembled: the evidence was not accepted, or the second decoder sees other pixels. */
  | { readonly ok: false; readonly report: JoinReport };

export const SUMS_FILE = "SHA256SUMS";
export const REPORT_FILE = "join-report.json";
export const SHEET_FILE = "contact-sheet.png";
export const PREVIEW_FILE = "preview.png";
export const PAGE_FILE = "report.html";

/**
 * Writes the frames of accepted evidence, their sums, the report (JSON and a page), a contact sheet and an
 * animated preview into a folder beside the output path, reads them back, and gives the folder its name. On any failure nothing is left there.
 * Throws USAGE_OUTPUT_EXISTS, JOIN_ASSEMBLE_FAILED, JOIN_READBACK_FAILED.
 */
export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const { verdict, out, clock, signal } = options;
  await refuseExisting(out);
  const { report, accepted } = verdict;
  const origin: Origin = { evidence: null, given: verdict.given, ...options.origin };
  if (accepted === null) return { ok: false, report };
  const temporary = join(dirname(out), `.${basename(out)}.${clock.uuid()}.partial`);
  let unfinished: string | null = temporary;
  try {
    return await guarded(async () => {
      await mkdir(temporary, { recursive: true });
      // a verdict alone needs no pictures
      const { drawSequence } = await import("./draw/draw-sequence.ts");
      const { thumbnails, findings } = await drawSequence({
        verified: accepted,
        folder: temporary,
        clock,
        signal,
      });
      if (findings.length > 0) return { ok: false, report: rejectedBy(report, findings) };
      const { picturesOf } = await import("./report/picture.ts");
      const pictures = picturesOf(thumbnails, accepted);
      const product = { accepted, report, origin, thumbnails, pictures };
      const expected = await writeProduct(product, temporary, signal);
      await readBack(temporary, expected, signal);
      await syncFolder(temporary);
      signal?.throwIfAborted();
      await refuseExisting(out);
      await rename(temporary, out);
      unfinished = out;
      await syncFolder(dirname(out));
      unfinished = null;
      return { ok: true, folder: out, files: [...expected.keys()].sort(), report, pictures };
    });
  } finally {
    if (unfinished !== null) await removeUnfinished(unfinished);
  }
}

async function refuseExisting(out: string): Promise<void> {
  if (await exists(out, "JOIN_ASSEMBLE_FAILED")) throw new HandoffError("USAGE_OUTPUT_EXISTS", out);
}

/** The report when the second decoder sees other pixels. */
export const rejectedBy = (report: JoinReport, findings: readonly Finding[]): JoinReport => ({
  ...report,
  verdict: "rejected",
  findings: [...report.findings, ...findings],
});

interface Product {
  readonly accepted: VerifiedFrames;
  readonly report: JoinReport;
  readonly origin: Origin;
  readonly thumbnails: readonly SheetFrame[];
  readonly pictures: ReadonlyMap<number, Picture>;
}

/** Writes everything beside the frames, which lie in `folder` already; the digests of all files by name. */
async function writeProduct(
  product: Product,
  folder: string,
  signal?: AbortSignal,
): Promise<Map<string, string>> {
  const { accepted, report, origin, thumbnails, pictures } = product;
  const { contactSheet } = await import("./draw/contact-sheet.ts");
  const { writePreview } = await import("./draw/write-preview.ts");
  const { renderPage } = await import("./report/page/page.ts");
  const members = accepted.frames.map((frame) => frame.member);
  const named = [PREVIEW_FILE, SHEET_FILE, REPORT_FILE, SUMS_FILE];
  const beside = [...named, ...(members.length > 60 ? [] : members)];
  const sums = accepted.frames.map((frame) => `${frame.sha256}  ${frame.member}\n`).join("");
  const made = new Map<string, Uint8Array>([
    [SUMS_FILE, Buffer.from(sums)],
    [REPORT_FILE, Buffer.from(reportText(report))],
    [SHEET_FILE, contactSheet(thumbnails)],
    [PAGE_FILE, Buffer.from(renderPage({ report, pictures, origin, beside }))],
  ]);
  for (const [name, bytes] of made) await writeFile(join(folder, name), bytes, { flag: "wx", flush: true });
  return new Map([
    ...[...made].map(([name, bytes]) => [name, sha256(bytes)] as const),
    ...accepted.frames.map((frame) => [frame.member, frame.sha256] as const),
    [PREVIEW_FILE, await writePreview({ folder, name: PREVIEW_FILE, verified: accepted, signal })] as const,
  ]);
}

/** What lies on the disk is counted and hashed; nothing but the product is there. */
export async function readBack(
  folder: string,
  expected: ReadonlyMap<string, string>,
  signal?: AbortSignal,
): Promise<void> {
  const names = (await readdir(folder)).sort();
  const wanted = [...expected.keys()].sort();
  if (names.join("\n") !== wanted.join("\n"))
    throw new HandoffError("JOIN_READBACK_FAILED", `${names.length} files instead of ${wanted.length}.`);
  for (const [name, digest] of expected) {
    signal?.throwIfAborted();
    const read = await readCapped(join(folder, name), Number.MAX_SAFE_INTEGER);
    if (!read.ok || sha256(read.bytes) !== digest) throw new HandoffError("JOIN_READBACK_FAILED", name);
  }
}

async function guarded<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    const code = systemCode(thrown);
    if (thrown instanceof HandoffError || code === undefined) throw thrown;
    throw new HandoffError("JOIN_ASSEMBLE_FAILED", code, { cause: thrown });
  }
}
