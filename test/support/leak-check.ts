import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { beforeEach, expect } from "vitest";

/** After each test: no child process, no folder of ours in the temporary folder, no listening port is left. */
interface Held {
  readonly children: string[];
  readonly folders: string[];
  readonly ports: string[];
}

let before: Held;
beforeEach(({ onTestFinished }) => {
  before = held();
  onTestFinished(nothingLeft); // registered first, so it runs last, after every clean-up of the test itself
});

async function nothingLeft(): Promise<void> {
  // the kernel may need a moment to reap what a test has already waited for
  for (let tries = 0; tries < 500 && fresh().length > 0; tries += 1)
    await new Promise((resolve) => setTimeout(resolve, 20));
  expect(fresh(), "left behind by this test").toEqual([]);
}

function fresh(): string[] {
  const now = held();
  return (["children", "folders", "ports"] as const).flatMap((kind) =>
    now[kind].filter((item) => !before[kind].includes(item)).map((item) => `${kind}: ${item}`),
  );
}

const held = (): Held => ({ children: children(), folders: folders(), ports: ports() });

const folders = (): string[] =>
  readdirSync(tmpdir()).filter((name) => name.startsWith(`render-handoff-${process.pid}-`));

function children(): string[] {
  const found: string[] = [];
  const parents = new Map<string, string>();
  for (const pid of readdirSync("/proc").filter((name) => /^\d+$/.test(name))) {
    const stat = read(`/proc/${pid}/stat`);
    const rest = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (rest[1] !== undefined && rest[0] !== "Z") parents.set(pid, rest[1]);
  }
  for (const pid of parents.keys()) {
    for (let up = parents.get(pid); up !== undefined && up !== "0"; up = parents.get(up)) {
      if (up === String(process.pid)) {
        found.push(`${pid} ${read(`/proc/${pid}/cmdline`).replaceAll("\0", " ").slice(0, 120)}`);
        break;
      }
    }
  }
  return found;
}

function ports(): string[] {
  const own = new Set(readdirSync("/proc/self/fd").map((fd) => link(`/proc/self/fd/${fd}`)));
  return ["/proc/self/net/tcp", "/proc/self/net/tcp6"].flatMap((path) =>
    read(path)
      .split("\n")
      .slice(1)
      .map((line) => line.trim().split(/\s+/))
      .filter((cells) => cells[3] === "0A" && own.has(`socket:[${cells[9]}]`))
      .map((cells) => cells[1] ?? ""),
  );
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
