import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { FrameMetadata } from "../../../contracts/documents/frame-metadata.ts";
import { SlotResult } from "../../../contracts/documents/slot-result.ts";
import { runChild } from "../../../src/render-child/run.ts";
import { childOptions, fixtureBlender, putJob } from "../../support/child.ts";
import { startGateway } from "../../support/gateway.ts";
import { IN_REACH, lyingBlender } from "../../support/lying-blender.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

/** Puts text into the finished frames, as Blender's stamps do, and as a hostile scene would. */
const TEXT = [
  "import struct, zlib",
  "for number in map(int, args[args.index('--render-frame') + 1].split(',')):",
  "    data = open(frame(number), 'rb').read()",
  "    for text in (b'Frame\\0%d' % number, b'RenderTime\\0@', b'Camera\\0/home/anna/cam', b'Memory\\0\\x1b[2J'):",
  "        text = text.replace(b'@', b'00:01.25')",
  "        chunk = struct.pack('>I', len(text)) + b'tEXt' + text + struct.pack('>I', zlib.crc32(b'tEXt' + text))",
  "        data = data[:33] + chunk + data[33:]",
  "    open(frame(number), 'wb').write(data)",
].join("\n");

test("wanted text goes to a file of the worker's own; the bundle's frames are the same as without", async () => {
  const gateway = await startGateway();
  const blender = await lyingBlender(fixtureBlender("honest"), { after: TEXT });
  const plain = await lyingBlender(fixtureBlender("honest"), {});
  await putJob(gateway, blender, { ...IN_REACH, jobId: "kept" });
  await putJob(gateway, plain, { ...IN_REACH, jobId: "plain" });
  const folder = join(await temporaryFolder(), "mine");
  const options = await childOptions(gateway, await gateway.registerWorker());
  const metadata = { keywords: ["RenderTime", "Camera", "Memory"], folder, hostNames: [] } as const;
  const kept = { ...options, jobId: "kept", blender: blender.path, metadata };
  expect(await runChild(kept)).toMatchObject({ outcome: "completed" });
  expect(await runChild({ ...options, jobId: "plain", blender: plain.path })).toMatchObject({
    outcome: "completed",
  });

  expect(readdirSync(folder)).toEqual(["kept.a.1.json"]);
  const path = join(folder, "kept.a.1.json");
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const document = FrameMetadata.parse(JSON.parse(readFileSync(path, "utf8")));
  expect(document).toMatchObject({ task_id: "kept.a", slot: "a", fencing_token: 1 });
  expect(document.frames).toEqual(
    [205, 206, 207].map((frame) => ({
      frame,
      text: { RenderTime: "00:01.25" },
      withheld: ["Camera", "Memory"],
    })),
  );
  const frames = async (job: string) =>
    SlotResult.parse((await gateway.call(`/q/request/${job}.a`)).json()["result"]).frames;
  expect(await frames("kept")).toEqual(await frames("plain"));
});

test("stamps that nobody asked for are refused, whatever else is kept", async () => {
  const gateway = await startGateway();
  const blender = await lyingBlender(fixtureBlender("honest"), { after: TEXT });
  await putJob(gateway, blender, IN_REACH);
  const folder = await temporaryFolder();
  const metadata = { keywords: ["RenderTime", "Memory"], folder, hostNames: [] } as const;
  const options = await childOptions(gateway, await gateway.registerWorker(), {
    blender: blender.path,
    metadata,
  });
  const result = await runChild(options);
  expect(result).toMatchObject({ outcome: "failed", reason: "RENDER_FRAME_INVALID" });
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be written to costs no finished frame", async () => {
  const gateway = await startGateway();
  await putJob(gateway, "honest");
  const file = join(await temporaryFolder(), "file");
  writeFileSync(file, "");
  const told: string[] = [];
  const options = await childOptions(gateway, await gateway.registerWorker(), {
    metadata: { keywords: ["RenderTime"], folder: join(file, "in"), hostNames: [] },
    logger: { log: (_, event, fields) => void told.push(`${event} ${fields?.detail}`) },
  });
  expect(await runChild(options)).toMatchObject({ outcome: "completed" });
  expect(told).toContain("metadata_not_kept ENOTDIR");
});

test("dispatch run keeps text by the same flags", async () => {
  const gateway = await startGateway();
  const blender = await lyingBlender(fixtureBlender("honest"), { after: TEXT });
  await putJob(gateway, blender, IN_REACH);
  const [home, worker] = [await temporaryFolder(), await gateway.registerWorker()];
  const tokenFile = join(home, "w.token");
  writeFileSync(tokenFile, `${worker.token}\n`, { mode: 0o600 });
  const dispatch = (...args: string[]) =>
    runCli("render-handoff", ["dispatch", ...args, "--token-file", tokenFile], {
      cwd: home,
      env: { HOME: home },
    });
  await dispatch("enqueue", "nights", "--slot", "a", "--job", "shot", "--gateway", gateway.url);
  const run = ["run", "--output", "out", "--blender", blender.path, "--trust-scenes"];
  const refused = await dispatch(...run, "--keep-metadata", "Hostname");
  expect(refused).toMatchObject({ exit: 2, code: "USAGE_ARGUMENT" });
  const ran = await dispatch(
    ...run,
    "--keep-metadata",
    "RenderTime,Camera,Memory",
    "--metadata-folder",
    join(home, "mine"),
  );
  expect(ran, ran.stderr).toMatchObject({ exit: 0 });
  const [name = ""] = readdirSync(join(home, "mine"));
  const document = FrameMetadata.parse(JSON.parse(readFileSync(join(home, "mine", name), "utf8")));
  expect(document.frames[0]?.text).toEqual({ RenderTime: "00:01.25" });
});
