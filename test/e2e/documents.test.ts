import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JoinReport } from "../../contracts/documents/join-report.ts";
import { playDocument, terminalsOf } from "../support/play-document.ts";
import { temporaryFolder } from "../support/temporary.ts";

test("the README's commands in separate terminals lead to an accepted sequence", {
  timeout: 900_000,
}, async () => {
  const cwd = await temporaryFolder();
  expect(terminalsOf("README.md").map(({ name }) => name)).toEqual([
    "gateway",
    "operator",
    "worker-a",
    "worker-b",
    "checker",
  ]);
  await playDocument("README.md", cwd);
  expect(await readdir(join(cwd, "shot-12"))).toContain("frame_0210.png");
});

test("the tutorial leads from nothing to a joined sequence over TLS, with a verdict that is anchored", {
  timeout: 900_000,
}, async () => {
  const cwd = await temporaryFolder();
  await playDocument("docs/TUTORIAL.md", cwd);
  const report = JoinReport.parse(
    JSON.parse(await readFile(join(cwd, "checker/shot-12/join-report.json"), "utf8")),
  );
  expect(report).toMatchObject({ verdict: "accepted", anchored: { job: true, gateway: true } });
  expect(report.provenance.a?.worker_uuid).not.toBe(report.provenance.b?.worker_uuid);
});
