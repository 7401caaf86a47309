import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { NOBODY } from "../../support/dispatch.ts";
import { problem, rawServer } from "../../support/raw-server.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

test("the commands: enqueue, list, run and unhold over one state folder", async () => {
  const server = await rawServer(problem(429, "rate_limited", { "retry-after": "99999999999" }));
  const host = new URL(server.url).host;
  const folder = await temporaryFolder();
  const tokenFile = join(folder, "w.token");
  await writeFile(tokenFile, `${NOBODY.token}\n`, { mode: 0o600 });
  const dispatch = (...args: string[]) =>
    runCli("render-handoff", ["dispatch", ...args, "--json"], { cwd: folder, env: { HOME: folder } });
  const enqueue = ["enqueue", "nights", "--slot", "a", "--gateway", server.url, "--token-file", tokenFile];
  expect(JSON.parse((await dispatch(...enqueue)).stdout)).toMatchObject({ id: "nights", state: "waiting" });
  expect(await dispatch(...enqueue)).toMatchObject({ exit: 2, code: "USAGE_DISPATCH_KNOWN" });
  const ran = await dispatch("run", "--token-file", tokenFile, "--output", "out", "--trust-scenes");
  expect(ran.exit).toBe(0);
  expect(JSON.parse(ran.stdout)).toMatchObject({ outcome: "held", held: [host] });
  const again = await dispatch("run", "--token-file", tokenFile, "--output", "out");
  expect(again).toMatchObject({ exit: 2, code: "USAGE_OUTPUT_EXISTS" });
  const listed = JSON.parse((await dispatch("list", "--token-file", tokenFile)).stdout);
  expect(listed.entries).toMatchObject([{ id: "nights", last_outcome: "held", next_due_utc: null }]);
  expect(listed.entries[0].host_held).toContain("429");
  expect((await dispatch("unhold", host, "--token-file", tokenFile)).exit).toBe(0);
  expect(await dispatch("unhold", host, "--token-file", tokenFile)).toMatchObject({
    exit: 2,
    code: "USAGE_DISPATCH_NOT_HELD",
  });
  expect(await dispatch("list")).toMatchObject({ exit: 2, code: "USAGE_ARGUMENT" });
  const wrong = await dispatch("run", "--token-file", tokenFile, "--output", "two", "--now", "tomorrow");
  expect(wrong).toMatchObject({ exit: 2, code: "USAGE_ARGUMENT" });
});
