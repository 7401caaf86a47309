import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import type { JoinReport } from "../../../contracts/documents/join-report.ts";
import { Verdict, VerdictEnvelope } from "../../../contracts/documents/verdict.ts";
import type { Slot } from "../../../contracts/flow.ts";
import { joinKey, slotTaskId } from "../../../contracts/names.ts";
import { HandoffError } from "../../core/error.ts";
import { readDocument } from "../../core/json/read-document.ts";
import { TOKEN_FILE } from "../../gateway/data-folder.ts";
import type { GatewayClient } from "../../gateway-client/client.ts";
import { withClient } from "../administer.ts";
import { readToken } from "../read-token.ts";
import { workerOf } from "../worker-of.ts";
import { type BadHandIn, handInBadFrame } from "./bad-worker.ts";
import { both } from "./both.ts";
import type { Cast } from "./cast.ts";
import { type Anchor, openTimer, type Play } from "./play.ts";
import { demoThreads, renderSlot } from "./render-slot.ts";
import { submitDemo } from "./submit-demo.ts";
import { tell } from "./tell.ts";
import { type Story, tellStory } from "./tell-story.ts";
import { verifyJob } from "./verify-job.ts";

const NAMES = ["a", "b", "c"] as const;
type Name = (typeof NAMES)[number];

/**
 * Worker b hands in a frame of which half is missing. The checker rejects, posts the verdict and reopens slot b
 * alone; worker b is refused, worker c renders the slot, and the second verdict accepts.
 */
export async function playBadWorker(play: Play): Promise<void> {
  const { flags, context, out } = play;
  const rejectedOut = `${out}-rejected`;
  if (existsSync(rejectedOut)) throw new HandoffError("USAGE_OUTPUT_EXISTS", `It is ${rejectedOut}.`);
  const timer = openTimer(context);
  const { cast, anchor } = await submitDemo(play, NAMES, timer);
  const shift = (name: Name, slot: Slot) => ({
    slot,
    jobId: anchor.jobId,
    tokenFile: cast.worker(name),
    name,
  });
  const [a, bad] = await timer.timed("render", "worker a renders; worker b loses half a frame", () =>
    both(
      play,
      (half) => renderSlot(half, shift("a", "a")),
      (half) => asWorkerB(half, cast, (client, id) => handIn(half, anchor, client, id)),
    ),
  );
  await mkdir(rejectedOut, { recursive: true });
  const rejected = await timer.timed("reject", "join verify looks at it", () =>
    verifyRejected(play, cast, anchor, rejectedOut),
  );
  const refusal = await asWorkerB(play, cast, (client, id) => askAgain(client, anchor, id));
  const c = await timer.timed("render_again", "worker c renders slot b", () =>
    renderSlot(play, { ...shift("c", "b"), threads: availableParallelism() }),
  );
  const posted = join(play.stage.run, "join-report.json");
  const accepted = await timer.timed("accept", "join verify looks again", () =>
    verifyJob(play, {
      ...anchor,
      checker: cast.checker,
      more: ["--out", out, "--report", posted, "--post"],
      report: posted,
      exit: 0,
    }),
  );
  const kept = await keptOf(play, cast, anchor);
  const story: Story = { bad, rejected, rejectedOut, refusal, fence: c.fencing_token, ...kept };
  const outcome = { report: accepted.report, children: { a, b: c }, out, timings: timer.timings };
  context.out(
    flags.json ? `${JSON.stringify({ ...outcome, story })}\n` : `${tellStory(story)}\n${tell(outcome)}`,
  );
}

/** A worker that is not our render-child: it speaks to the gateway by itself. */
async function asWorkerB<T>(
  { context, gateway }: Play,
  cast: Cast<Name>,
  work: (client: GatewayClient, workerUuid: string) => Promise<T>,
): Promise<T> {
  const { token, workerUuid } = await workerOf(cast.worker("b"));
  return await withClient({ url: gateway.url, token, allowInsecure: false, context }, (client) =>
    work(client, workerUuid),
  );
}

async function handIn(
  { flags, context, stage }: Play,
  { jobId }: Anchor,
  client: GatewayClient,
  workerUuid: string,
): Promise<BadHandIn> {
  const folder = stage.state("b");
  await mkdir(folder, { mode: 0o700 });
  return await handInBadFrame({
    client,
    workerUuid,
    jobId,
    slot: "b",
    folder,
    blender: flags.blender ?? null,
    searchPath: context.env["PATH"],
    trustScenes: flags.trustScenes === true,
    threads: demoThreads(),
    signal: context.signal,
    clock: context.clock,
  });
}

async function verifyRejected(
  play: Play,
  cast: Cast<Name>,
  anchor: Anchor,
  folder: string,
): Promise<JoinReport> {
  const report = join(folder, "join-report.json");
  const adminToken = join(play.stage.data, TOKEN_FILE);
  const more = ["--report", report, "--html", join(folder, "report.html"), "--post"];
  more.push("--reopen-rejected", "--admin-token-file", adminToken);
  return (await verifyJob(play, { ...anchor, checker: cast.checker, more, report, exit: 1 })).report;
}

/** The code with which worker b is refused the slot that it has spoilt. */
async function askAgain(client: GatewayClient, { jobId }: Anchor, workerUuid: string): Promise<string> {
  try {
    await client.claim({ task_id: slotTaskId(jobId, "b"), worker_id: workerUuid }, null);
  } catch (thrown) {
    if (thrown instanceof HandoffError && thrown.wireCode !== undefined) return thrown.wireCode;
    throw thrown;
  }
  throw new HandoffError("DEMO_FAILED", "Worker b got the slot again.");
}

/** The graph of the verdicts, and the digest of the report that each of them carries. */
async function keptOf(
  play: Play,
  cast: Cast<Name>,
  { jobId }: Anchor,
): Promise<Pick<Story, "graph" | "reports">> {
  const { context, gateway } = play;
  const token = await readToken(cast.checker);
  return await withClient({ url: gateway.url, token, allowInsecure: false, context }, async (client) => {
    const graph = (await client.getGraph(joinKey(jobId))).value;
    const reports: string[] = [];
    for (const { version_num: version } of graph.nodes.filter((node) => node.verdict !== null)) {
      const object = readDocument(
        VerdictEnvelope,
        (await client.getObject(joinKey(jobId), { version })).value,
      );
      const verdict = object.ok ? Verdict.safeParse(object.value.payload) : null;
      if (!verdict?.success) throw new HandoffError("GATEWAY_RESPONSE_INVALID", "A verdict cannot be read.");
      reports.push(verdict.data.report_sha256);
    }
    return { graph, reports };
  });
}
