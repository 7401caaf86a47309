import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const SEEDS = "../shared/seeds";
const DRIVER = `
import json, sys, time
sys.path.insert(0, sys.argv[1])
from sqlite_reference import LeaseQueue, request
count = int(sys.argv[3])
queue = LeaseQueue(sys.argv[2])
for n in range(count):
    queue.enqueue(f"t.{n}", {"work": f"t.{n}"})
started = time.perf_counter()
for n in range(count):
    lease = queue.claim(f"t.{n}", "worker", 100, 600)
    queue.submit(request(f"t.{n}", "worker", 1, {"answer": 42}), f"key.{n}", 101)
print(count / (time.perf_counter() - started))
`;

/** Pairs in a second of the Python reference that the seed records; null where the seeds are not here. */
export function referencePairs(folder: string, count: number): number | null {
  const program = programText();
  if (program === null) return null;
  writeFileSync(join(folder, "sqlite_reference.py"), program);
  writeFileSync(join(folder, "drive.py"), DRIVER);
  const database = join(folder, "reference.sqlite");
  const args = ["-B", join(folder, "drive.py"), folder, database, String(count)];
  return Number(execFileSync("python3", args, { encoding: "utf8" }));
}

function programText(): string | null {
  let seed: string | undefined;
  try {
    seed = readdirSync(SEEDS).find((name) => name.startsWith("000"));
  } catch {
    return null;
  }
  if (seed === undefined) return null;
  const { objects } = JSON.parse(readFileSync(join(SEEDS, seed), "utf8"));
  for (const { payload_json } of objects) {
    const text: unknown = JSON.parse(payload_json).files?.["sqlite_reference.py"];
    if (typeof text === "string") return text;
  }
  return null;
}
