import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary.ts";

/** Each ends in one clear sentence with its code and exit code; nothing is queued. */
const submitting = async (args: readonly string[], folder: string) =>
  runCli("render-handoff", ["submit", ...args, "--data", join(folder, "data")], { cwd: folder });

test("a scene that is not there, or is no .blend, is refused before Blender starts", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "text.blend"), "hello");
  for (const scene of ["absent.blend", "text.blend"]) {
    const run = await submitting([scene, "--frames", "205-210"], folder);
    expect([scene, run.code, run.exit]).toEqual([scene, "USAGE_SCENE_UNREADABLE", 2]);
  }
});

test.each([["205-205"], ["210-205"]])("the range %s cannot be split", async (frames) => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "x.blend"), "BLENDER-v304");
  const run = await submitting(["x.blend", "--frames", frames], folder);
  expect([run.code, run.exit]).toEqual(["USAGE_FRAMES", 2]);
});

test("a Blender that is not there is named", async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, "x.blend"), "BLENDER-v304");
  const run = await submitting(
    ["x.blend", "--frames", "205-210", "--blender", "/nonexistent/blender"],
    folder,
  );
  expect([run.code, run.exit]).toEqual(["RENDER_BLENDER_MISSING", 4]);
});

test("an output path that is there already is refused and left as it is", async () => {
  const folder = await temporaryFolder();
  const out = join(folder, "out");
  await mkdir(out);
  await writeFile(join(out, "mine"), "mine");
  const evidence = join(import.meta.dirname, "../../fixtures/evidence/accept/two-workers");
  const run = await runCli("join", ["verify", evidence, "--out", out]);
  expect([run.code, run.exit]).toEqual(["USAGE_OUTPUT_EXISTS", 2]);
  expect(await readdir(out)).toEqual(["mine"]);
  expect(await readFile(join(out, "mine"), "utf8")).toBe("mine");
});

test("a token that the gateway does not know ends with exit code 4", async () => {
  const folder = await temporaryFolder();
  const data = join(folder, "data");
  const other = join(folder, "other");
  for (const [where, file] of [
    [data, "known"],
    [other, "foreign"],
  ] as const)
    expect(
      (
        await runCli("render-handoff", [
          "worker",
          "add",
          "w",
          "--data",
          where,
          "--token-file",
          join(folder, file),
        ])
      ).exit,
    ).toBe(0);
  const gateway = await import("../../src/gateway/open.ts");
  const { systemClock } = await import("../../src/core/clock.ts");
  const served = await gateway.openGateway({
    dataFolder: data,
    host: "127.0.0.1",
    port: 0,
    clock: systemClock,
    logger: { log: () => {} },
  });
  try {
    const run = await runCli("render-child", [
      "--slot",
      "a",
      "--gateway",
      served.url,
      "--token-file",
      join(folder, "foreign"),
      "--state",
      join(folder, "s"),
      "--json",
    ]);
    expect([run.code, run.exit]).toEqual(["GATEWAY_UNAUTHORIZED", 4]);
    expect(JSON.parse(run.stdout)).toMatchObject({ outcome: "failed", reason: "GATEWAY_UNAUTHORIZED" });
  } finally {
    await served.close();
  }
});
