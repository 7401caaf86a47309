import { join } from "node:path";
import type { Slot } from "../../contracts/flow.ts";
import { LIMITS } from "../../contracts/limits.ts";
import { readCappedSync } from "../core/files/read-capped.ts";
import { guessPlan } from "./decode/plan.ts";
import { type BundleOutcome, type Decoders, runPlan } from "./decode/run-plan.ts";
import type { Guess, VerifyOptions } from "./verdict.ts";

/** Gives the decoders their work on an evidence folder; null where its job says nothing that could be decoded. */
export function beginDecoding(
  { folder, secondDecoder }: Pick<VerifyOptions, "folder" | "secondDecoder">,
  decoders: Decoders,
): Guess | null {
  const job = readCappedSync(join(folder, "job.json"), LIMITS.jobBytes);
  const plan = job.ok ? guessPlan(job.bytes) : null;
  if (plan === null) return null;
  const run = (slot: Slot): Promise<BundleOutcome> =>
    runPlan(
      { slot, path: join(folder, "slots", slot, "bundle.zip"), plan, second: secondDecoder === true },
      decoders,
    );
  return { plan, outcomes: { a: run("a"), b: run("b") } };
}
