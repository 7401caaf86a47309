import type { Verdict } from "../../../contracts/documents/verdict.ts";
import { SLOTS } from "../../../contracts/flow.ts";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { registerChecker } from "../../../src/gateway/people/checkers.ts";
import { readObject } from "../../../src/gateway/queue/read-object.ts";
import { type JobBench, withJob } from "../gateway/job-bench.ts";
import type { StoreUnderTest } from "../gateway/queue-bench.ts";

export const object = (key: string, version: number | null = null) => ({
  key,
  version,
  sha256: null,
  reader: null,
});

/** A job of which both slots are done, and a checker. */
export async function judged(sut: StoreUnderTest) {
  const bench = await withJob(sut);
  const workers = [await bench.worker(), await bench.worker(), await bench.worker()] as const;
  await bench.win(workers[0], "a");
  await bench.win(workers[1], "b");
  const { queue, clock } = bench;
  const checker = (await registerChecker(queue.store, clock, "checker")).checker_uuid;
  return { ...bench, workers, checker };
}

export async function verdictOn({ queue, job }: JobBench, change: Partial<Verdict> = {}): Promise<Verdict> {
  const pins = [];
  for (const slot of SLOTS) {
    const { version_num, sha256_hash } = await readObject(queue, object(`${job.job_id}.${slot}`));
    pins.push({ version_num, sha256_hash });
  }
  const [a, b] = pins;
  if (a === undefined || b === undefined) throw new Error("a slot is not done");
  return {
    schema: "render_handoff.verdict.v1",
    gateway_id: await queue.store.read((rows) => rows.meta("gateway_id")),
    job_id: job.job_id,
    job_sha256: sha256(canonicalBytes(job)),
    verdict: "rejected",
    report_sha256: sha256("report"),
    finding_codes: ["PNG_CRC"],
    built_on: { a, b },
    tool_version: "0.1.0",
    ...change,
  };
}
