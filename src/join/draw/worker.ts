import { parentPort, workerData } from "node:worker_threads";
import { LastLayout } from "../decode/last-layout.ts";
import { type DrawDesk, drawFrame } from "./draw-frame.ts";
import type { DrawTask } from "./messages.ts";

// Entry of a drawing thread: the only place of join where pngjs decodes.
const desk: DrawDesk = { layout: new LastLayout(), memoryBytes: workerData.memoryBytes };
parentPort?.on("message", (task: DrawTask) => parentPort?.postMessage(drawFrame(task, desk)));
parentPort?.postMessage("ready");
