import { Job } from "../../../contracts/documents/job.ts";
import type { Clock } from "../../core/clock.ts";
import { parseStrict } from "../../core/json/parse-strict.ts";
import type { EventFeed } from "../http/events/feed.ts";
import type { JobRow } from "../queue/rows.ts";
import type { QueueStore } from "../queue/store.ts";
import type { Assets } from "./assets.ts";
import { drawPage } from "./draw-page.ts";
import { readView } from "./read-view.ts";
import type { PageWanted } from "./view.ts";

export interface PagesOptions {
  readonly store: QueueStore;
  readonly feed: Pick<EventFeed, "seen">;
  readonly clock: Pick<Clock, "monotonicMs">;
  readonly gatewayId: string;
  readonly assets: Assets;
}

interface Drawn {
  readonly seen: number;
  readonly atMs: number;
  readonly page: Promise<string>;
}

/** Jobs never change: what was read of them is kept, the oldest is forgotten. */
const JOBS = 500;
const DRAWN = 50;
/** Milliseconds for which a page is good while nothing changes: leases run down by themselves. */
const GOOD_MS = 1_000;

/** Draws pages; many that ask for the same one after the same change share one reading. */
export class Pages {
  readonly assets: Assets;
  private readonly options: PagesOptions;
  private readonly jobs = new Map<string, Job>();
  private readonly drawn = new Map<string, Drawn>();

  constructor(options: PagesOptions) {
    this.options = options;
    this.assets = options.assets;
  }

  page(wanted: PageWanted): Promise<string> {
    const seen = this.options.feed.seen();
    if (seen === null) return this.draw(wanted);
    const key = JSON.stringify(wanted);
    const atMs = this.options.clock.monotonicMs();
    const known = this.drawn.get(key);
    if (known !== undefined && known.seen === seen && atMs - known.atMs < GOOD_MS) return known.page;
    const page = this.draw(wanted);
    page.catch(() => this.drawn.delete(key));
    keep(this.drawn, key, { seen, atMs, page }, DRAWN);
    return page;
  }

  private async draw(wanted: PageWanted): Promise<string> {
    const { store, gatewayId } = this.options;
    const view = await store.read((rows) => readView(rows, wanted, (row) => this.jobOf(row)));
    return drawPage({ ...view, gatewayId });
  }

  private jobOf(row: JobRow): Job {
    const known = this.jobs.get(row.sha256);
    if (known !== undefined) return known;
    const job = Job.parse(parseStrict(row.bytes));
    keep(this.jobs, row.sha256, job, JOBS);
    return job;
  }
}

function keep<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
