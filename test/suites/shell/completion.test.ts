import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";

type Shell = "bash" | "zsh" | "fish";
const SHELLS: readonly Shell[] = ["bash", "zsh", "fish"];
const run = promisify(execFile);
const scripts = new Map<Shell, string>();

beforeAll(async () => {
  for (const shell of SHELLS) {
    const printed = await runCli("render-handoff", ["completion", shell]);
    expect(printed.exit, printed.stderr).toBe(0);
    scripts.set(shell, printed.stdout);
  }
});

const words = (line: string): string[] => line.split(" ");
const listed = (stdout: string): string[] => stdout.split("\n").filter((one) => one !== "");

/** What each real shell offers for the last word of a line. A path is told as PATH where nothing else is offered. */
const OFFERS: Record<Shell, (file: string, line: string) => Promise<string[]>> = {
  bash: async (file, line) => {
    const program = `source "$1"; COMP_WORDS=("\${@:2}"); COMP_CWORD=$(($# - 2)); _render_handoff
      printf '%s\\n' "\${COMPREPLY[@]}"`;
    return listed((await run("bash", ["-c", program, "bash", file, ...words(line)])).stdout);
  },
  // the functions that talk to zsh's line editor print what they are given
  zsh: async (file, line) => {
    const program = `compdef() { }
      _describe() { local name=$2 one; for one in "\${(@P)name}"; do print -r -- "\${one%%:*}"; done }
      _files() { print PATH }
      source "$1"; words=("\${@:2}"); CURRENT=$(($# - 1)); _render_handoff; true`;
    return listed((await run("zsh", ["-f", "-c", program, "zsh", file, ...words(line)])).stdout);
  },
  fish: async (file, line) => {
    const program = "source $argv[1]; complete -C $argv[2]";
    const env = { PATH: process.env["PATH"], HOME: await temporaryFolder(), LANG: "C.UTF-8" };
    const cwd = await temporaryFolder();
    const { stdout } = await run("fish", ["--no-config", "-c", program, file, line], { env, cwd });
    return listed(stdout).map((one) => one.split("\t")[0] ?? "");
  },
};

async function offers(shell: Shell, line: string): Promise<string[]> {
  const file = join(await temporaryFolder(), "completion");
  await writeFile(file, scripts.get(shell) ?? "");
  return OFFERS[shell](file, line);
}

test.each(SHELLS)("%s offers commands, flags and choices where they belong", async (shell) => {
  expect(await offers(shell, "render-handoff ")).toEqual(
    expect.arrayContaining(["demo", "gateway", "submit", "join", "completion"]),
  );
  expect(await offers(shell, "render-handoff gateway ")).toContain("serve");
  expect((await offers(shell, "render-child --slot ")).sort()).toEqual(["a", "b"]);
  expect((await offers(shell, "render-handoff render-child --slot ")).sort()).toEqual(["a", "b"]);
  expect(await offers(shell, "join ")).toEqual(expect.arrayContaining(["verify", "collect", "inspect"]));
  expect(await offers(shell, "join verify --strict-content --")).toContain("--sarif");
  expect(await offers(shell, "render-handoff completion ")).toEqual(
    expect.arrayContaining(["bash", "zsh", "fish"]),
  );
  expect(await offers(shell, "render-handoff dispatch run --")).not.toContain("--every");
});

test.each(["bash", "zsh"] as const)("%s does not offer a flag a second time", async (shell) => {
  expect(await offers(shell, "render-child --")).toContain("--json");
  expect(await offers(shell, "render-child --json --")).not.toContain("--json");
});

test("a value that only a person knows is not completed with anything", async () => {
  for (const shell of SHELLS) expect(await offers(shell, "render-child --gateway "), shell).toEqual([]);
});

test("a path is left to the shell", async () => {
  expect(await offers("bash", "render-child --token-file ")).toEqual([]);
  expect(await offers("zsh", "render-child --token-file ")).toEqual(["PATH"]);
  expect(await offers("zsh", "join verify ")).toContain("PATH");
});

test("a shell that is not known is refused", async () => {
  expect((await runCli("render-handoff", ["completion", "tcsh"])).code).toBe("USAGE_ARGUMENT");
});
