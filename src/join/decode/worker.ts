import { parentPort, workerData } from "node:worker_threads";
import { answerTo } from "./answer.ts";
import { openDesk } from "./desk.ts";
import type { DecodeTask } from "./messages.ts";

// Entry of a decoder thread. It loads the frame check and the bundle reader only: its start-up is a part of
// every verdict.
const desk = openDesk(workerData.memoryBytes);
parentPort?.on("message", async (task: DecodeTask) => parentPort?.postMessage(await answerTo(task, desk)));
parentPort?.postMessage("ready");
