import type { Browser, Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { sha256 } from "../../../src/core/digest.ts";
import { canonicalBytes } from "../../../src/core/json/canonical.ts";
import { withBrowser } from "../../support/browser.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { putSampleJob, SCENE, sampleJob, winSlot } from "../../support/gateway-job.ts";
import { post } from "../gateway/route-calls.ts";

interface Watched {
  readonly page: Page;
  /** Hosts of everything that the page asked for. */
  readonly hosts: Set<string>;
  readonly complaints: string[];
}

async function watch(browser: Browser, url: string, options = {}): Promise<Watched> {
  const page = await browser.newPage(options);
  const [hosts, complaints]: [Set<string>, string[]] = [new Set(), []];
  page.on("request", (request) => hosts.add(new URL(request.url()).host));
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, hosts, complaints };
}

const WAIT = { timeout: 60_000 };
const slot = (task: string, state: string): string => `[data-task="${task}"][data-state="${state}"]`;
const claim = (gateway: TestGateway, worker: { workerUuid: string; token: string }, task_id: string) =>
  post(gateway, "/q/claim", { token: worker.token, body: { task_id, worker_id: worker.workerUuid } });

const HOSTILE = [
  `<img src=x onerror="alert(1)">`,
  `"><script>alert(2)</script>`,
  `\u202egnp.exe`,
  `a\u0000b\u001b[2J`.replaceAll("\u0000", ""),
  `'; javascript:alert(3)`,
  "n".repeat(200),
] as const;

describe("the page in a browser", () => {
  test("follows a slot from waiting to handed in without being loaded again, and asks nobody else", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    const worker = await gateway.registerWorker("attic");
    await withBrowser(async (browser) => {
      const { page, hosts, complaints } = await watch(browser, gateway.url);
      await page.locator(slot("shot-1.a", "ready")).waitFor(WAIT);
      await page.locator('#live[data-kind="live"]').waitFor(WAIT);
      await page.evaluate("window.same = true");
      await claim(gateway, worker, "shot-1.a");
      await page.locator(slot("shot-1.a", "leased")).waitFor(WAIT);
      const progress = { phase: "render", frame: 206, frames_done: 1, sample: 5, samples: 16 };
      await post(gateway, "/q/heartbeat", {
        token: worker.token,
        body: {
          task_id: "shot-1.a",
          worker_id: worker.workerUuid,
          fencing_token: 1,
          progress: { ...progress, watchdog_left_s: 90 },
        },
      });
      await page.getByText("sample 5 of 16").waitFor(WAIT);
      const again = sampleJob({ job_id: "shot-2" });
      await gateway.call("/q/job", { method: "POST", body: canonicalBytes(again) });
      await page.locator('[data-part="shot-2"]').waitFor(WAIT);
      const other = await gateway.registerWorker("cellar");
      await winSlot(gateway, other, { job, slot: "b" });
      await page.locator(slot("shot-1.b", "done")).waitFor(WAIT);
      expect(await page.locator("#news").textContent()).toContain("shot-1.b");
      // what was opened stays open through the next change
      await page.locator(`${slot("shot-1.b", "done")} summary`).click();
      await claim(gateway, worker, "shot-2.a");
      await page.locator(slot("shot-2.a", "leased")).waitFor(WAIT);
      expect(await page.locator(`${slot("shot-1.b", "done")} details[open]`).count()).toBe(1);
      expect(await page.evaluate("window.same")).toBe(true);
      expect([...hosts]).toEqual([new URL(gateway.url).host]);
      expect(complaints).toEqual([]);
    });
  });

  test("goes on by itself when the gateway is back", async () => {
    const first = await startGateway();
    await putSampleJob(first);
    const { port } = new URL(first.url);
    await withBrowser(async (browser) => {
      const { page } = await watch(browser, first.url);
      await page.locator('#live[data-kind="live"]').waitFor(WAIT);
      await first.close();
      await page.locator('#live[data-kind="away"]').waitFor(WAIT);
      const second = await startGateway({ dataFolder: first.dataFolder, port: Number(port) });
      await page.locator('#live[data-kind="live"]').waitFor(WAIT);
      const worker = await second.registerWorker();
      await claim(second, worker, "shot-1.a");
      await page.locator(slot("shot-1.a", "leased")).waitFor(WAIT);
    });
  });

  test("is whole without a script, and in any width and either light its text can be read", async () => {
    const gateway = await startGateway();
    const job = await putSampleJob(gateway);
    await winSlot(gateway, await gateway.registerWorker("attic"), { job, slot: "a" });
    await withBrowser(async (browser) => {
      const plain = await watch(browser, gateway.url, { javaScriptEnabled: false });
      await plain.page.locator(slot("shot-1.a", "done")).waitFor(WAIT);
      expect(await plain.page.getByRole("link", { name: "refresh" }).count()).toBe(1);
      for (const colorScheme of ["light", "dark"] as const)
        for (const width of [360, 1_400]) {
          const { page } = await watch(browser, gateway.url, {
            colorScheme,
            viewport: { width, height: 800 },
          });
          await page.locator(slot("shot-1.a", "done")).waitFor(WAIT);
          const wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth";
          expect(await page.evaluate(wide), `${colorScheme} ${width}`).toBe(0);
        }
      for (const role of ["main", "banner", "search"] as const)
        expect(await plain.page.getByRole(role).count()).toBe(1);
    });
  });

  test("names, scenes and reasons of hostile people are text, and nothing of them runs", async () => {
    const gateway = await startGateway();
    const [main = ""] = [`${HOSTILE[0].replaceAll("/", "")}.blend`];
    await putSampleJob(gateway, sampleJob());
    const files = [{ path: main, sha256: sha256(SCENE), bytes: SCENE.byteLength }];
    const job = sampleJob({ job_id: "hostile", scene: { main, files } });
    expect((await gateway.call("/q/job", { method: "POST", body: canonicalBytes(job) })).status).toBe(201);
    const workers: { workerUuid: string; token: string }[] = [];
    for (const name of HOSTILE) workers.push(await gateway.registerWorker(name));
    const [one] = workers;
    if (one === undefined) return;
    await claim(gateway, one, "hostile.a");
    const reason = HOSTILE[1].slice(0, 64);
    await post(gateway, "/q/release", {
      token: one.token,
      body: { task_id: "hostile.a", worker_id: one.workerUuid, fencing_token: 1, reason },
    });
    await claim(gateway, one, "hostile.a");
    await withBrowser(async (browser) => {
      const { page, hosts, complaints } = await watch(browser, gateway.url);
      await page.locator(slot("hostile.a", "leased")).waitFor(WAIT);
      const text = (await page.locator("body").textContent()) ?? "";
      expect(text).toContain(HOSTILE[0]);
      expect(text).toContain(HOSTILE[1]);
      for (const character of ["\u202e", "\u001b"]) expect(text).not.toContain(character);
      expect(await page.locator("img, script:not([src='/page.js'])").count()).toBe(0);
      const query = encodeURIComponent(HOSTILE[1]);
      const searched = await watch(browser, `${gateway.url}/?q=${query}`);
      expect(await searched.page.locator("input[name=q]").inputValue()).toBe(HOSTILE[1]);
      expect([...complaints, ...searched.complaints]).toEqual([]);
      expect([...hosts]).toEqual([new URL(gateway.url).host]);
    });
  });

  test("asks for a token where one is needed, keeps it in its cookie, forgets it, and shows nothing once it is revoked", async () => {
    const gateway = await startGateway({ pageToken: true });
    await putSampleJob(gateway);
    const { token, checkerUuid } = await gateway.registerChecker();
    await withBrowser(async (browser) => {
      const { page } = await watch(browser, gateway.url);
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Log in" }).click();
      await page.locator(slot("shot-1.a", "ready")).waitFor(WAIT);
      await page.locator('#live[data-kind="live"]').waitFor(WAIT);
      expect(await page.evaluate("document.cookie")).toBe("");
      await page.getByRole("button", { name: "log out" }).click();
      await page.getByLabel("Token").fill(token);
      await page.getByRole("button", { name: "Log in" }).click();
      await page.locator('#live[data-kind="live"]').waitFor(WAIT);
      // the stream ends with the token, and the page goes with it
      const path = `/q/checker/${checkerUuid}/revoke`;
      await post(gateway, path, { token: gateway.adminToken, body: undefined });
      await page.getByLabel("Token").waitFor(WAIT);
      expect(await page.locator("article").count()).toBe(0);
    });
  });
});
