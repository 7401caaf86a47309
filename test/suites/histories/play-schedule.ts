import { startGatewayProcess } from "../../support/gateway-process.ts";
import type { History } from "../../support/history.ts";
import type { Schedule } from "../../support/history-schedules.ts";
import type { Mutation } from "../../support/mutations.ts";
import { administratorOf, finalTask, prepare, startClient } from "./play-history.ts";

/** Seconds of a lease that the schedule lets end; the others' outlive any load. */
const ENDING: Partial<Record<Schedule, number>> = {
  "fence-not-compared": 6,
  "zombie-accepted": 2,
  "expiry-ignored": 2,
};
const SLOT = { lease_seconds: 60, slot_seconds: 61, max_claims: 10 };

/** One client process plays the calls that show one broken rule, against a gateway with or without it. */
export async function playSchedule(
  schedule: Schedule,
  { mutation, storeUrl }: { mutation?: Mutation; storeUrl?: string } = {},
): Promise<History> {
  const gateway = await startGatewayProcess({
    ...(mutation === undefined ? {} : { mutation }),
    ...(storeUrl === undefined ? {} : { storeUrl }),
  });
  const tasks = await prepare(gateway, { plain: 3, leaseSeconds: ENDING[schedule] ?? 60, slot: SLOT });
  const workers = [await gateway.registerWorker(), await gateway.registerWorker()];
  const plan = { url: gateway.url, workers, administrator: administratorOf(gateway), tasks, schedule };
  const events = await startClient(plan);
  return { events, final: await Promise.all(tasks.map(({ task }) => finalTask(gateway, task, SLOT))) };
}
