import { parentPort } from "node:worker_threads";

// A decoder that ends in the middle of a task.
parentPort?.on("message", () => process.exit(7));
parentPort?.postMessage("ready");
