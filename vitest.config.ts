import { join } from "node:path";
import { defineConfig } from "vitest/config";

// most of a start of Node.js from sources is to strip and compile them: done once for all processes of the tests
process.env["NODE_COMPILE_CACHE"] ??= join(import.meta.dirname, "node_modules/.cache/compiled");

const project = (name: string, include: string[], testTimeout: number) => ({
  extends: true as const,
  test: { name, include, testTimeout, hookTimeout: testTimeout },
});

export default defineConfig({
  test: {
    pool: "forks",
    // one file for each core of a small machine: a file waits or computes, and seldom does more than one at once
    maxWorkers: 2,
    // for what has to come: a second is short for a process on a busy machine
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ["test/support/leak-check.ts"],
    reporters: ["default", "./test/support/budget-reporter.ts"],
    projects: [
      project("unit", ["test/unit/**/*.test.ts", "test/architecture/**/*.test.ts"], 60_000),
      project("suites", ["test/suites/**/*.test.ts"], 120_000),
      project("e2e", ["test/e2e/**/*.test.ts"], 600_000),
    ],
  },
});
