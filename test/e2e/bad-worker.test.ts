import { execFileSync } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JoinReport } from "../../contracts/documents/join-report.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary.ts";

const reportIn = async (folder: string): Promise<JoinReport> =>
  JoinReport.parse(JSON.parse(await readFile(join(folder, "join-report.json"), "utf8")));
const digestOf = (path: string): string =>
  execFileSync("sha256sum", [path], { encoding: "utf8" }).split(" ")[0] ?? "";

test("half a frame is rejected, its slot alone reopened and rendered by a third worker, and then accepted", {
  timeout: 900_000,
}, async () => {
  const out = join(await temporaryFolder(), "pictures");
  const run = await runCli("render-handoff", ["demo", "--with-bad-worker", "--json", "--out", out]);
  expect(run.exit, `${run.stdout}\n${run.stderr}`).toBe(0);
  const { story, children } = JSON.parse(run.stdout);

  const rejected = await reportIn(`${out}-rejected`);
  expect(rejected.verdict).toBe("rejected");
  const faults = rejected.findings.filter(({ severity }) => severity === "reject");
  expect(faults).toMatchObject([{ code: "PNG_TRUNCATED", blame: "slot", slot: "b", frame: 209 }]);
  expect((await readdir(`${out}-rejected`)).sort()).toEqual(["join-report.json", "report.html"]);

  expect(story.refusal).toBe("worker_passed_over");
  expect([story.bad.fence, children.b.fencing_token]).toEqual([1, 2]);

  const accepted = await reportIn(out);
  expect(accepted.verdict).toBe("accepted");
  expect(accepted.provenance.a).toMatchObject({ version_num: 1, fencing_token: 1 });
  expect(accepted.provenance.b).toMatchObject({ version_num: 2, fencing_token: 2 });
  const workers = [accepted.provenance.a, accepted.provenance.b, rejected.provenance.b];
  expect(new Set(workers.map((slot) => slot?.worker_uuid)).size).toBe(3);
  expect((await readdir(out)).filter((name) => name.startsWith("frame_"))).toHaveLength(6);
  execFileSync("sha256sum", ["-c", "--quiet", "SHA256SUMS"], { cwd: out });

  const { nodes, edges, truncated } = story.graph;
  const key = `${accepted.job_id}.join`;
  expect(truncated).toBe(false);
  expect(nodes.map((node: Record<string, unknown>) => [node["version_num"], node["verdict"]])).toEqual([
    [1, null],
    [1, null],
    [2, null],
    [1, "rejected"],
    [2, "accepted"],
  ]);
  expect(
    edges.map((edge: Record<string, unknown>) => [edge["source_version_num"], edge["pinned_version_num"]]),
  ).toEqual([
    [1, 1],
    [1, 1],
    [2, 1],
    [2, 2],
  ]);
  expect(new Set(edges.map((edge: Record<string, unknown>) => edge["source_object_key"]))).toEqual(
    new Set([key]),
  );
  // what was posted is what anybody can compute from the file
  expect(story.reports).toEqual([
    digestOf(join(`${out}-rejected`, "join-report.json")),
    digestOf(join(out, "join-report.json")),
  ]);
});
