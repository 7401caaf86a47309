import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Job, STANDARD_LIMITS } from "../../contracts/documents/job.ts";
import { STANDARD_POLICY } from "../../contracts/documents/policy.ts";
import { identifyBlender } from "../../src/blender/identify.ts";
import { systemClock } from "../../src/core/clock.ts";
import { sha256 } from "../../src/core/digest.ts";
import { canonicalBytes } from "../../src/core/json/canonical.ts";
import { SETTINGS } from "../../test/support/blender.ts";
import { fixtureBlender } from "../../test/support/child.ts";
import { SCENE, sampleJob } from "../../test/support/gateway-job.ts";
import { BIN, own, type Served, serve } from "../overhead/own.ts";

const BLENDER = fixtureBlender("heavy-frames");

export interface BenchGateway extends Served {
  readonly data: string;
  readonly adminToken: string;
}

export async function gatewayForBench(data: string): Promise<BenchGateway> {
  const served = await serve(data);
  return { ...served, data, adminToken: (await readFile(join(data, "admin-token"), "utf8")).trim() };
}

/** A job of that many frames for the slot a, as a Blender renders them that makes noise. */
export async function putHeavyJob(
  gateway: BenchGateway,
  shape: { frames: number; width: number; height: number; jobId: string },
): Promise<Job> {
  const {
    version,
    platform,
    sha256: digest,
  } = await identifyBlender({
    path: BLENDER,
    cacheFolder: null,
    clock: systemClock,
  });
  const job = sampleJob({
    job_id: shape.jobId,
    blender: { version, executables: [{ platform, sha256: digest }] },
    render: {
      ...SETTINGS,
      width: shape.width,
      height: shape.height,
      output: { format: "PNG", color_mode: "RGB", bit_depth: 8 },
    },
    slots: [
      { id: "a", first: 1, last: shape.frames },
      { id: "b", first: shape.frames + 1, last: shape.frames + 1 },
    ],
    // this Blender reads the honest one beside it, which bubblewrap would not show
    policy: { ...STANDARD_POLICY, allow_containment: ["process-group"] },
    limits: { ...STANDARD_LIMITS, watchdog_seconds: 3_600, run_seconds: 7_200, slot_seconds: 7_200 },
  });
  await put(gateway, { path: `/q/blob/${sha256(SCENE)}`, method: "PUT", body: SCENE });
  await put(gateway, { path: "/q/job", method: "POST", body: canonicalBytes(job) });
  return job;
}

async function put(
  gateway: BenchGateway,
  call: { path: string; method: string; body: Buffer },
): Promise<void> {
  const answer = await fetch(gateway.url + call.path, {
    method: call.method,
    headers: { authorization: `Bearer ${gateway.adminToken}`, "content-type": "application/json" },
    body: new Uint8Array(call.body),
  });
  if (!answer.ok) throw new Error(`${call.path}: ${answer.status} ${await answer.text()}`);
}

/** One run of the command itself; the highest resident size that its process was seen with. */
export async function measuredChild(
  gateway: BenchGateway,
  { job, root }: { job: Job; root: string },
): Promise<{ peakBytes: number; bundleBytes: number }> {
  const name = job.job_id;
  const token = join(root, `${name}.token`);
  await own("render-handoff", ["worker", "add", name, "--data", gateway.data, "--token-file", token]);
  const child = spawn(
    process.execPath,
    [
      join(BIN, "render-child.js"),
      ...["--slot", "a", "--job", name, "--gateway", gateway.url, "--token-file", token],
      ...["--state", join(root, `state-${name}`), "--blender", BLENDER, "--trust-scenes", "--json"],
    ],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  let stdout = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  let peakBytes = 0;
  for (
    let over = false;
    !over;
    over = await Promise.race([ended.then(() => true), sleep(10).then(() => false)])
  )
    peakBytes = Math.max(peakBytes, residentPeak(child.pid));
  if ((await ended) !== 0) throw new Error(stdout);
  await writeFile(join(root, "last.json"), stdout);
  const answer = await fetch(`${gateway.url}/q/request/${name}.a`, {
    headers: { authorization: `Bearer ${gateway.adminToken}` },
  });
  const request: { result: { bundle: { bytes: number } } } = JSON.parse(await answer.text());
  return { peakBytes, bundleBytes: request.result.bundle.bytes };
}

function residentPeak(pid: number | undefined): number {
  try {
    return (
      Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "latin1"))?.[1] ?? 0) * 1_024
    );
  } catch {
    return 0; // it has ended
  }
}
