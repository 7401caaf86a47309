import { readFileSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { PNG } from "pngjs";
import { expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/core/clock.ts";
import { drawPage } from "../../../src/join/report/draw-page.ts";
import { verifyEvidence } from "../../../src/join/verify-evidence.ts";
import { type Visit, visit, withBrowser } from "../../support/browser.ts";
import { runCli } from "../../support/run-cli.ts";
import { temporaryFolder } from "../../support/temporary.ts";
import { folderOf } from "../../unit/join/folder-of.ts";

const inPage = (name: string): string => readFileSync(join(import.meta.dirname, "in-page", name), "utf8");
const JUDGE = inPage("judge.js");
const PLAY = inPage("play.js").replace(/;\s*$/, "");
const Played = z.object({
  animated: z.boolean(),
  repetitionCount: z.string(),
  frames: z.array(z.array(z.int())),
});

const HOSTILE = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e{{7*7}}&amp;`;
const LONG = 120_000;

/** In every look: nothing is asked for, nothing complains, it reads well. */
async function looksGood({ page, requests, complaints }: Visit): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const)
    for (const width of [1200, 360]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      const faults = await page.evaluate(JUDGE);
      expect({ faults, requests, complaints }, `${colorScheme}, ${width}`).toEqual({
        faults: [],
        requests: [],
        complaints: [],
      });
    }
}

/** Opens everything that is folded, with the keyboard alone. */
async function unfold(page: Page): Promise<void> {
  const folded = await page.locator("details").count();
  for (let tries = 0; tries < 60 && (await page.locator("details[open]").count()) < folded; tries += 1) {
    await page.keyboard.press("Tab");
    if (await page.evaluate('document.activeElement.tagName === "SUMMARY"'))
      await page.keyboard.press("Enter");
  }
  expect(await page.locator("details[open]").count()).toBe(folded);
}

test(
  "the page of an accepted job shows six frames and reads well everywhere; the preview plays",
  async () => {
    const [evidence, folder] = [await folderOf(), await temporaryFolder()];
    const out = join(folder, "out");
    const run = await runCli("join", ["verify", evidence, "--out", out, "--html", join(folder, "own.html")]);
    expect(run.exit).toBe(0);
    await writeFile(join(folder, "blank.html"), "<!doctype html><title>blank</title>");
    const preview = await readFile(join(out, "preview.png"));
    const played = await withBrowser(async (browser) => {
      const look = await visit(browser, join(out, "report.html"));
      const { page } = look;
      await unfold(page);
      await looksGood(look);
      expect(await page.locator("h1").textContent()).toBe("Accepted");
      expect(await page.locator("img").count()).toBe(6);
      expect(await page.getByRole("img", { name: "Frame 208 of slot b" }).count()).toBe(1);
      expect(await page.locator(".slot dd code").first().textContent()).toMatch(/^w_/);
      expect(await page.locator("script").count()).toBe(0);
      expect(await page.locator('.files a[href="frame_0210.png"]').count()).toBe(1);
      await page.goto(`file://${join(folder, "own.html")}`);
      expect([await page.locator("img").count(), await page.locator(".files a").count()]).toEqual([6, 0]);
      await page.goto(`file://${join(folder, "blank.html")}`);
      return Played.parse(await page.evaluate(`(${PLAY})(${JSON.stringify(preview.toString("base64"))})`));
    });
    expect([played.animated, played.repetitionCount]).toEqual([true, "Infinity"]);
    const files = [205, 206, 207, 208, 209, 210].map((frame) => join(out, `frame_0${frame}.png`));
    const pixels = files.map((file) => [...PNG.sync.read(readFileSync(file)).data]);
    expect(played.frames).toEqual(pixels);
  },
  LONG,
);

test(
  "the pages of a rejected and an undecided job say so first, and hostile strings are text in them",
  async () => {
    const folder = await temporaryFolder();
    const evidence = await folderOf({
      gateway: (gateway) => {
        for (const worker of gateway.workers) worker.operator = HOSTILE;
      },
      a: { frames: (frames) => frames[1]?.chunks.splice(-1) },
      b: { manifest: (manifest) => (manifest.containment = "process-group") },
      late: (files) => files.set("slots/b/<img src=x onerror=alert(3)>.txt", Buffer.from("x")),
    });
    const [rejected, undecided] = [join(folder, "rejected.html"), join(folder, "undecided.html")];
    const run = await runCli("join", ["verify", evidence, "--html", rejected]);
    expect(run.exit).toBe(1);
    const pending = await folderOf({ late: (files) => files.delete("slots/b/receipt.json") });
    const verdict = await verifyEvidence({ folder: pending, clock: systemClock });
    const drawn = await drawPage({ verdict, origin: { evidence: "evidence" }, clock: systemClock });
    await writeFile(undecided, drawn.page);

    await withBrowser(async (browser) => {
      const look = await visit(browser, rejected);
      const { page } = look;
      await unfold(page);
      await looksGood(look);
      expect(await page.locator("h1").textContent()).toBe("Rejected");
      expect(await page.locator("h2").first().textContent()).toMatch(/^Findings/);
      const codes = await page.locator(".finding .code code").allTextContents();
      expect(codes).toEqual(
        expect.arrayContaining(["PNG_IEND_MISSING", "JOIN_CONTAINMENT_REFUSED", "JOIN_EVIDENCE_UNEXPECTED"]),
      );
      const frame = page.locator(".finding", { hasText: "PNG_IEND_MISSING" });
      expect(await frame.locator("pre").textContent()).toContain("frame_0206.png");
      expect(await page.locator(".none").count()).toBe(1);
      expect(await page.locator("script, img[src=x]").count()).toBe(0);
      expect(await page.locator(".who").last().textContent()).toContain("<script>alert(1)</script>");
      expect(await page.locator("body").textContent()).not.toContain("\u202e");

      await page.goto(`file://${undecided}`);
      expect(await page.locator("h1").textContent()).toBe("Undecided");
      await page.keyboard.press("Tab");
      expect(await page.evaluate("document.activeElement.className")).toBe("skip");
      await page.keyboard.press("Enter");
      expect(new URL(page.url()).hash).toBe("#main");
      expect(look.complaints).toEqual([]);
    });
  },
  LONG,
);
