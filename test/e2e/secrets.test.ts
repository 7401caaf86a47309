import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, readdir, readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { sha256 } from "../../src/core/digest.ts";
import { callGateway } from "../support/gateway-call.ts";
import { runCli } from "../support/run-cli.ts";
import { temporaryFolder } from "../support/temporary.ts";

const FOLDER = "nobodys-business";
const NAME = "opening-titles-draft";

/** Everything that a run leaves or says, by where it was found. */
type Left = Map<string, Buffer>;
type Program = "render-handoff" | "render-child" | "join";

async function filesBelow(folder: string): Promise<Left> {
  const left: Left = new Map();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) {
      const path = join(entry.parentPath, entry.name);
      left.set(relative(folder, path), await readFile(path));
    }
  return left;
}

/** A token as it is written, and the bytes of its secret part in other spellings. */
function spellings(token: string): Buffer[] {
  const secret = Buffer.from(token.slice(-43), "base64url");
  return [Buffer.from(token.slice(-43)), secret, ...["hex", "base64"].map((form) => encoded(secret, form))];
}
const encoded = (bytes: Buffer, form: string): Buffer =>
  Buffer.from(form === "hex" ? bytes.toString("hex") : bytes.toString("base64"));

const holding = (left: Left, needles: readonly Buffer[]): string[] =>
  [...left].filter(([, bytes]) => needles.some((one) => bytes.includes(one))).map(([name]) => name);

async function serve(data: string, said: (text: string) => void) {
  const bin = join(import.meta.dirname, "../../src/cli/bin/render-handoff.ts");
  const child = spawn(process.execPath, [bin, "gateway", "serve", "--data", data, "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  const over = once(child, "close");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await over;
  };
  onTestFinished(stop);
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (piece) => said(String(piece)));
  const [line] = await once(createInterface({ input: child.stdout }), "line");
  return { url: String(JSON.parse(String(line)).url), stop };
}

/** The events so far: the stream has no end, so it is left once the verdict is told. */
async function eventsOf(url: string, token: string): Promise<string> {
  const leave = new AbortController();
  const answer = await fetch(`${url}/q/events?after=0.0`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leave.signal,
  });
  let text = "";
  for await (const piece of answer.body ?? []) {
    text += Buffer.from(piece).toString("utf8");
    if (text.includes("verdict_posted")) break;
  }
  leave.abort();
  return text;
}

test("no token and no scene path is in anything that a whole run leaves, answers or says", {
  timeout: 900_000,
}, async () => {
  const folder = await temporaryFolder();
  const [scenes, kept, tokens] = [FOLDER, "kept", "tokens"].map((name) => join(folder, name));
  if (scenes === undefined || kept === undefined || tokens === undefined) throw new Error("no folders");
  for (const path of [scenes, kept, tokens]) await mkdir(path);
  const scene = join(scenes, `${NAME}.blend`);
  const said: Left = new Map();
  const command = async (program: Program, ...args: string[]) => expect(await ran(program, args)).toBe(0);
  const ran = async (program: Program, args: string[]) => {
    const run = await runCli(program, args, { cwd: kept });
    said.set(`said by ${program} ${args[0]} ${said.size}`, Buffer.from(run.stdout + run.stderr));
    return run.exit;
  };
  await command("render-handoff", "demo", "--make-scene", scene);
  const data = join(kept, "data");
  let log = "";
  const gateway = await serve(data, (text) => {
    log += text;
  });
  const file = (name: string): string => join(tokens, name);
  for (const name of ["one", "two"])
    await command("render-handoff", "worker", "add", name, "--data", data, "--token-file", file(name));
  await command(
    "render-handoff",
    "checker",
    "add",
    "checker",
    "--data",
    data,
    "--token-file",
    file("checker"),
  );
  const quick = ["--size", "32x18", "--samples", "1"];
  await command(
    "render-handoff",
    "submit",
    scene,
    "--frames",
    "205-206",
    "--job",
    "shot",
    "--data",
    data,
    ...quick,
  );
  const online = (name: string) => ["--gateway", gateway.url, "--token-file", file(name)];
  const child = (slot: string, name: string) =>
    ran("render-child", [
      ...["--slot", slot, "--job", "shot", "--json", "--state", join(kept, `state-${name}`)],
      ...online(name),
    ]);
  expect(await child("a", "one")).toBe(0);
  // refusals are told as well: a slot for another worker, and a token that nobody was given
  expect(await child("b", "one")).not.toBe(0);
  expect(await child("b", "two")).toBe(0);
  const stranger = `rhc_${randomBytes(32).toString("base64url")}`;
  expect((await callGateway(`${gateway.url}/q/tasks`, { token: stranger })).code).toBe("unauthenticated");
  await command("join", "collect", "--job", "shot", ...online("checker"), "--out", join(kept, "evidence"));
  const reports = ["--report", "report.json", "--html", "report.html", "--sarif", "findings.sarif"];
  const verify = ["verify", "--job", "shot", ...online("checker"), "--out", join(kept, "out"), "--post"];
  await command("join", ...verify, ...reports);
  await command("render-handoff", "status", ...online("checker"));

  const [admin, ...others] = await Promise.all(
    [join(data, "admin-token"), file("one"), file("two"), file("checker")].map(async (path) =>
      (await readFile(path, "utf8")).trim(),
    ),
  );
  if (admin === undefined) throw new Error("no administrator");
  for (const path of [
    "/metrics",
    "/",
    "/q/tasks",
    "/q/worker",
    "/q/graph?root=shot.join",
    "/q/object/shot.join",
  ])
    said.set(`answer of ${path}`, (await callGateway(`${gateway.url}${path}`, { token: admin })).bytes);
  said.set("events", Buffer.from(await eventsOf(gateway.url, admin)));
  await gateway.stop();
  said.set("log of the gateway", Buffer.from(log));

  const left: Left = new Map([...(await filesBelow(kept)), ...said]);
  const everything = [...left.keys()].join("\n");
  for (const expected of ["report.html", "evidence/evidence.json", "out/report.html", "state-two/", "data/"])
    expect(everything).toContain(expected);
  expect(said.get("events")?.toString()).toContain("verdict_posted");

  // the administrator's own file is where its token is kept
  left.delete("data/admin-token");
  expect(holding(left, [admin, ...others, stranger].flatMap(spellings))).toEqual([]);
  // its hash is kept, and found: the search reaches the database
  expect(holding(left, [Buffer.from(sha256(others[0] ?? ""))])).toContain("data/queue.sqlite");

  // a .blend names the place where it was saved; it is the scene itself, and nobody else repeats it
  const own = sha256(await readFile(scene));
  const repeated = new Map([...left].filter(([, bytes]) => sha256(bytes) !== own));
  expect(repeated.size).toBeLessThan(left.size);
  expect(holding(repeated, [Buffer.from(FOLDER)])).toEqual([]);
  // the job names the scene's files below their root, for the worker that has to find them; the page shows jobs
  const mayName = ["evidence/job.json", "answer of /"];
  const naming = holding(repeated, [Buffer.from(NAME)]).filter(
    (name) => !name.startsWith("data/queue.sqlite") && !mayName.includes(name),
  );
  expect(naming).toEqual([]);
});
