import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { expect, test } from "vitest";

const FOLDER = "deploy/systemd";
const units = globSync(`${FOLDER}/*.{service,timer}`).sort();
const read = (name: string): string => readFileSync(`${FOLDER}/${name}`, "utf8");
const settings = (name: string): Map<string, string> =>
  new Map([...read(name).matchAll(/^(\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value]));

test.each(units)("systemd-analyze verify has nothing to say about %s", (unit) => {
  const { status, stdout, stderr } = spawnSync("systemd-analyze", ["verify", "--man=no", unit], {
    encoding: "utf8",
  });
  expect([status, stdout, stderr]).toEqual([0, "", ""]);
});

test.each([
  ["render-handoff-gateway.service", 2],
  ["render-handoff-worker.service", 4],
])("%s is exposed at most as far as docs/DEPLOYMENT.md says", (unit, most) => {
  const said = execFileSync(
    "systemd-analyze",
    ["security", "--offline=true", "--no-pager", `${FOLDER}/${unit}`],
    {
      encoding: "utf8",
    },
  );
  const level = Number(/Overall exposure level for \S+: ([\d.]+)/.exec(said)?.[1]);
  expect(level).toBeLessThanOrEqual(most);
});

test("a worker's service leaves bubblewrap what it needs, and takes the rest away", () => {
  const worker = settings("render-handoff-worker.service");
  expect(worker.get("RestrictNamespaces")?.split(" ").sort()).toEqual(
    ["cgroup", "ipc", "mnt", "net", "pid", "user", "uts"].sort(),
  );
  // a /proc that is covered in part cannot be mounted anew in a user namespace
  for (const covers of [
    "ProtectKernelTunables",
    "ProtectKernelLogs",
    "ProtectHostname",
    "ProtectProc",
    "ProcSubset",
    "PrivateUsers",
  ])
    expect(worker.has(covers), covers).toBe(false);
  // either leaves a graphics card without its device files on some systemd
  for (const shutsOut of ["PrivateDevices", "ProtectClock", "DevicePolicy", "DeviceAllow"])
    expect(worker.has(shutsOut), shutsOut).toBe(false);
  expect(worker.get("NoNewPrivileges")).toBe("yes");
  expect(worker.get("ProtectSystem")).toBe("strict");
  expect(worker.get("CapabilityBoundingSet")).toBe("");
});

test("behind its proxy the gateway takes nobody for a neighbour", () => {
  expect(settings("render-handoff-gateway.service").get("ExecStart")?.split(" ")).toContain("--behind-proxy");
});

test("a stop waits longer than a run needs to give its slot back", () => {
  for (const unit of units.filter((file) => file.endsWith(".service")).map((file) => basename(file)))
    expect(Number(settings(unit).get("TimeoutStopSec")), unit).toBeGreaterThan(32);
});

test("every flag in deploy/ is one that the commands have", () => {
  const known = new Set(
    globSync("man/*.1").flatMap((page) =>
      [
        ...readFileSync(page, "utf8")
          .replaceAll("\\-", "-")
          .matchAll(/^\.B (?:-\w, )?(--[a-z-]+)/gm),
      ].map(([, flag]) => flag),
    ),
  );
  const texts = globSync([
    "deploy/systemd/*",
    "deploy/cron/*",
    "deploy/kubernetes/worker-*",
    "deploy/kubernetes/gateway.yaml",
  ])
    .map((file) => readFileSync(file, "utf8"))
    .join("\n")
    .split("\n")
    .filter((line) => !/systemctl|useradd|install -[dD] -o|tini/.test(line));
  const given = texts.flatMap((line) =>
    [...line.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)].map(([flag]) => flag),
  );
  expect(given.length).toBeGreaterThan(20);
  expect([...new Set(given)].filter((flag) => !known.has(flag))).toEqual([]);
});
