import { mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { Finding, JoinReport } from "../../contracts/documents/join-report.ts";
import type { Clock } from "../core/clock.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { readCapped } from "../core/files/read-capped.ts";
import { syncFolder } from "../core/files/write-durable.ts";
import { exists } from "./path-exists.ts";
import { removeUnfinished } from "./remove-unfinished.ts";
import type { EvidenceVerdict } from "./verdict.ts";

export interface AssembleOptions {
  /** What verifyEvidence returned. */
  readonly verdict: EvidenceVerdict;
  /** Must not exist; appears whole or not at all. */
  readonly out: string;
  readonly clock: Clock;
}

export type Assembled =
  | {
      readonly ok: true;
      readonly folder: string;
      readonly files: readonly string[];
      readonly report: JoinReport;
    }
  /** Nothing was assembled: the evidence was not accepted, or the second decoder sees other pixels. */
  | { readonly ok: false; readonly report: JoinReport };

export const SUMS_FILE = "SHA256SUMS";
export const REPORT_FILE = "join-report.json";
export const SHEET_FILE = "contact-sheet.png";

/**
 * Writes the frames of accepted evidence, their sums, the report and a contact sheet into a folder beside
 * the output path, reads them back, and gives the folder its name. On any failure nothing is left there.
 * Throws USAGE_OUTPUT_EXISTS, JOIN_ASSEMBLE_FAILED, JOIN_READBACK_FAILED.
 */
export async function assemble(options: AssembleOptions): Promise<Assembled> {
  const { verdict, out, clock } = options;
  await refuseExisting(out);
  const { report, accepted } = verdict;
  if (accepted === null) return { ok: false, report };
  const temporary = join(dirname(out), `.${basename(out)}.${clock.uuid()}.partial`);
  try {
    return await guarded(async () => {
      await mkdir(temporary, { recursive: true });
      const { drawSequence } = await import("./draw/draw-sequence.ts"); // a verdict alone needs no pictures
      const drawn = await drawSequence({ accepted, folder: temporary, clock });
      if (!drawn.ok) return { ok: false, report: rejected(report, drawn.findings) };
      const sums = accepted.frames.map((frame) => `${frame.sha256}  ${frame.member}\n`).join("");
      const made = new Map<string, Uint8Array>([
        [SUMS_FILE, Buffer.from(sums)],
        [REPORT_FILE, Buffer.from(`${JSON.stringify(report, null, 2)}\n`)],
        [SHEET_FILE, drawn.sheet],
      ]);
      for (const [name, bytes] of made)
        await writeFile(join(temporary, name), bytes, { flag: "wx", flush: true });
      const expected = new Map([...made].map(([name, bytes]) => [name, sha256(bytes)]));
      for (const frame of accepted.frames) expected.set(frame.member, frame.sha256);
      await readBack(temporary, expected);
      await syncFolder(temporary);
      await refuseExisting(out);
      await rename(temporary, out);
      await syncFolder(dirname(out));
      return { ok: true, folder: out, files: [...expected.keys()].sort(), report };
    });
  } finally {
    await removeUnfinished(temporary);
  }
}

async function refuseExisting(out: string): Promise<void> {
  if (await exists(out, "JOIN_ASSEMBLE_FAILED")) throw new HandoffError("USAGE_OUTPUT_EXISTS", out);
}

const rejected = (report: JoinReport, findings: readonly Finding[]): JoinReport => ({
  ...report,
  verdict: "rejected",
  findings: [...report.findings, ...findings],
});

/** What lies on the disk is counted and hashed; nothing but the product is there. */
export async function readBack(folder: string, expected: ReadonlyMap<string, string>): Promise<void> {
  const names = (await readdir(folder)).sort();
  const wanted = [...expected.keys()].sort();
  if (names.join("\n") !== wanted.join("\n"))
    throw new HandoffError("JOIN_READBACK_FAILED", `${names.length} files instead of ${wanted.length}.`);
  for (const [name, digest] of expected) {
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
