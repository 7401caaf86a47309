import { parentPort, workerData } from "node:worker_threads";

// The second thread that is started dies while it is loaded; the first answers once that has begun.
const loaded = new Int32Array(workerData);
if (Atomics.add(loaded, 0, 1) === 1) {
  Atomics.notify(loaded, 0);
  throw new Error("at the start");
}
parentPort?.on("message", (task: unknown) => {
  Atomics.wait(loaded, 0, 1, 30_000);
  parentPort?.postMessage(task);
});
parentPort?.postMessage("ready");
