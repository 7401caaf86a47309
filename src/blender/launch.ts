import { mkdir, rm } from "node:fs/promises";
import type { Containment } from "../../contracts/documents/policy.ts";
import type { Clock } from "../core/clock.ts";
import { type Launch, ownFolders } from "./containment/command.ts";
import { contain } from "./containment/contain.ts";
import { type BlenderFacts, readFacts } from "./facts.ts";
import type { BlenderIdentity } from "./identify.ts";
import { type KeptLog, LogKeeper } from "./process/log-keeper.ts";
import { type ProcessEnd, runProcess } from "./process/run-process.ts";

export interface LaunchOptions extends Omit<Launch, "executable"> {
  readonly identity: BlenderIdentity;
  readonly containment: Containment;
  readonly watchdogMs: number;
  readonly signal: AbortSignal;
  readonly clock: Clock;
  readonly onLine?: (line: string) => void;
  readonly onStarted?: (pid: number) => void;
}

export interface BlenderRun {
  readonly end: ProcessEnd;
  readonly log: KeptLog;
  readonly facts: BlenderFacts | null;
}

/** Starts Blender in its containment with folders of its own, and reads its facts when nothing of it lives. */
export async function launchBlender(options: LaunchOptions): Promise<BlenderRun> {
  const own = ownFolders(options.runFolder);
  for (const folder of Object.values(own)) {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
  }
  const keeper = new LogKeeper();
  const end = await runProcess({
    command: contain(options.containment, { ...options, executable: options.identity.path }),
    marker: options.marker,
    cwd: own.tmp,
    watchdogMs: options.watchdogMs,
    signal: options.signal,
    clock: options.clock,
    onLine: (line) => {
      keeper.add(line);
      options.onLine?.(line);
    },
    ...(options.onStarted === undefined ? {} : { onStarted: options.onStarted }),
  });
  return { end, log: keeper.kept(), facts: await readFacts(own.facts) };
}
