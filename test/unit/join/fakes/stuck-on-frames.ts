import { parentPort } from "node:worker_threads";
import { answerTo } from "../../../../src/join/decode/answer.ts";
import type { DecodeTask } from "../../../../src/join/decode/messages.ts";

// The real decoder, but for one frame that it never comes to an end with.
parentPort?.on("message", async (task: DecodeTask) => {
  while (task.kind === "frame" && task.member === "frame_0209.png");
  parentPort?.postMessage(await answerTo(task));
});
parentPort?.postMessage("ready");
