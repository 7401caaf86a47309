import type { TaskRecord } from "../../../contracts/documents/records.ts";
import { Progress } from "../../../contracts/wire/queue.ts";
import { secondsOf } from "../../core/clock.ts";
import { HandoffError } from "../../core/error.ts";
import type { GatewayClient, TaskFilter } from "../../gateway-client/client.ts";
import { administer, isServed, withClient } from "../administer.ts";
import { allPages, PAGE_ITEMS } from "../all-pages.ts";
import type { CliContext } from "../context.ts";
import type { StatusFlags } from "../flags/status.ts";
import { readToken } from "../read-token.ts";

const EVERY_MS = 1_000;
/** While nobody serves the folder little changes in it, and each look keeps a gateway from being started there. */
const UNSERVED_MS = 5_000;
/** Finished tasks that are shown when none was asked for by its job. */
const NEWEST = 40;
const OLDER = "older finished handoffs are not shown: --all\n";

/** Takes the cursor back over so many lines and clears what stood there. */
const overLines = (count: number): string => (count === 0 ? "" : `\u001b[${count}A\u001b[J`);

/** Rows that lines take on a terminal, those that are wider than it more than one. */
const rowsOf = (text: string, columns: number): number =>
  text
    .split("\n")
    .slice(0, -1)
    .reduce((rows, line) => rows + Math.max(1, Math.ceil(line.length / columns)), 0);

type Look = <T>(work: (client: GatewayClient) => Promise<T>) => Promise<T>;

/**
 * Shows the slots once, or again and again until all are done: in one place on a terminal, one below the other
 * elsewhere. Any role's token will do.
 */
export async function status(flags: StatusFlags, context: CliContext): Promise<void> {
  const show = (client: GatewayClient): Promise<void> => watch(flags, context, (work) => work(client));
  // a folder is opened for each look and never held: a gateway may want to serve it meanwhile
  if (flags.gateway === undefined)
    return await watch(flags, context, (work) => administer(flags, context, work));
  if (flags.tokenFile === undefined) return await administer(flags, context, show);
  const token = await readToken(flags.tokenFile);
  await withClient({ url: flags.gateway, token, allowInsecure: flags.allowInsecure === true, context }, show);
}

async function watch(flags: StatusFlags, context: CliContext, look: Look): Promise<void> {
  let seen = await look((client) => shownTasks(client, flags));
  for (let drawn = 0; ; ) {
    const { tasks, older } = seen;
    if (flags.job !== undefined && tasks.length === 0)
      throw new HandoffError("job_unknown", `It is ${flags.job}.`);
    const text = flags.json
      ? `${JSON.stringify({ tasks, older })}\n`
      : `${table(tasks, context.clock.wallSeconds())}${older ? OLDER : ""}`;
    const screen = flags.json === true ? null : context.screen();
    context.out(`${screen !== null && drawn < screen.rows ? overLines(drawn) : ""}${text}`);
    drawn = rowsOf(text, screen?.columns ?? Infinity);
    if (flags.watch !== true || tasks.every((task) => task.state === "done")) return;
    const unserved = flags.gateway === undefined && flags.data !== undefined && !isServed(flags.data);
    await context.clock.sleep(unserved ? UNSERVED_MS : EVERY_MS, context.signal).catch(() => {});
    if (context.signal.aborted) return;
    const before = seen;
    seen = await look((client) => shownTasks(client, flags)).catch((thrown: unknown) => {
      // another command has the folder for a moment: what was seen still stands
      if (thrown instanceof HandoffError && thrown.code === "GATEWAY_DATA_LOCKED") return before;
      throw thrown;
    });
  }
}

/**
 * One job's tasks, or all; else those that are not done behind the newest finished ones, so that a gateway's past
 * costs nothing. `older` tells that there is more.
 */
async function shownTasks(
  client: GatewayClient,
  { job, all }: StatusFlags,
): Promise<{ tasks: TaskRecord[]; older: boolean }> {
  if (job !== undefined) return { tasks: await allTasks(client, { job }), older: false };
  if (all) return { tasks: await allTasks(client, {}), older: false };
  const open = await allTasks(client, { state: "open" });
  const done = (await client.listTasks({ state: "done", order: "newest", limit: NEWEST })).value;
  const listed = new Set(open.map((task) => task.task_id));
  const finished = done.tasks.filter((task) => !listed.has(task.task_id)).reverse();
  return { tasks: [...finished, ...open], older: done.cursor !== null };
}

const allTasks = (client: GatewayClient, filter: TaskFilter): Promise<TaskRecord[]> =>
  allPages(async (from) => {
    const { value } = await client.listTasks({ ...filter, limit: PAGE_ITEMS, ...from });
    return { items: value.tasks, cursor: value.cursor };
  });

function table(tasks: readonly TaskRecord[], now: number): string {
  if (tasks.length === 0) return "no tasks\n";
  const rows = tasks.map((task) => [
    task.task_id,
    task.state,
    `v${task.version}`,
    `fence ${task.fencing_token}`,
    task.worker_id ?? "-",
    lease(task, now),
    progress(task),
  ]);
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return `${rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n")}\n`;
}

function lease(task: TaskRecord, now: number): string {
  if (task.state !== "leased" || task.lease_expires_at === null) return "-";
  const left = (secondsOf(task.lease_expires_at) ?? now) - now;
  return left > 0 ? `${left} s left` : "expired";
}

function progress(task: TaskRecord): string {
  const read = Progress.safeParse(task.progress);
  if (!read.success) return "";
  const { phase, frame, frames_done, sample, samples, watchdog_left_s } = read.data;
  return [
    phase,
    `${frames_done} done`,
    frame === null ? "" : `frame ${frame}`,
    sample === null ? "" : `sample ${sample}/${samples ?? "?"}`,
    watchdog_left_s === null ? "" : `watchdog ${watchdog_left_s} s left`,
  ]
    .filter((part) => part !== "")
    .join(", ");
}
