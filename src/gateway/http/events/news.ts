import { changeOf, comparePlaces, cursorOf, progressOf } from "../../queue/read-events.ts";
import type { EventPlace, EventRow, TaskRow } from "../../queue/rows.ts";
import { message, type Reader } from "./stream.ts";

interface Found {
  readonly events: readonly EventRow[];
  /** Where the look began. */
  readonly from: EventPlace;
  readonly moved: { readonly tasks: readonly TaskRow[]; readonly ended: number };
}

export const toldOf = (row: EventRow): string =>
  message({ event: "change", id: cursorOf(row), data: changeOf(row) });

/** What one look at the store has found; written out once, however many read it. */
export class News {
  readonly last: EventPlace;
  private readonly found: Found;
  private whole: string | null = null;
  private progress: string | null = null;

  constructor(found: Found) {
    this.found = found;
    this.last = found.events.at(-1) ?? found.from;
  }

  get isSome(): boolean {
    const { events, moved } = this.found;
    return events.length > 0 || moved.tasks.length > 0 || moved.ended > 0;
  }

  /** What the reader is told, and its place afterwards. */
  for(reader: Reader): string {
    const { events, from, moved } = this.found;
    const behind = comparePlaces(reader.place, this.last) < 0;
    if (reader.brief) {
      const changed = behind || moved.tasks.length > 0 || moved.ended > 0;
      if (behind) reader.place = this.last;
      return changed ? message({ event: "changed", id: cursorOf(reader.place), data: {} }) : "";
    }
    // one with an old cursor is still being told what it has missed
    if (comparePlaces(reader.place, from) < 0) return "";
    const rest = events.filter((event) => comparePlaces(event, reader.place) > 0);
    if (behind) reader.place = this.last;
    this.progress ??= moved.tasks
      .map((task) => message({ event: "progress", data: progressOf(task) }))
      .join("");
    if (rest.length < events.length) return `${rest.map(toldOf).join("")}${this.progress}`;
    this.whole ??= events.map(toldOf).join("");
    return `${this.whole}${this.progress}`;
  }
}
