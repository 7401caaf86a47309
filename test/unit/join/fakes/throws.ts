import { parentPort } from "node:worker_threads";

// A decoder with a fault of its own.
parentPort?.on("message", () => {
  throw new TypeError("a fault of the decoder");
});
parentPort?.postMessage("ready");
