import { type Browser, chromium, type Page } from "playwright-core";

export interface Look {
  readonly width?: number;
  readonly scheme?: "light" | "dark";
}

export interface Visit {
  readonly page: Page;
  /** Everything that the page asked for, beside itself and data in it. */
  readonly requests: readonly string[];
  /** Errors, refusals by its policy, warnings. */
  readonly complaints: readonly string[];
}

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Debian's Chromium on PATH, headless and with a profile of its own, closed when the action ends. */
export async function withBrowser<T>(action: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: FLAGS });
  try {
    return await action(browser);
  } finally {
    await browser.close();
  }
}

/** Opens a file and listens to what it does. */
export async function visit(browser: Browser, file: string, look: Look = {}): Promise<Visit> {
  const page = await browser.newPage({
    viewport: { width: look.width ?? 1200, height: 900 },
    colorScheme: look.scheme ?? "light",
  });
  const url = `file://${file}`;
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on("request", (request) => {
    if (request.url() !== url && !request.url().startsWith("data:")) requests.push(request.url());
  });
  page.on("console", (message) => complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("dialog", (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.goto(url);
  return { page, requests, complaints };
}
