import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readBlocks } from "../../../../src/core/files/read-blocks.ts";
import { temporaryFolder } from "../../../support/temporary.ts";

async function blocksOf(path: string): Promise<Buffer[]> {
  const copies: Buffer[] = [];
  for await (const block of readBlocks(path)) copies.push(Buffer.from(block));
  return copies;
}

test("a file comes whole and in order, whatever its size", async () => {
  const folder = await temporaryFolder();
  for (const size of [0, 1, 512 * 1024, 1_300_001]) {
    const bytes = randomBytes(size);
    const path = join(folder, String(size));
    writeFileSync(path, bytes);
    expect(Buffer.concat(await blocksOf(path)).equals(bytes)).toBe(true);
  }
});

test("a file that is not there is the system's error", async () => {
  await expect(blocksOf(join(await temporaryFolder(), "absent"))).rejects.toMatchObject({ code: "ENOENT" });
});
