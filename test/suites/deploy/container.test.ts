import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { Copy, DockerfileParser, From, type Instruction } from "dockerfile-ast";
import { expect, test } from "vitest";

// No container engine runs here or in CI: the file is read and held to rules, not built.
const file = DockerfileParser.parse(readFileSync("deploy/container/Containerfile", "utf8"));
const instructions = file.getInstructions();
const text = (instruction: Instruction): string => instruction.getArgumentsContent() ?? "";

interface Stage {
  readonly name: string;
  readonly base: string;
  readonly instructions: Instruction[];
}
const stages: Stage[] = [];
for (const instruction of instructions) {
  if (instruction instanceof From)
    stages.push({
      name: instruction.getBuildStage() ?? "",
      base: instruction.getImage() ?? "",
      instructions: [],
    });
  else stages.at(-1)?.instructions.push(instruction);
}
const stage = (name: string): Stage => {
  const found = stages.find((one) => one.name === name);
  if (found === undefined) throw new Error(`no stage ${name}`);
  return found;
};
const last = (name: string, keyword: string): string | undefined => {
  const { base, instructions: own } = stage(name);
  const found = own.findLast((one) => one.getKeyword() === keyword);
  if (found !== undefined) return text(found);
  return stages.some((one) => one.name === base) ? last(base, keyword) : undefined;
};
const IMAGES = ["gateway", "child", "join"];

test("there is an image for the gateway, the child and the checker, built in stages", () => {
  expect(stages.map((one) => one.name)).toEqual(["build", "program", "gateway", "join", "child"]);
});

test("every base is a stage of this file or one pinned version of Node.js, that of the tests", () => {
  const pinned = file.getInitialARGs().map((arg) => arg.getArgumentsContent() ?? "");
  expect(pinned).toEqual([`NODE_IMAGE=docker.io/library/node:${process.versions.node}-bookworm-slim`]);
  for (const { base, name } of stages)
    expect(base === `\${NODE_IMAGE}` || stages.some((one) => one.name === base), name).toBe(true);
});

test.each(IMAGES)("%s ends as a user that is not root", (name) => {
  expect(last(name, "USER")).toBe("10001:10001");
});

test.each(IMAGES)("%s starts under an init that reaps, in exec form", (name) => {
  const entry: unknown = JSON.parse(last(name, "ENTRYPOINT") ?? "null");
  expect(entry).toEqual(expect.arrayContaining(["tini", "--"]));
  expect(Array.isArray(JSON.parse(last(name, "CMD") ?? "null"))).toBe(true);
});

test("nothing is fetched by ADD, and packages leave no lists behind", () => {
  expect(instructions.filter((one) => one.getKeyword() === "ADD")).toEqual([]);
  for (const one of instructions.filter((run) => /apt-get install/.test(text(run)))) {
    expect(text(one)).toContain("--no-install-recommends");
    expect(text(one)).toContain("rm -rf /var/lib/apt/lists/*");
  }
});

test("no secret is built in, and npm runs no install scripts", () => {
  for (const one of instructions) {
    expect(one.getKeyword() === "ENV" && /TOKEN|PASSWORD|SECRET|KEY/i.test(text(one))).toBe(false);
    if (/npm (ci|install|prune)/.test(text(one))) expect(text(one)).toContain("--ignore-scripts");
  }
});

test("what the build stage copies is what .dockerignore lets in, and that is enough to build", () => {
  const allowed = readFileSync(".dockerignore", "utf8")
    .split("\n")
    .filter((line) => line.startsWith("!"))
    .map((line) => line.slice(1));
  const copied = instructions
    .filter((one) => one instanceof Copy && one.getFromFlag() === null)
    .flatMap((one) => text(one).split(/\s+/).slice(0, -1))
    .filter((path) => path !== ".");
  for (const path of copied)
    expect(
      allowed.some((one) => path === one || path.startsWith(`${one}/`)),
      path,
    ).toBe(true);
  for (const needed of ["src", "contracts", "tools", "tsconfig.build.json", "tsconfig.base.json", "LICENSE"])
    expect(allowed).toContain(needed);
});

test("the loop of the child's image is a script that a plain sh reads", () => {
  execFileSync("sh", ["-n", "deploy/container/render-loop"]);
  execFileSync("dash", ["-n", "deploy/container/render-loop"]);
});
