import { availableParallelism } from "node:os";
import { ChildResult } from "../../../contracts/documents/child-result.ts";
import { SLOTS, type Slot } from "../../../contracts/flow.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { runOwn } from "../own-process.ts";
import { ended, type Play } from "./play.ts";

export interface Shift {
  readonly slot: Slot;
  readonly jobId: string;
  readonly tokenFile: string;
  /** The worker's name, which its state folder has. */
  readonly name: string;
  /** Half of the machine unless given: two children at the same time. */
  readonly threads?: number;
}

/** Of each of two renders at the same time. */
export const demoThreads = (): number => Math.max(1, Math.floor(availableParallelism() / SLOTS.length));

/** One slot by one render-child process. */
export async function renderSlot(play: Play, shift: Shift): Promise<ChildResult> {
  const { flags, context, stage, gateway } = play;
  const { slot, jobId, tokenFile, name, threads = demoThreads() } = shift;
  const args = ["--slot", slot, "--job", jobId, "--gateway", gateway.url, "--token-file", tokenFile];
  args.push("--state", stage.state(name), "--threads", String(threads), "--json");
  if (flags.blender !== undefined) args.push("--blender", flags.blender);
  if (flags.trustScenes) args.push("--trust-scenes");
  const run = await runOwn({ program: "render-child", args, context });
  const result = readDocument(ChildResult, Buffer.from(run.stdout));
  if (!result.ok || result.value.outcome !== "completed") throw ended(`render-child --slot ${slot}`, run);
  return result.value;
}
