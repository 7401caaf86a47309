import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { JoinReport } from "../../../contracts/documents/join-report.ts";
import { Verdict } from "../../../contracts/documents/verdict.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { type Court, openCourt } from "./bench.ts";

const reportOf = ({ folder }: Court) => join(folder, "join-report.json");
const posting = (court: Court) => ["--report", reportOf(court), "--post"];
const reopening = (court: Court) => [
  ...posting(court),
  "--reopen-rejected",
  "--admin-token-file",
  court.admin,
];
const posted = async ({ gateway }: Court) => {
  const answer = await gateway.call("/q/object/shot.join");
  return answer.status === 200
    ? { version: answer.json()["version_num"], verdict: Verdict.parse(answer.json()["payload"]) }
    : answer.code;
};

test("a rejected slot alone is reopened, its worker passed over, and the next verdict accepts", async () => {
  const court = await openCourt();
  await court.good("a");
  const bad = await court.bad("b");
  const first = await court.verify(...reopening(court));
  expect([first.exit, await court.slot("a"), await court.slot("b")], first.stderr).toEqual([
    1,
    ["done", 1],
    ["ready", 2],
  ]);
  expect(await posted(court)).toMatchObject({
    version: 1,
    verdict: { verdict: "rejected", report_sha256: sha256(await readFile(reportOf(court))) },
  });
  await court.gateway.registerWorker("spare"); // while nobody else is left, the rejected one may come back
  const claim = { task_id: "shot.b", worker_id: bad.workerUuid };
  const refused = await court.gateway.call("/q/claim", { method: "POST", token: bad.token, body: claim });
  expect(refused.code).toBe("worker_passed_over");

  await court.good("b");
  const out = join(court.folder, "out");
  const second = await court.verify("--out", out, ...reopening(court));
  expect([second.exit, await court.slot("b")], second.stderr).toEqual([0, ["done", 2]]);
  expect(await posted(court)).toMatchObject({
    version: 2,
    verdict: {
      verdict: "accepted",
      report_sha256: sha256(await readFile(join(out, "join-report.json"))),
      built_on: { a: { version_num: 1 }, b: { version_num: 2 } },
    },
  });
});

test("a rejection of what was rendered again meanwhile is posted, and takes nothing away", async () => {
  const court = await openCourt();
  await court.good("a");
  await court.bad("b");
  const evidence = join(court.folder, "evidence");
  const online = ["--gateway", court.gateway.url, "--token-file", court.checker];
  await runCli("join", ["collect", "--job", "shot", ...online, "--out", evidence]);
  expect((await court.verify(...reopening(court))).exit).toBe(1);
  await court.good("b");
  const late = await runCli("join", ["verify", evidence, ...online, ...posting(court)]);
  expect([late.exit, await court.slot("b")], late.stderr).toEqual([1, ["done", 2]]);
  expect(await posted(court)).toMatchObject({ version: 2, verdict: { built_on: { b: { version_num: 1 } } } });
});

test("an undecided verdict is not posted, and nothing is reopened for it", async () => {
  const court = await openCourt();
  await court.good("a");
  const run = await court.verify(...reopening(court));
  expect([run.exit, await posted(court), await court.slot("a")]).toEqual([3, "object_unknown", ["done", 1]]);
});

test("a verdict that cannot be posted is written all the same, and the exit code is that of what stood in the way", async () => {
  const court = await openCourt();
  await court.good("a");
  await court.good("b");
  const evidence = join(court.folder, "evidence");
  const token = ["--token-file", court.checker];
  await runCli("join", [
    "collect",
    "--job",
    "shot",
    "--gateway",
    court.gateway.url,
    ...token,
    "--out",
    evidence,
  ]);
  const out = join(court.folder, "out");
  const nobody = ["--gateway", "http://127.0.0.1:9", ...token, ...posting(court)];
  const away = await runCli("join", ["verify", evidence, ...nobody, "--out", out, "--json"]);
  expect([away.exit, away.code], away.stderr).toEqual([3, "GATEWAY_UNREACHABLE"]);
  expect(JoinReport.parse(JSON.parse(away.stdout)).verdict).toBe("accepted");
  const kept = JoinReport.parse(JSON.parse(await readFile(join(out, "join-report.json"), "utf8")));
  expect(kept.verdict).toBe("accepted");
  const other = await openCourt();
  const elsewhere = ["--gateway", other.gateway.url, "--token-file", other.checker, ...posting(other)];
  const wrong = await runCli("join", ["verify", evidence, ...elsewhere]);
  expect([wrong.exit, wrong.code], wrong.stderr).toEqual([4, "pin_mismatch"]);
  expect(await posted(other)).toBe("object_unknown");
});

const ADMIN = ["--admin-token-file", "ADMIN"];
const POST = ["--report", "REPORT", "--post"];
const ONLINE = ["--gateway", "http://127.0.0.1:9", "--token-file", "CHECKER"];
test.each<[string, string, string[]]>([
  [
    "--post without a token",
    "USAGE_ARGUMENT",
    ["FOLDER", "--gateway", "http://127.0.0.1:9", "--report", "REPORT", "--post"],
  ],
  [
    "--post without a file that has what is posted",
    "USAGE_ARGUMENT",
    ["--job", "shot", ...ONLINE, "--out", "OUT", "--post"],
  ],
  [
    "--reopen-rejected without --post",
    "USAGE_ARGUMENT",
    ["--job", "shot", ...ONLINE, "--reopen-rejected", ...ADMIN],
  ],
  [
    "--reopen-rejected without a token for it",
    "USAGE_ARGUMENT",
    ["--job", "shot", ...ONLINE, ...POST, "--reopen-rejected"],
  ],
  [
    "--reopen-rejected of a folder",
    "USAGE_ARGUMENT",
    ["FOLDER", ...ONLINE, ...POST, "--reopen-rejected", ...ADMIN],
  ],
  [
    "an administrator's token that is none",
    "USAGE_TOKEN_FILE",
    ["--job", "shot", ...ONLINE, ...POST, "--reopen-rejected", "--admin-token-file", "FOLDER"],
  ],
])("%s is refused before anything is done: %s", async (_name, code, args) => {
  const folder = await temporaryFolder();
  const files = new Map([
    ["FOLDER", folder],
    ["REPORT", join(folder, "report.json")],
    ["OUT", join(folder, "out")],
  ]);
  for (const [name, prefix] of [
    ["CHECKER", "rhc_"],
    ["ADMIN", "rha_"],
  ] as const) {
    files.set(name, join(folder, name));
    await writeFile(join(folder, name), `${prefix}${"x".repeat(43)}`, { mode: 0o600 });
  }
  const run = await runCli("join", ["verify", ...args.map((arg) => files.get(arg) ?? arg)]);
  expect([run.exit, run.code, run.stdout], run.stderr).toEqual([2, code, ""]);
});
