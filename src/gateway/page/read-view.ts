import type { Job } from "../../../contracts/documents/job.ts";
import { slotTaskId } from "../../../contracts/names.ts";
import { ChangeEvent } from "../../../contracts/wire/events.ts";
import { Progress } from "../../../contracts/wire/queue.ts";
import { isLeased } from "../queue/lease.ts";
import { parseStored } from "../queue/payload.ts";
import { changeOf } from "../queue/read-events.ts";
import { latestVerdict } from "../queue/read-verdict.ts";
import type { EventRow, JobRow } from "../queue/rows.ts";
import type { ReadRows } from "../queue/store.ts";
import { readSubmissions } from "./read-submissions.ts";
import type { EventView, HandoffView, PageView, PageWanted, Person, SlotView } from "./view.ts";

const HANDOFFS = 20;
const EVENTS = 15;
const EVENTS_OF_ONE = 60;

/** One reading of everything that a page shows, in one transaction. */
export async function readView(
  rows: ReadRows,
  wanted: PageWanted,
  jobOf: (row: JobRow) => Job,
): Promise<Omit<PageView, "gatewayId">> {
  const now = await rows.now();
  const people = peopleOf(rows);
  const { jobId } = wanted;
  const open = wanted.show === "all" ? null : wanted.show === "open";
  const places =
    jobId !== null
      ? [{ place: 0, jobId }]
      : await rows.handoffs({ open, text: wanted.text, before: wanted.before, limit: HANDOFFS + 1 });
  const shown = places.slice(0, HANDOFFS);
  const [handoffs, events] = await Promise.all([
    Promise.all(
      shown.map((place) => readHandoff(rows, place.jobId, { now, people, jobOf, whole: jobId !== null })),
    ),
    rows.recentEvents(jobId, jobId === null ? EVENTS : EVENTS_OF_ONE),
  ]);
  return {
    now,
    wanted,
    handoffs: handoffs.filter((one) => one !== null),
    older: places.length > shown.length ? (shown.at(-1)?.place ?? null) : null,
    events: (await Promise.all(events.map((row) => eventView(row, people)))).flat(),
  };
}

type People = (id: string | null) => Promise<Person | null>;
interface Reading {
  readonly now: number;
  readonly people: People;
  readonly jobOf: (row: JobRow) => Job;
  /** With what is in its submissions. */
  readonly whole: boolean;
}

/** None for a row that this version does not know: the page is no place to fail. */
async function eventView(row: EventRow, people: People): Promise<EventView[]> {
  const event = ChangeEvent.safeParse(changeOf(row));
  return event.success ? [{ event: event.data, worker: await people(event.data.worker_uuid) }] : [];
}

/** Names of workers, each looked up once. */
function peopleOf(rows: ReadRows): People {
  const found = new Map<string, Promise<Person>>();
  return async (id) => {
    if (id === null) return null;
    const known = found.get(id) ?? rows.worker(id).then((worker) => ({ id, name: worker?.name ?? null }));
    found.set(id, known);
    return known;
  };
}

async function readHandoff(rows: ReadRows, jobId: string, reading: Reading): Promise<HandoffView | null> {
  const row = await rows.job(jobId);
  if (row === null) return null;
  const job = reading.jobOf(row);
  const [slots, verdict] = await Promise.all([
    Promise.all(job.slots.map((slot) => readSlot(rows, { jobId, ...slot }, reading))),
    latestVerdict(rows, jobId),
  ]);
  return {
    jobId,
    jobSha256: row.sha256,
    scene: job.scene.main,
    engine: job.render.engine,
    blender: job.blender.version,
    width: job.render.width,
    height: job.render.height,
    samples: job.render.samples,
    first: Math.min(...job.slots.map((slot) => slot.first)),
    last: Math.max(...job.slots.map((slot) => slot.last)),
    slots: slots.filter((slot) => slot !== null),
    verdict: verdict === null ? null : { ...verdict, codes: verdict.findingCodes, at: verdict.createdAt },
  };
}

async function readSlot(
  rows: ReadRows,
  { jobId, id, first, last }: { jobId: string; id: SlotView["slot"]; first: number; last: number },
  { now, people, whole }: Reading,
): Promise<SlotView | null> {
  const taskId = slotTaskId(jobId, id);
  const task = await rows.task(taskId);
  if (task === null) return null;
  const state = task.state === "leased" && !isLeased(task, now) ? "ready" : task.state;
  const [preview, submissions] = await Promise.all([
    rows.previewOf(taskId),
    readSubmissions(rows, taskId, whole),
  ]);
  return {
    slot: id,
    taskId,
    first,
    last,
    state,
    version: task.version,
    fence: task.fence,
    claims: task.claims,
    maxClaims: task.maxClaims,
    worker: state === "ready" ? null : await people(task.workerId),
    expiresAt: state === "leased" ? task.expiresAt : null,
    progress:
      state !== "leased" || task.progress === null
        ? null
        : (Progress.safeParse(parseStored(task.progress)).data ?? null),
    // what an earlier holder showed is not this one's
    preview: preview !== null && preview.fence === task.fence && state !== "ready" ? preview : null,
    submissions,
  };
}
