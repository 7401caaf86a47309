import { defineConfig } from "vitest/config";

// suites mostly wait, so two files run at once; Blender takes the whole machine, so e2e has it alone, first
const project = (name: string, include: string[], testTimeout: number, maxWorkers: 1 | 2) => ({
  extends: true as const,
  test: {
    name,
    include,
    testTimeout,
    hookTimeout: testTimeout,
    maxWorkers,
    sequence: { groupOrder: maxWorkers },
  },
});

export default defineConfig({
  test: {
    pool: "forks",
    // for what has to come: a second is short for a process on a busy machine
    expect: { poll: { timeout: 30_000 } },
    setupFiles: ["test/support/leak-check.ts"],
    reporters: ["default", "./test/support/budget-reporter.ts"],
    projects: [
      project("unit", ["test/unit/**/*.test.ts", "test/architecture/**/*.test.ts"], 60_000, 2),
      project("suites", ["test/suites/**/*.test.ts"], 120_000, 2),
      project("e2e", ["test/e2e/**/*.test.ts"], 600_000, 1),
    ],
  },
});
