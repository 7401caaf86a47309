import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "../../../src/core/clock.ts";
import { bareEnvironment } from "../../support/bare-environment.ts";
import { putJob } from "../../support/child.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { startGatewayProcess } from "../../support/gateway-process.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { toldBlender } from "../../support/told-blender.ts";

/** Runs a command on a pseudo-terminal of 80 x 24 and copies what it draws. */
const PTY = `
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
try:
    while data := os.read(fd, 65536):
        os.write(1, data)
except OSError:
    pass  # its last process has closed it
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

/** A command whose output and errors go to a terminal; what was drawn so far, with `ESC` in words. */
function onTerminal(program: string, args: readonly string[]) {
  const bin = join(import.meta.dirname, `../../../src/cli/bin/${program}.ts`);
  const child = spawn("python3", ["-c", PTY, process.execPath, bin, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...bareEnvironment(), HOME: "/nonexistent", LANG: "C", TERM: "xterm" },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let sent = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    sent += text;
  });
  const drawn = () => sent.replaceAll("\u001b", "ESC").replaceAll("\r\n", "\n");
  const ended = once(child, "close").then(() => child.exitCode);
  return {
    drawn,
    ended,
    /** Resolves when the terminal has been sent such text; throws when the command ends without. */
    shows: async (pattern: RegExp): Promise<void> => {
      const over = ended.then(() => true);
      while (!pattern.test(drawn()))
        if (await Promise.race([over, systemClock.sleep(100).then(() => false)])) break;
      expect(drawn()).toMatch(pattern);
    },
  };
}

/** `render-child` for a slot on a terminal, over a Blender that waits in the middle of a frame. */
async function renderingOnTerminal(gateway: TestGateway, slot: "a" | "b") {
  const folder = await temporaryFolder();
  const worker = await gateway.registerWorker(slot);
  await writeFile(join(folder, "token"), worker.token, { mode: 0o600 });
  const told = await toldBlender(join(folder, "blender"), "during_render");
  onTestFinished(() => told.close());
  const connection = ["--gateway", gateway.url, "--token-file", join(folder, "token")];
  const state = ["--state", join(folder, "state"), "--blender", told.path, "--slot", slot];
  return { terminal: onTerminal("render-child", [...connection, ...state]), told };
}

test("on a terminal both children draw frame, samples and the watchdog's seconds, and `status --watch` both slots in one place", {
  timeout: 600_000,
}, async () => {
  const gateway = await startGatewayProcess();
  await putJob(gateway, "stops-midway", { limits: { lease_seconds: 30 } });
  const status = onTerminal("render-handoff", [
    ...["status", "--job", "shot", "--watch"],
    ...["--gateway", gateway.url, "--token-file", gateway.adminTokenFile],
  ]);
  await status.shows(/shot\.a +ready.*\n.*shot\.b +ready/);
  const children = [await renderingOnTerminal(gateway, "a"), await renderingOnTerminal(gateway, "b")];
  for (const { terminal } of children) {
    await terminal.shows(
      /\rESC\[Krender {3}\[\.{12}\] 0 done {2}frame 205 {2}sample 0\/1 {2}watchdog \d+ s left/,
    );
    // Blender says nothing more, and the seconds go on
    const [first] = terminal.drawn().match(/watchdog \d+ s left/) ?? [""];
    await terminal.shows(new RegExp(`${first}[^]*watchdog (?!${first.slice(9)})\\d+ s left`));
  }
  await status.shows(
    /shot\.a +leased .*render, 0 done, frame 205, sample 0\/1, watchdog \d+ s left\s+shot\.b +leased .*render, 0 done, frame 205/,
  );
  for (const { terminal, told } of children) {
    await told.goOn();
    expect(await terminal.ended).toBe(0);
    expect(terminal.drawn()).toMatch(/\rESC\[Kcompleted {2}shot\.[ab] {2}fence 1/);
  }
  expect(await status.ended).toBe(0);
  expect(status.drawn()).toMatch(/ESC\[[1-4]AESC\[Jshot\.a +done.*\n.*shot\.b +done/);
});
