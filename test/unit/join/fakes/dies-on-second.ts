import { parentPort } from "node:worker_threads";
import { answerTo } from "../../../../src/join/decode/answer.ts";
import type { DecodeTask } from "../../../../src/join/decode/messages.ts";

// The real decoder, but for the second member of a bundle, which ends it.
parentPort?.on("message", async (task: DecodeTask) => {
  const range = task.kind === "inspect" ? task.range : null;
  if (range !== null && range.from <= 1 && range.to > 1) process.exit(7);
  parentPort?.postMessage(await answerTo(task));
});
parentPort?.postMessage("ready");
