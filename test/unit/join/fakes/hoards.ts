import { parentPort } from "node:worker_threads";

// A decoder that takes memory until there is none.
parentPort?.on("message", () => {
  const kept: unknown[] = [];
  for (;;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
});
parentPort?.postMessage("ready");
