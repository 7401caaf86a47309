import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { expect, test, vi } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { HandoffError } from "../../../src/core/error.ts";
import { assemble } from "../../../src/join/assemble.ts";
import { EvidenceFolder } from "../../../src/join/evidence-folder.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf, sharedDecoders } from "./folder-of.ts";

/** A parent that can be written to and not read cannot be flushed; for root there is none, so one is made up. */
vi.mock("../../../src/core/files/write-durable.ts", async (original) => {
  const real = await original<typeof import("../../../src/core/files/write-durable.ts")>();
  return {
    ...real,
    syncFolder: async (folder: string) => {
      if (folder.endsWith("unreadable")) throw Object.assign(new Error("no"), { code: "EACCES" });
      await real.syncFolder(folder);
    },
  };
});

const decoders = sharedDecoders();
const target = async (): Promise<string> => join(await temporaryFolder(), "unreadable", "out");
const codeOf = (thrown: unknown): unknown => (thrown instanceof HandoffError ? thrown.code : thrown);

test("a collected folder whose name cannot be made durable is a failure with its code, and is gone", async () => {
  const out = await target();
  const folder = await EvidenceFolder.create(out, systemClock);
  expect(await folder.finish().catch(codeOf)).toBe("JOIN_COLLECT_FAILED");
  await folder.discard();
  expect(await readdir(dirname(out))).toEqual([]);
});

test("an assembled folder whose name cannot be made durable is a failure with its code, and is gone", async () => {
  const out = await target();
  const verdict = await verifyEvidence({ folder: await folderOf(), clock: systemClock, decoders });
  expect(await assemble({ verdict, out, clock: systemClock }).catch(codeOf)).toBe("JOIN_ASSEMBLE_FAILED");
  expect(await readdir(dirname(out))).toEqual([]);
});
