import { parentPort, workerData } from "node:worker_threads";
import { answerTo, type Desk } from "./answer.ts";
import { LastLayout } from "./last-layout.ts";
import type { DecodeTask } from "./messages.ts";
import { Scratch } from "./scratch.ts";

// Entry of a decoder thread. It loads the frame check and the bundle reader only: its start-up is a part of
// every verdict.
const desk: Desk = { memoryBytes: workerData.memoryBytes, scratch: new Scratch(), layout: new LastLayout() };
parentPort?.on("message", async (task: DecodeTask) => parentPort?.postMessage(await answerTo(task, desk)));
parentPort?.postMessage("ready");
