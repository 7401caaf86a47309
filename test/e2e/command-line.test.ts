import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { JoinReport } from "../../contracts/documents/join-report.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/gateway-process.ts";
import { type CliRun, runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** Commands as people call them, against a gateway process and real Blender, on pictures of 32 x 18. */
interface House {
  readonly folder: string;
  readonly gateway: GatewayProcess;
  submit(job: string, more?: readonly string[]): Promise<CliRun>;
  child(slot: string, job: string, worker: string): Promise<CliRun>;
  join(command: string, job: string, ...more: string[]): Promise<CliRun>;
}

async function house(...workers: string[]): Promise<House> {
  const folder = await temporaryFolder();
  const gateway = await startGatewayProcess();
  const data = ["--data", gateway.dataFolder];
  const token = (name: string): string[] => ["--gateway", gateway.url, "--token-file", join(folder, name)];
  const scene = join(shared, "tiny.blend");
  const good = async (args: string[]): Promise<void> => {
    const run = await runCli("render-handoff", args, { cwd: folder });
    expect(run.exit, run.stderr).toBe(0);
  };
  for (const name of workers)
    await good(["worker", "add", name, ...data, "--token-file", join(folder, name)]);
  await good(["checker", "add", "checker", ...data, "--token-file", join(folder, "checker")]);
  return {
    folder,
    gateway,
    submit: (job, more = ["--size", "32x18", "--samples", "1"]) =>
      runCli("render-handoff", [
        "submit",
        scene,
        "--frames",
        "205-206",
        "--job",
        job,
        ...data,
        ...more,
        "--json",
      ]),
    child: (slot, job, worker) =>
      runCli("render-child", [
        "--slot",
        slot,
        "--job",
        job,
        ...token(worker),
        "--state",
        join(folder, `state-${worker}`),
        "--json",
      ]),
    join: (command, job, ...more) => runCli("join", [command, "--job", job, ...token("checker"), ...more]),
  };
}

let shared = "";
beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), "render-handoff-scene-"));
  const run = await runCli("render-handoff", ["demo", "--make-scene", join(shared, "tiny.blend")]);
  expect(run.exit, run.stderr).toBe(0);
});
afterAll(() => rm(shared, { recursive: true }));

const absent = async (path: string): Promise<boolean> => (await stat(path).catch(() => null)) === null;

test("one worker in both slots is refused at the claim, or else by join, and nothing is assembled", async () => {
  const { folder, submit, child, join: joinCommand } = await house("one");
  await submit("strict");
  expect((await child("a", "strict", "one")).exit).toBe(0);
  const second = await child("b", "strict", "one");
  expect([second.code, second.exit]).toEqual(["worker_not_distinct", 4]);

  await submit("loose", ["--size", "32x18", "--samples", "1", "--same-worker"]);
  for (const slot of ["a", "b"]) expect((await child(slot, "loose", "one")).exit).toBe(0);
  const verdict = await joinCommand("verify", "loose", "--out", join(folder, "out"), "--json");
  expect(verdict.exit, verdict.stdout + verdict.stderr).toBe(1);
  expect(JoinReport.parse(JSON.parse(verdict.stdout)).findings.map((one) => one.code)).toEqual([
    "JOIN_WORKER_NOT_DISTINCT",
  ]);
  expect(await absent(join(folder, "out"))).toBe(true);
});

test("a verdict from the gateway and one from the collected folder are the same; one flipped byte rejects", async () => {
  const { folder, submit, child, join: joinCommand } = await house("one", "two");
  const { job_sha256 } = JSON.parse((await submit("twice")).stdout);
  const none = await joinCommand("verify", "twice", "--json");
  expect(none.exit, none.stdout + none.stderr).toBe(3);
  await child("a", "twice", "one");
  expect((await joinCommand("verify", "twice")).exit, "one slot is not handed in yet").toBe(3);
  await child("b", "twice", "two");
  const online = await joinCommand("verify", "twice", "--expect-job", job_sha256, "--json");
  const evidence = join(folder, "evidence");
  expect((await joinCommand("collect", "twice", "--out", evidence)).exit).toBe(0);
  const offline = await runCli("join", ["verify", evidence, "--json"]);
  const [first, again] = [online, offline].map((run) => JoinReport.parse(JSON.parse(run.stdout)));
  expect([online.exit, offline.exit]).toEqual([0, 0]);
  expect(again?.frames).toEqual(first?.frames);
  expect([first?.anchored, again?.anchored]).toEqual([
    { job: true, gateway: false },
    { job: false, gateway: false },
  ]);

  const bundle = join(evidence, "slots/b/bundle.zip");
  const bytes = await readFile(bundle);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  await writeFile(bundle, bytes);
  const flipped = await runCli("join", ["verify", evidence, "--out", join(folder, "out"), "--json"]);
  expect(flipped.exit).toBe(1);
  expect(JoinReport.parse(JSON.parse(flipped.stdout)).findings.map((one) => one.code)).toContain(
    "JOIN_BUNDLE_DIGEST",
  );
  expect(await absent(join(folder, "out"))).toBe(true);
});

test("a render beyond the watchdog is killed, told as such, and the slot can be claimed again", async () => {
  const { gateway, submit, child } = await house("one");
  await submit("slow", ["--size", "1920x1080", "--samples", "100000", "--watchdog-seconds", "3"]);
  const run = await child("a", "slow", "one");
  expect([run.code, run.exit]).toEqual(["RENDER_WATCHDOG", 4]);
  const task = (await gateway.call("/q/task/slow.a")).json();
  expect([task["state"], task["fencing_token"]]).toEqual(["ready", 1]);
});

test("a Blender that the job does not allow makes no claim", async () => {
  const { gateway, submit, child } = await house("one");
  await submit("pinned");
  const job = (await gateway.call("/q/job/pinned")).json();
  const foreign = {
    ...job,
    job_id: "foreign",
    blender: { version: "3.4.1", executables: [{ platform: "linux-x64", sha256: "0".repeat(64) }] },
  };
  const put = await gateway.call("/q/job", { method: "POST", body: canonicalBytes(foreign) });
  expect(put.status, put.code).toBe(201);
  const run = await child("a", "foreign", "one");
  expect([run.code, run.exit]).toEqual(["RENDER_BLENDER_PIN", 4]);
  expect(gateway.log()).toContain('"getJob"');
  expect(gateway.log()).not.toContain('"claim"');
});
