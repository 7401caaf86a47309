import { defineConfig } from "vitest/config";

const project = (name: string, include: string[], testTimeout: number, fileParallelism: boolean) => ({
  extends: true as const,
  test: { name, include, testTimeout, hookTimeout: testTimeout, fileParallelism },
});

export default defineConfig({
  test: {
    pool: "forks",
    setupFiles: ["test/support/leak-check.ts"],
    reporters: ["default", "./test/support/budget-reporter.ts"],
    projects: [
      project("unit", ["test/unit/**/*.test.ts", "test/architecture/**/*.test.ts"], 60_000, true),
      project("suites", ["test/suites/**/*.test.ts"], 120_000, true),
      project("e2e", ["test/e2e/**/*.test.ts"], 600_000, false),
    ],
  },
});
