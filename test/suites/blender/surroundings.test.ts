import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile } from "node:fs/promises";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { z } from "zod";
import { CONTAINMENTS, type Containment } from "../../../contracts/documents/policy.ts";
import { renderFrames } from "../../../src/blender/render.ts";
import { attempt, fakeBlender } from "../../support/blender.ts";

const Seen = z.object({
  environment: z.record(z.string(), z.string()),
  parents_environment: z.array(z.string()),
  descriptors: z.record(z.string(), z.string()),
  interfaces: z.array(z.string()),
  root: z.array(z.string()),
  etc: z.array(z.string()),
  processes: z.array(z.string()),
  capabilities: z.string(),
  remount: z.number(),
  mknod: z.number(),
  user_namespace: z.number(),
  scene_writable: z.boolean(),
});

async function surroundings(containment: Containment) {
  const options = await attempt(await fakeBlender("dumps-surroundings"), { containment });
  await renderFrames(options);
  return { seen: await dumpOf(options.runFolder), options };
}

const dumpOf = async (runFolder: string) =>
  Seen.parse(JSON.parse(await readFile(join(runFolder, "facts", "dump.json"), "utf8")));

test.each(CONTAINMENTS)(
  "%s: the environment is exactly the allow-list, with folders of the run",
  async (containment) => {
    const { seen, options } = await surroundings(containment);
    // PWD and the like are made by a shell or by bubblewrap itself, not inherited.
    const { PWD: _, SHLVL: __, ...environment } = seen.environment;
    const inside = containment === "bwrap";
    expect(environment).toEqual({
      HOME: inside ? "/handoff/home" : `${options.runFolder}/home`,
      TMPDIR: inside ? "/tmp" : `${options.runFolder}/tmp`,
      PATH: "/usr/local/bin:/usr/bin:/bin",
      LANG: "C",
      LC_ALL: "C",
      RENDER_HANDOFF_MARKER: options.marker,
    });
  },
);

test.each(CONTAINMENTS)(
  "%s: no descriptor is inherited, not even one that we were started with",
  async (containment) => {
    const identity = await fakeBlender("dumps-surroundings");
    const { signal: _, clock: __, identity: ___, ...options } = await attempt(identity, { containment });
    const program = fileURLToPath(new URL("./render-in-process.ts", import.meta.url));
    const secret = await open(join(options.sceneFolder, "secret"), "w");
    // Above 16: up to there Node closes on exec what it was started with.
    const further = Array.from({ length: 20 }, () => secret.fd);
    const owner = spawn(process.execPath, [program, identity.path, JSON.stringify(options)], {
      stdio: ["ignore", "ignore", "inherit", ...further],
    });
    await once(owner, "exit");
    await secret.close();
    const targets = Object.values((await dumpOf(options.runFolder)).descriptors);
    expect(targets.filter((target) => target !== "/dev/null")).toEqual([]);
  },
);

test("bwrap: no capability, no remount, no device node, no further user namespace, no network", async () => {
  const { seen } = await surroundings("bwrap");
  expect(seen.capabilities).toBe("0000000000000000");
  expect(seen.remount).not.toBe(0);
  expect(seen.mknod).not.toBe(0);
  expect(seen.user_namespace).not.toBe(0);
  expect(seen.interfaces).toEqual(["lo"]);
});

// what --trust-scenes accepts: it is why these two are taken for trusted scenes alone
test.each(["unshare", "process-group"] as const)(
  "%s: the machine's network is there as without a containment",
  async (containment) => {
    const { seen } = await surroundings(containment);
    // Node.js names those alone that are up
    expect(seen.interfaces).toEqual(expect.arrayContaining(Object.keys(networkInterfaces())));
  },
);

test("bwrap: no user's files, no other processes, a scene that cannot be written", async () => {
  const { seen } = await surroundings("bwrap");
  for (const hidden of ["home", "root", "var", "opt", "srv", "mnt"]) expect(seen.root).not.toContain(hidden);
  expect(seen.etc.filter((name) => !["alternatives", "fonts", "ld.so.cache"].includes(name))).toEqual([]);
  expect(seen.processes.length).toBeLessThan(5);
  expect(seen.scene_writable).toBe(false);
});

test("bwrap: the wrapper, which /proc shows inside, has nothing of our environment either", async () => {
  const { seen } = await surroundings("bwrap");
  const names = seen.parents_environment.map((entry) => entry.split("=")[0]);
  expect(
    names.filter((name) => !["PATH", "LANG", "PWD", "RENDER_HANDOFF_MARKER"].includes(name ?? "")),
  ).toEqual([]);
});

test("unshare: other processes of this machine are not visible", async () => {
  expect((await surroundings("unshare")).seen.processes.length).toBeLessThan(5);
});
