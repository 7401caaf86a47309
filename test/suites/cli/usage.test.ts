import { chmod, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

const token = `rhw_${"0".repeat(12)}4000a${"0".repeat(15)}_${"A".repeat(43)}`;
const nowhere = "http://127.0.0.1:9";

async function tokenFile(folder: string, text = token, mode = 0o600): Promise<string> {
  const path = join(folder, "token");
  await writeFile(path, `${text}\n`);
  await chmod(path, mode);
  return path;
}

describe("a wrong call ends with exit code 2 and its code, and does nothing", () => {
  test.each([
    ["USAGE_UNKNOWN_FLAG", "render-handoff", ["demo", "--frobnicate"]],
    ["USAGE_UNKNOWN_FLAG", "render-handoff", ["frobnicate"]],
    ["USAGE_UNKNOWN_FLAG", "join", ["verify", "--ou", "x"]],
    [
      "USAGE_REPEATED_FLAG",
      "render-child",
      ["--slot", "a", "--slot", "b", "--gateway", nowhere, "--token-file", "x"],
    ],
    ["USAGE_REPEATED_FLAG", "join", ["verify", "x", "--out", "y", "--out", "z"]],
    ["USAGE_ARGUMENT", "render-child", ["--slot", "c", "--gateway", nowhere, "--token-file", "x"]],
    ["USAGE_ARGUMENT", "render-child", ["--gateway", nowhere, "--token-file", "x"]],
    ["USAGE_ARGUMENT", "render-child", ["--slot", "a", "--gateway", nowhere, "--token-file", "x", "more"]],
    [
      "USAGE_ARGUMENT",
      "render-child",
      ["--slot", "a", "--gateway", nowhere, "--token-file", "x", "--threads", "1e3"],
    ],
    [
      "USAGE_ARGUMENT",
      "render-child",
      ["--slot", "a", "--gateway", nowhere, "--token-file", "x", "--keep-metadata", "Frame,Hostname"],
    ],
    ["USAGE_ARGUMENT", "render-handoff", ["demo", "--frames", "205..210"]],
    [
      "USAGE_ARGUMENT",
      "render-handoff",
      ["submit", "x.blend", "--frames", "1-2", "--data", "d", "--bit-depth", "nine"],
    ],
    [
      "USAGE_ARGUMENT",
      "render-handoff",
      ["submit", "x.blend", "--frames", "1-2", "--data", "d", "--engine", "OTHER"],
    ],
    ["USAGE_ARGUMENT", "render-handoff", ["submit", "x.blend"]],
    ["USAGE_ARGUMENT", "render-handoff", ["gateway", "serve", "--data", "x", "--port", "65536"]],
    ["USAGE_ARGUMENT", "render-handoff", ["worker", "list"]],
    ["USAGE_ARGUMENT", "join", ["verify"]],
    ["USAGE_ARGUMENT", "join", ["verify", "x", "--job", "y"]],
    ["USAGE_ARGUMENT", "join", ["verify", "x", "--expect-job", "ABC"]],
    ["USAGE_TOKEN_FILE", "render-child", ["--slot", "a", "--gateway", nowhere, "--token-file", "absent"]],
    ["USAGE_FILE_UNREADABLE", "join", ["verify", "absent"]],
  ] as const)("%s: %s %j", async (code, program, args) => {
    const run = await runCli(program, args, { cwd: await temporaryFolder() });
    expect([run.code, run.exit]).toEqual([code, 2]);
    expect(run.stdout).toBe("");
    expect(run.stderr).not.toMatch(/\n\s+at /);
  });
});

test("a token that others can read is refused", async () => {
  const folder = await temporaryFolder();
  const run = await runCli("render-child", [
    "--slot",
    "a",
    "--gateway",
    nowhere,
    "--token-file",
    await tokenFile(folder, token, 0o644),
  ]);
  expect([run.code, run.exit]).toEqual(["USAGE_TOKEN_FILE", 2]);
});

test("a file that holds no token is refused", async () => {
  const folder = await temporaryFolder();
  const run = await runCli("render-child", [
    "--slot",
    "a",
    "--gateway",
    nowhere,
    "--token-file",
    await tokenFile(folder, "hello"),
  ]);
  expect([run.code, run.exit]).toEqual(["USAGE_TOKEN_FILE", 2]);
});

test("http:// to another machine is refused before a byte is sent", async () => {
  const folder = await temporaryFolder();
  const file = await tokenFile(folder);
  const run = await runCli("render-child", [
    "--slot",
    "a",
    "--gateway",
    "http://render.example:1",
    "--token-file",
    file,
    "--state",
    join(folder, "s"),
  ]);
  expect([run.code, run.exit]).toEqual(["USAGE_INSECURE_GATEWAY", 2]);
});

test("a folder for metadata that cannot be made is said before anything is asked for", async () => {
  const folder = await temporaryFolder();
  const token = await tokenFile(folder);
  const run = await runCli("render-child", [
    ...["--slot", "a", "--gateway", nowhere, "--token-file", token, "--state", join(folder, "s")],
    ...["--keep-metadata", "RenderTime", "--metadata-folder", join(token, "in-a-file")],
  ]);
  expect([run.code, run.exit]).toEqual(["USAGE_FOLDER_UNWRITABLE", 2]);
});

test("a gateway that is not there is worth a retry", async () => {
  const folder = await temporaryFolder();
  const args = [
    "--slot",
    "a",
    "--gateway",
    nowhere,
    "--token-file",
    await tokenFile(folder),
    "--state",
    join(folder, "s"),
    "--trust-scenes",
  ];
  const run = await runCli("render-child", args);
  expect([run.code, run.exit]).toEqual(["GATEWAY_UNREACHABLE", 3]);
});

test("with --json a failure is one JSON document on stdout too", async () => {
  const run = await runCli("join", ["verify", "absent", "--json"], { cwd: await temporaryFolder() });
  expect(JSON.parse(run.stdout)).toMatchObject({
    schema: "render_handoff.error.v1",
    code: "USAGE_FILE_UNREADABLE",
    exit: 2,
  });
});

test("flags win over the environment, and the environment over the configuration file", async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "config.json");
  await writeFile(config, JSON.stringify({ data: join(folder, "from-config"), json: true }));
  await mkdir(join(folder, "from-env"));
  const place = join(folder, "from-config");
  expect((await runCli("render-handoff", ["checker", "add", "c", "--data", place])).exit).toBe(0);
  const list = (env: Record<string, string>, ...args: string[]) =>
    runCli("render-handoff", ["worker", "list", ...args], { env: { RENDER_HANDOFF_CONFIG: config, ...env } });
  expect(JSON.parse((await list({})).stdout)).toEqual({ workers: [] });
  const add = await runCli("render-handoff", ["worker", "add", "w", "--data", join(folder, "from-env")]);
  expect(add.exit).toBe(0);
  expect(
    JSON.parse((await list({ RENDER_HANDOFF_DATA: join(folder, "from-env") })).stdout).workers,
  ).toHaveLength(1);
  expect(
    JSON.parse(
      (await list({ RENDER_HANDOFF_DATA: join(folder, "from-env") }, "--data", join(folder, "from-config")))
        .stdout,
    ).workers,
  ).toHaveLength(0);
});

test("a flag that must be given may come from the configuration file", async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "config.json");
  const settings = {
    gateway: nowhere,
    "token-file": await tokenFile(folder),
    slot: "a",
    state: join(folder, "s"),
  };
  const child = async (given: object) => {
    await writeFile(config, JSON.stringify(given));
    return runCli("render-child", ["--trust-scenes"], { env: { RENDER_HANDOFF_CONFIG: config } });
  };
  expect((await child(settings)).code).toBe("GATEWAY_UNREACHABLE");
  const lacking = await child({ ...settings, slot: undefined });
  expect([lacking.code, lacking.exit]).toEqual(["USAGE_ARGUMENT", 2]);
  expect(lacking.stderr).toContain("--slot <slot>");
  expect((await child({ ...settings, slot: "c" })).code).toBe("USAGE_ARGUMENT");
  expect((await child({ ...settings, gateway: true })).code).toBe("USAGE_FILE_INVALID");
  expect((await child({ ...settings, "drain-only": "yes" })).code).toBe("USAGE_FILE_INVALID");
});

test("a configuration file that is no JSON object of settings is refused", async () => {
  const folder = await temporaryFolder();
  const config = join(folder, "config.json");
  await writeFile(config, '{"data":"x","data":"y"}');
  const run = await runCli("render-handoff", ["worker", "list"], { env: { RENDER_HANDOFF_CONFIG: config } });
  expect([run.code, run.exit]).toEqual(["USAGE_FILE_INVALID", 2]);
});

test.each([["join"], ["render-child"], ["render-handoff"]] as const)(
  "%s --help shows what there is and exits 0",
  async (program) => {
    const run = await runCli(program, ["--help"]);
    expect(run.exit).toBe(0);
    expect(run.stdout).toContain("Usage:");
  },
);
