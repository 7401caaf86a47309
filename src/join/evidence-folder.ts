import { mkdir, rename, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { EvidenceIndex } from "../../contracts/documents/evidence.ts";
import { EVIDENCE_INDEX } from "../../contracts/evidence-files.ts";
import { TOOL_VERSION } from "../../contracts/version.ts";
import { type Clock, timestamp } from "../core/clock.ts";
import { sha256 } from "../core/digest.ts";
import { HandoffError, systemCode } from "../core/error.ts";
import { syncFolder, writeDurable } from "../core/files/write-durable.ts";
import { canonicalBytes } from "../core/json/canonical.ts";
import { exists } from "./path-exists.ts";
import { removeUnfinished } from "./remove-unfinished.ts";

type Entry = EvidenceIndex["files"][number];

/** An evidence folder in the making, under another name until evidence.json is in it. */
export class EvidenceFolder {
  private readonly folder: string;
  private readonly temporary: string;
  /** Where the folder is; it gets its name at the end. */
  private at: string;
  private readonly clock: Clock;
  private readonly entries: Entry[] = [];

  private constructor(folder: string, clock: Clock) {
    this.folder = folder;
    this.clock = clock;
    this.temporary = join(dirname(folder), `.${basename(folder)}.${clock.uuid()}.partial`);
    this.at = this.temporary;
  }

  /** Throws USAGE_OUTPUT_EXISTS; JOIN_COLLECT_FAILED where the folder cannot be made. */
  static async create(folder: string, clock: Clock): Promise<EvidenceFolder> {
    if (await exists(folder, "JOIN_COLLECT_FAILED")) throw new HandoffError("USAGE_OUTPUT_EXISTS", folder);
    const made = new EvidenceFolder(folder, clock);
    await guarded(() => mkdir(made.temporary, { recursive: true }));
    return made;
  }

  async write(path: string, bytes: Buffer): Promise<void> {
    const target = await this.target(path);
    await guarded(() => writeFile(target, bytes, { flag: "wx", flush: true }));
    this.add({ path, sha256: sha256(bytes), bytes: bytes.length });
  }

  async writeDocument(path: string, value: unknown): Promise<void> {
    await this.write(path, canonicalBytes(value));
  }

  /** Where a file is to be written by someone else, who then adds its entry. */
  async target(path: string): Promise<string> {
    const target = join(this.temporary, path);
    await guarded(() => mkdir(dirname(target), { recursive: true }));
    return target;
  }

  add(entry: Entry): void {
    this.entries.push(entry);
  }

  /** evidence.json last; then the folder gets its name, durably. */
  async finish(): Promise<void> {
    const index: EvidenceIndex = {
      schema: "render_handoff.evidence.v1",
      collected_at: timestamp(this.clock.wallSeconds()),
      tool_version: TOOL_VERSION,
      files: this.entries.toSorted((left, right) => (left.path < right.path ? -1 : 1)),
    };
    await guarded(async () => {
      for (const path of new Set(index.files.map((file) => dirname(join(this.temporary, file.path)))))
        await syncFolder(path);
      await writeDurable(join(this.temporary, EVIDENCE_INDEX), canonicalBytes(index));
      await rename(this.temporary, this.folder);
      this.at = this.folder;
      await syncFolder(dirname(this.folder));
    });
  }

  async discard(): Promise<void> {
    await removeUnfinished(this.at);
  }
}

async function guarded<T>(action: () => Promise<T>): Promise<T> {
  try {
    return await action();
  } catch (thrown) {
    if (systemCode(thrown) === undefined) throw thrown;
    throw new HandoffError("JOIN_COLLECT_FAILED", String(systemCode(thrown)), { cause: thrown });
  }
}
