import { parentPort, workerData } from "node:worker_threads";

// A decoder that counts how often it was loaded, and echoes every task.
Atomics.add(new Int32Array(workerData), 0, 1);
parentPort?.on("message", (task: unknown) => parentPort?.postMessage(task));
parentPort?.postMessage("ready");
