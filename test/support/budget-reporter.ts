import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";

interface Row {
  seconds: number;
  cases: number;
}

/** Prints a budget table (suite, seconds, cases) and, last, the line `N passed, N failed`. */
export default class BudgetReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const rows = new Map<string, Row>();
    const count = { passed: 0, failed: unhandled.length, skipped: 0 };
    const skips: string[] = [];
    for (const module of modules) {
      const path = relative(`${module.project.config.root}/test`, module.moduleId);
      const suite = path.split("/").slice(0, 2).join("/");
      const row = rows.get(suite) ?? { seconds: 0, cases: 0 };
      if (module.children.size === 0 && module.state() === "failed") count.failed += 1;
      row.seconds += module.diagnostic().duration / 1_000;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        count[state === "passed" || state === "failed" ? state : "skipped"] += 1;
        if (state === "skipped") skips.push(`${path}: ${test.fullName}`);
        row.cases += 1;
      }
      rows.set(suite, row);
    }
    console.log("\nbudget: suite, seconds, cases");
    for (const [suite, row] of [...rows].sort(([, left], [, right]) => right.seconds - left.seconds)) {
      console.log(
        `  ${suite.padEnd(44)} ${row.seconds.toFixed(1).padStart(8)} ${String(row.cases).padStart(7)}`,
      );
    }
    for (const skipped of skips) console.log(`skipped: ${skipped}`);
    console.log(
      `${count.passed} passed, ${count.failed} failed${count.skipped > 0 ? `, ${count.skipped} skipped` : ""}`,
    );
  }
}
