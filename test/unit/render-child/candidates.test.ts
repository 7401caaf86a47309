import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HandoffError } from "../../../src/core/error.ts";
import { openState } from "../../../src/gateway-client/state.ts";
import { candidates, type Looking } from "../../../src/render-child/candidates.ts";
import { manualClock } from "../../support/manual-clock.ts";
import { readyTask } from "../../support/ready-task.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const PAGE = 50;
const MOST = 1_000;
const answer = <T>(value: T) => ({ value, gatewayId: "g", attempts: 1, firstSentMs: 0 });
/** A worker before a gateway that lists these many ready tasks and has forgotten others. */
async function looking(count: number): Promise<Looking & { known: Set<string>; asked: () => number }> {
  const state = openState(join(await temporaryFolder(), "state"), manualClock());
  onTestFinished(() => state.close());
  const all = Array.from({ length: count }, (_, n) => readyTask(`t.${n}`, null));
  const known = new Set(all.map(({ task_id }) => task_id));
  let asked = 0;
  const listTasks: Looking["client"]["listTasks"] = async ({ cursor }) => {
    asked += 1;
    if (cursor !== undefined && !known.has(cursor)) throw new HandoffError("invalid_request_shape");
    const from = cursor === undefined ? 0 : all.findIndex(({ task_id }) => task_id === cursor) + 1;
    const tasks = all.slice(from, from + PAGE);
    return answer({ tasks, cursor: from + PAGE < count ? (tasks.at(-1)?.task_id ?? null) : null });
  };
  const getTask = async (): Promise<never> => {
    throw new HandoffError("task_unknown");
  };
  const options = { slot: "a", workerUuid: "w" } as const;
  return { options, state, client: { listTasks, getTask }, known, asked: () => asked };
}

async function seen(run: Looking, enough = Infinity): Promise<string[]> {
  const ids: string[] = [];
  for await (const { task_id } of candidates(run)) {
    ids.push(task_id);
    if (ids.length >= enough) break;
  }
  return ids;
}

test("the next run goes on where the last one had looked at as many as a run may, and then begins again", async () => {
  const run = await looking(MOST + 120);
  const first = await seen(run);
  expect(first).toHaveLength(MOST);
  expect(first[0]).toBe("t.0");
  const second = await seen(run);
  expect(second.slice(0, 121)).toEqual([
    ...Array.from({ length: 120 }, (_, n) => `t.${MOST + n}`),
    "t.0", // with what is left of this run's requests
  ]);
  expect(run.asked()).toBe(40); // pages, both runs
});

test("a run that sees every task begins at the oldest next time, and so does one that has taken a task", async () => {
  const run = await looking(PAGE + 1);
  expect(await seen(run)).toHaveLength(PAGE + 1);
  expect(await seen(run, 3)).toEqual(["t.0", "t.1", "t.2"]);
  expect(await seen(run, 1)).toEqual(["t.0"]);
});

test("a run begins at the oldest where the gateway does not know the last task it had looked at", async () => {
  const run = await looking(MOST + 10);
  await seen(run);
  run.known.delete(`t.${MOST - 1}`);
  expect(await seen(run, 1)).toEqual(["t.0"]);
});
