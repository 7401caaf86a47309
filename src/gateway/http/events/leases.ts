import type { TaskRow } from "../../queue/rows.ts";

/** What the leases looked like at the last look: progress is in their tasks and in no event. */
export class Leases {
  private seen: Map<string, string> | null = null;

  /** Tasks that have moved since, and how many leases are no more. The first look has nothing to compare with. */
  compare(tasks: readonly TaskRow[]): { tasks: TaskRow[]; ended: number } {
    const before = this.seen;
    this.seen = new Map(tasks.map((task) => [task.taskId, stateOf(task)]));
    const { seen } = this;
    if (before === null) return { tasks: [], ended: 0 };
    const moved = tasks.filter((task) => before.get(task.taskId) !== stateOf(task));
    const ended = [...before.keys()].filter((taskId) => !seen.has(taskId)).length;
    return { tasks: moved, ended };
  }
}

const stateOf = (task: TaskRow): string => `${task.fence} ${task.expiresAt} ${task.progress}`;
