import { join } from "node:path";
import { SLOTS } from "../../../contracts/flow.ts";
import type { CliContext } from "../context.ts";
import { both } from "../demo/both.ts";
import { makeScene } from "../demo/make-scene.ts";
import { openTimer, type Play } from "../demo/play.ts";
import { renderSlot } from "../demo/render-slot.ts";
import { freeOutput, setStage } from "../demo/stage.ts";
import { submitDemo } from "../demo/submit-demo.ts";
import { tell } from "../demo/tell.ts";
import { verifyJob } from "../demo/verify-job.ts";
import type { DemoFlags } from "../flags/demo.ts";
import { serveOwn } from "../own-process.ts";

/** The main job for real: gateway, workers and checker are processes of their own on this machine. */
export async function demo(flags: DemoFlags, context: CliContext): Promise<void> {
  if (flags.makeScene !== undefined) return await makeScene(flags, flags.makeScene, context);
  const out = flags.out ?? freeOutput(flags.frames, context);
  const stage = await setStage();
  try {
    const gateway = await serveOwn(stage.data, context);
    try {
      const tale = flags.withBadWorker ? (await import("../demo/bad-worker-story.ts")).playBadWorker : play;
      if (flags.watch) context.err(`demo: watch it at ${gateway.url}/\n`);
      await tale({ flags, context, stage, gateway, out });
      if (flags.watch) await keepServing(gateway.url, context);
    } finally {
      await gateway.stop();
    }
  } finally {
    await stage.clear();
  }
}

/** So that the end can be looked at too; a stop that was asked for is no failure. */
async function keepServing(url: string, context: CliContext): Promise<void> {
  context.err(`demo: the page stays at ${url}/ until you press Ctrl-C\n`);
  await new Promise<void>((resolve) => {
    if (context.signal.aborted) resolve();
    context.signal.addEventListener("abort", () => resolve(), { once: true });
  });
  context.expectStop();
}

async function play(play: Play): Promise<void> {
  const { flags, context, out } = play;
  const timer = openTimer(context);
  const { cast, anchor } = await submitDemo(play, SLOTS, timer);
  const render = (slot: (typeof SLOTS)[number]) => (half: Play) =>
    renderSlot(half, { slot, jobId: anchor.jobId, tokenFile: cast.worker(slot), name: slot });
  const [a, b] = await timer.timed("render", "two render-child processes at work", () =>
    both(play, render("a"), render("b")),
  );
  const posted = join(play.stage.run, "join-report.json");
  const { report } = await timer.timed("join", "join verify decides", () =>
    verifyJob(play, {
      ...anchor,
      checker: cast.checker,
      more: ["--out", out, "--report", posted, "--post"],
      report: posted,
      exit: 0,
    }),
  );
  const outcome = { report, children: { a, b }, out, timings: timer.timings };
  context.out(flags.json ? `${JSON.stringify(outcome)}\n` : tell(outcome));
}
