import { parentPort } from "node:worker_threads";
import { drawFrame } from "./draw-frame.ts";
import type { DrawTask } from "./messages.ts";

// Entry of a drawing thread: the only place of join where pngjs decodes.
parentPort?.on("message", (task: DrawTask) => parentPort?.postMessage(drawFrame(task)));
parentPort?.postMessage("ready");
