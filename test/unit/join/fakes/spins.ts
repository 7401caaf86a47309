import { parentPort } from "node:worker_threads";

// A decoder that never comes to an end with a task named "spin", and echoes every other.
parentPort?.on("message", (task: unknown) => {
  while (task === "spin");
  parentPort?.postMessage(task);
});
parentPort?.postMessage("ready");
