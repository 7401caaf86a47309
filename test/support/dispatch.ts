import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DispatchResult } from "../../contracts/documents/dispatch-result.ts";
import { systemClock } from "../../src/core/clock.ts";
import { enqueue } from "../../src/dispatch/enqueue.ts";
import type { DispatchOptions } from "../../src/dispatch/run-due.ts";
import { childOptions } from "./child.ts";
import type { TestWorker } from "./gateway.ts";
import { temporaryFolder } from "./temporary.ts";

export const NOBODY: TestWorker = {
  workerUuid: "w_00000000-0000-4000-8000-000000000001",
  token: `rhw_${"0".repeat(12)}40008${"0".repeat(14)}1_${"A".repeat(43)}`,
};

/** Options of a dispatch run in a state folder of its own, with one entry for the job `shot`, slot a. */
export async function dispatchOptions(
  url: string,
  worker: TestWorker = NOBODY,
  change: Partial<DispatchOptions> & { jobId?: string | null } = {},
): Promise<DispatchOptions> {
  const { jobId = "shot", ...rest } = change;
  const options = {
    ...(await childOptions({ url }, worker, { maxWaitSeconds: 2 })),
    outputFolder: join(await temporaryFolder(), "run"),
    now: null,
    ...rest,
  };
  const { stateFolder } = options;
  enqueue({
    stateFolder,
    id: "entry",
    slot: "a",
    jobId,
    gatewayUrl: url,
    allowInsecure: false,
    everySeconds: null,
    due: null,
    clock: systemClock,
  });
  return options;
}

/** The same in a new output folder. */
export const again = async (options: DispatchOptions): Promise<DispatchOptions> => ({
  ...options,
  outputFolder: join(await temporaryFolder(), "run"),
});

/** result.json and the capture's documents, in order. */
export function outputOf({ outputFolder }: DispatchOptions) {
  const folder = join(outputFolder, "capture");
  const names = readdirSync(folder).sort();
  return {
    result: DispatchResult.parse(JSON.parse(readFileSync(join(outputFolder, "result.json"), "utf8"))),
    names,
    exchanges: names
      .filter((name) => name.endsWith(".json"))
      .map((name) => JSON.parse(readFileSync(join(folder, name), "utf8"))),
    text: names.map((name) => readFileSync(join(folder, name), "latin1")).join("\n"),
  };
}
