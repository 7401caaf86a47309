import { parentPort } from "node:worker_threads";
import { LastLayout } from "../decode/last-layout.ts";
import { drawFrame } from "./draw-frame.ts";
import type { DrawTask } from "./messages.ts";

// Entry of a drawing thread: the only place of join where pngjs decodes.
const layout = new LastLayout();
parentPort?.on("message", (task: DrawTask) => parentPort?.postMessage(drawFrame(task, layout)));
parentPort?.postMessage("ready");
