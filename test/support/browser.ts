import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright-core";

/** The browser of the system; undefined where there is none. `.ci/run` installs it if it may. */
export const CHROMIUM = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"].find((path) =>
  existsSync(path),
);

/** A report that is open in the browser. */
export interface OpenReport {
  readonly page: Page;
  /** Every request that left the page, besides the one for its own file. What its policy forbids never leaves it. */
  readonly requests: readonly string[];
  /** Everything in the console, errors of the script included. */
  readonly console: readonly string[];
}

/** A browser that opens reports. */
export interface ReportBrowser {
  /** Opens a report, and closes the one before. */
  readonly open: (html: string, options?: BrowserContextOptions) => Promise<OpenReport>;
  readonly close: () => Promise<void>;
}

/** Starts {@link CHROMIUM}. Each report has a context of its own, and nothing that it asks for is answered. */
export async function startBrowser(): Promise<ReportBrowser> {
  const browser: Browser = await chromium.launch({ executablePath: CHROMIUM ?? "", args: ["--no-sandbox"] });
  const folder = await mkdtemp(join(tmpdir(), "driftline-report-"));
  let count = 0;
  let last: BrowserContext | undefined;
  return {
    open: async (html, options = {}) => {
      count += 1;
      const file = join(folder, `${String(count)}.html`);
      await writeFile(file, html);
      const own = pathToFileURL(file).href;
      await last?.close();
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      last = context;
      const page = await context.newPage();
      const [requests, console] = [[] as string[], [] as string[]];
      await context.route("**/*", (route) => {
        if (route.request().url() === own) return route.continue();
        requests.push(route.request().url());
        return route.abort();
      });
      page.on("console", (message) => console.push(message.text()));
      page.on("pageerror", (error) => console.push(String(error)));
      page.on("dialog", (dialog) => {
        console.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      await page.goto(own);
      return { page, requests, console };
    },
    close: async () => {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
