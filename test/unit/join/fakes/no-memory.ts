import { parentPort } from "node:worker_threads";
import { HandoffError } from "../../../../src/core/error.ts";

// A decoder whose machine has no memory left when it inflates.
parentPort?.on("message", () => {
  throw new HandoffError("INTERNAL_UNEXPECTED", "inflate failed", {
    cause: new RangeError("Array buffer allocation failed"),
  });
});
parentPort?.postMessage("ready");
