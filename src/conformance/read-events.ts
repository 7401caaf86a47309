import type { LedgerStep } from "../../contracts/documents/contract-ledger.ts";
import { ChangeEvent, EventCursor } from "../../contracts/wire/events.ts";
import { narrow, readDocument } from "../core/json/read-document.ts";
import { noneWhere } from "./exchange-once.ts";
import { judgeAnswer } from "./judge-answer.ts";
import type { PlayedRequest } from "./played-request.ts";
import type { Player } from "./player.ts";
import { idOf, type Scope } from "./scope.ts";

type ReadStep = Extract<LedgerStep, { do: "read_events" }>;

interface Told {
  readonly event: string;
  readonly id: string;
  readonly data: string;
}

/** Follows `/q/events` until the greeting and as many events of the task as are expected have come. */
export async function readEvents(step: ReadStep, scope: Scope, player: Player): Promise<string | null> {
  const after = step.after === undefined ? "" : `?after=${String(scope.saved.get(step.after))}`;
  const taskId = step.task === undefined ? null : idOf(scope, step.task);
  const wanted = step.expect.events ?? [];
  let told: readonly Told[] = [];
  const request: PlayedRequest = {
    route: "events",
    path: `/q/events${after}`,
    headers: { accept: "text/event-stream" },
    body: null,
    by: "administrator",
    enough: (soFar) => {
      told = toldIn(soFar.toString("utf8"));
      return told.length > 0 && kindsOf(told, taskId).length >= wanted.length;
    },
  };
  // a stream has no end: what came until the time-out is judged
  const answer = await player.session.send(request).catch(noneWhere("GATEWAY_TIMEOUT"));
  const fault =
    answer === null ? null : judgeAnswer({ request, answer, expected: step.expect }, scope, player.gatewayId);
  return fault ?? greetingFault(step, told[0], scope) ?? changesFault(told, taskId, wanted);
}

function greetingFault(step: ReadStep, greeting: Told | undefined, scope: Scope): string | null {
  if (greeting?.event !== "ready")
    return `the stream begins with ${greeting?.event ?? "nothing"}, expected ready`;
  const cursor = narrow(EventCursor, greeting.id);
  if (!cursor.ok) return `the id of ready is no cursor: ${cursor.problem}`;
  if (step.save !== undefined) scope.saved.set(step.save, Buffer.from(cursor.value));
  return null;
}

function changesFault(
  told: readonly Told[],
  taskId: string | null,
  wanted: readonly string[],
): string | null {
  for (const { event, id, data } of told) {
    if (event !== "change") continue;
    const read = readDocument(ChangeEvent, Buffer.from(data));
    if (!read.ok) return `the data of a change${read.path}: ${read.problem}`;
    if (read.value.cursor !== id) return `the id of a change is ${id}, its cursor ${read.value.cursor}`;
  }
  const kinds = kindsOf(told, taskId);
  return kinds.join(", ") === wanted.join(", ")
    ? null
    : `the events of the task are ${kinds.join(", ") || "none"}, expected ${wanted.join(", ")}`;
}

/** Kinds of the changes of a task, in order. */
const kindsOf = (told: readonly Told[], taskId: string | null): string[] =>
  told.flatMap(({ event, data }) => {
    const read = event === "change" ? readDocument(ChangeEvent, Buffer.from(data)) : null;
    return read?.ok === true && taskId !== null && read.value.task_id === taskId ? [read.value.kind] : [];
  });

/** The events that are there whole; comments and times to wait are none. */
const toldIn = (text: string): Told[] =>
  text
    .replace(/\r\n?/g, "\n")
    .split("\n\n")
    .slice(0, -1)
    .map((block) => new Map(block.split("\n").map(fieldOf)))
    .filter((fields) => fields.has("event") || fields.has("data"))
    .map((fields) => ({
      event: fields.get("event") ?? "message",
      id: fields.get("id") ?? "",
      data: fields.get("data") ?? "",
    }));

function fieldOf(line: string): [string, string] {
  const [, name = "", value = ""] = /^([^:]*):? ?(.*)$/.exec(line) ?? [];
  return [name, value];
}
