import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { bareEnvironment } from "../support/bare-environment.ts";
import { withBrowser } from "../support/browser.ts";
import { temporaryFolder } from "../support/temporary.ts";

const WAIT = { timeout: 300_000 };

test("a real demo is watched in a browser from the first slot to the last, and the page stays until Ctrl-C", {
  timeout: 600_000,
}, async () => {
  const folder = await temporaryFolder();
  const bin = join(import.meta.dirname, "../../src/cli/bin/render-handoff.ts");
  const demo = spawn(process.execPath, [bin, "demo", "--watch", "--out", join(folder, "out")], {
    env: { ...bareEnvironment(), HOME: folder, TMPDIR: folder },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const closed = once(demo, "close");
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    demo.stderr.on("data", (data) => {
      said += String(data);
      const found = /watch it at (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    void closed.then(() => reject(new Error(said)));
  });
  await withBrowser(async (browser) => {
    const page = await browser.newPage();
    const hosts = new Set<string>();
    const complaints: string[] = [];
    page.on("request", (request) => hosts.add(new URL(request.url()).host));
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(url);
    await page.evaluate("window.same = true");
    // states of both slots, as they were seen in this one page
    for (const slot of ["a", "b"])
      await page.locator(`[data-task$=".${slot}"]:is([data-state=leased], [data-state=done])`).waitFor(WAIT);
    // a picture of a finished frame, decoded by the browser
    await page.locator("figure.picture img").first().waitFor(WAIT);
    // asked again and again from here: what waits in the page would be `eval`, which its policy forbids
    const decoded = "document.querySelector('figure.picture img')?.naturalWidth > 0";
    await expect.poll(() => page.evaluate(decoded), WAIT).toBe(true);
    for (const slot of ["a", "b"])
      await page.locator(`[data-task$=".${slot}"][data-state=done]`).waitFor(WAIT);
    await page.locator("details.verdict.accepted").waitFor(WAIT);
    expect(await page.locator("figure.picture .unverified").allTextContents()).toEqual([
      "preview",
      "preview",
    ]);
    expect(await page.evaluate("window.same")).toBe(true);
    expect([...hosts]).toEqual([new URL(url).host]);
    expect(complaints).toEqual([]);
  });
  while (!said.includes("until you press Ctrl-C")) await once(demo.stderr, "data");
  demo.kill("SIGINT");
  const [code] = await closed;
  expect(code, said).toBe(0);
});
