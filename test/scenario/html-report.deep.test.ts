/** An HTML report in a real browser: what a reader does with it. */
import { readFileSync } from "node:fs";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { renderOutcomes, renderPlan } from "../../src/report/index.ts";
import { CHROMIUM, startBrowser, type ReportBrowser } from "../support/browser.ts";
import { EQUAL_CHANGES, LARGE_PLAN } from "../support/large-plan.ts";
import { change as changeWith, CLEAN, DRIFT, EVERYTHING, OUTCOMES, plan } from "../unit/report/documents.ts";
import { ALL_EFFECTS } from "../unit/report/effect-documents.ts";

const AXE = readFileSync(new URL("../../node_modules/axe-core/axe.min.js", import.meta.url), "utf8");
const PLAIN = { color: false, footer: "12 requests" };
const LARGE = renderPlan(LARGE_PLAN, "html", PLAIN);
const SMALL = renderPlan(EVERYTHING, "html", PLAIN);
const EFFECTS = renderPlan(ALL_EFFECTS, "html", PLAIN);
const OUTCOME_REPORT = renderOutcomes(OUTCOMES, "html", PLAIN);
const REPORTS = [
  ["a plan", SMALL],
  ["a drift report", renderPlan(DRIFT, "html", PLAIN)],
  ["a plan without differences", renderPlan(CLEAN, "html", PLAIN)],
  ["the outcomes of an apply", OUTCOME_REPORT],
  ["effects", EFFECTS],
] as const;

/** The addresses of the changes that are not filtered out. Equal changes share a section. */
async function shown(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll("[data-scope]")]
    .filter((one) => getComputedStyle(one).display !== "none").map((one) => one.dataset.scope)`);
}

const openCount = (page: Page): Promise<number> => page.locator("details.change[open]").count();
const focused = (page: Page): Promise<string> =>
  page.evaluate("document.activeElement.id || document.activeElement.textContent.trim()");

describe.skipIf(CHROMIUM === undefined)("an HTML report", () => {
  let browser: ReportBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  describe("filters", () => {
    const addresses = (isIn: (change: (typeof LARGE_PLAN.changes)[number]) => boolean): readonly string[] =>
      LARGE_PLAN.changes.filter(isIn).map(({ address }) => address);
    const filters = {
      action: ["update", (one) => one.action === "update"],
      kind: ["insight", (one) => one.kind === "insight"],
      scope: ["acme/projects/shop", (one) => one.address.startsWith("acme/projects/shop/")],
      text: ["FINANCE refunds", (one) => JSON.stringify(one).includes("finance")],
    } as const satisfies Readonly<
      Record<string, readonly [string, (change: (typeof LARGE_PLAN.changes)[number]) => boolean]>
    >;
    type Name = keyof typeof filters;

    async function set(page: Page, name: Name): Promise<void> {
      const [value] = filters[name];
      if (name === "text") await page.getByLabel("Text").fill(value);
      else await page.locator(`[data-filter=${name}]`).selectOption(value);
    }

    it.each<readonly [string, readonly Name[]]>([
      ["action", ["action"]],
      ["kind", ["kind"]],
      ["scope", ["scope"]],
      ["text", ["text"]],
      ["action and scope", ["action", "scope"]],
      ["all of them", ["action", "kind", "scope", "text"]],
    ])("by %s", async (_name, names) => {
      const { page } = await browser.open(LARGE);
      for (const name of names) await set(page, name);
      const expected = addresses((one) => names.every((name) => filters[name][1](one)));
      expect((await shown(page)).toSorted()).toEqual(expected.toSorted());
      expect(expected.length).toBeGreaterThan(0);
      expect(await page.getByRole("status").textContent()).toBe(`${expected.length} of 500 changes`);
      await page.getByRole("button", { name: "Clear filters" }).click();
      expect(await shown(page)).toHaveLength(500);
      expect(await page.getByRole("status").textContent()).toBe("500 changes");
    });

    it("show of equal changes only those that are meant", async () => {
      const { page } = await browser.open(LARGE);
      await page.getByLabel("Text").fill("acme/projects/app/insights/kpi-42 growth");
      expect(await shown(page)).toEqual(["acme/projects/app/insights/kpi-42"]);
      await page.getByLabel("Text").fill("kpi-");
      expect(await shown(page)).toHaveLength(EQUAL_CHANGES);
      expect(await page.locator("details.change:visible").count()).toBe(1);
    });

    it("hide headings that have no change left, and show blocked changes by themselves", async () => {
      const { page } = await browser.open(LARGE);
      await page.getByLabel("Action").selectOption("blocked");
      expect((await shown(page)).toSorted()).toEqual(addresses(({ blocked }) => blocked !== null).toSorted());
      expect(await page.locator("h3:visible").count()).toBe(1);
      await page.getByLabel("Text").fill("no such text");
      expect(await shown(page)).toEqual([]);
    });
  });

  describe("of an apply has a filter by status", () => {
    const SKIPPED = ["acme/memberships/bob@acme.com", "acme/domains/old"];

    it.each([
      ["failed", ["acme/invites/eve"]],
      ["outcome unknown", ["acme/batch_exports/s3"]],
      ["unverified", ["acme/domains/lab"]],
      ["skipped", SKIPPED],
      ["blocked", SKIPPED.slice(0, 1)],
      ["applied", ["acme", "acme/domains/corp"]],
    ])("%s", async (status, expected) => {
      const { page, console } = await browser.open(OUTCOME_REPORT);
      await page.getByLabel("Status").selectOption(status);
      expect(await shown(page)).toEqual(expected);
      expect(await page.locator("h3:visible").count()).toBe(status === "skipped" ? 2 : 1);
      expect(await page.getByRole("status").textContent()).toBe(`${expected.length} of 8 changes`);
      expect(console).toEqual([]);
    });

    it("together with the other filters, until they are cleared", async () => {
      const { page } = await browser.open(OUTCOME_REPORT);
      await page.getByLabel("Status").selectOption("applied");
      await page.getByLabel("Action").selectOption("create");
      expect(await shown(page)).toEqual(["acme/domains/corp"]);
      await page.getByRole("button", { name: "Clear filters" }).click();
      expect(await shown(page)).toHaveLength(8);
    });
  });

  it("shows both sides beside each other if that is asked for, with the lines around them on both", async () => {
    const { page } = await browser.open(SMALL);
    const change = page.locator("details.change", { hasText: "insights/signups" });
    const boxes = async (): Promise<readonly (readonly [number, number])[]> => {
      const found = await change.locator(".block .pair > :is(del, ins):visible").all();
      return Promise.all(
        found.map(async (one) => {
          const box = await one.boundingBox();
          return [box?.x ?? 0, box?.y ?? 0] as const;
        }),
      );
    };
    const [oldBelow, newBelow] = await boxes();
    expect(newBelow?.[0]).toBe(oldBelow?.[0]);
    expect(newBelow?.[1]).toBeGreaterThan(oldBelow?.[1] ?? 0);
    await page.getByRole("button", { name: "Side by side" }).click();
    const [oldBeside, newBeside] = await boxes();
    expect(newBeside?.[1]).toBe(oldBeside?.[1]);
    expect(newBeside?.[0]).toBeGreaterThan(oldBeside?.[0] ?? 0);
    expect(await change.getByText("Counted once per person.").filter({ visible: true }).count()).toBe(2);
    expect(await page.getByRole("button", { name: "Side by side" }).getAttribute("aria-pressed")).toBe("true");
    await page.getByRole("button", { name: "Side by side" }).click();
    const [oldAgain, newAgain] = await boxes();
    expect(newAgain?.[0]).toBe(oldAgain?.[0]);
    expect(await change.getByText("Counted once per person.").filter({ visible: true }).count()).toBe(1);
  });

  it("shows every space of a value and of a path", async () => {
    const fields = [
      { path: "/name", prior: "a  b", planned: "a b" },
      { path: "/tags", prior: ["a  b"], planned: ["a b"] },
      { path: "/query/a  b", prior: 1, planned: 2 },
      { path: "/description", prior: `x\n  a  b`, planned: "x\n a b" },
    ];
    const changes = [{ kind: "insight", action: "update", fields } as const, { action: "create", fields } as const].map(
      changeWith,
    );
    const { page } = await browser.open(renderPlan(plan(changes), "html", PLAIN));
    const texts = (selector: string): Promise<readonly string[]> => page.locator(selector).allInnerTexts();
    expect(await texts("del")).toEqual(['"a  b"', '- "a  b"', "1", "-   a  b"]);
    expect(await texts("ins")).toEqual(['"a b"', "+ a b", "2", "+  a b"]);
    expect(await texts(".row .path")).toContain('query."a  b"');
    expect(await texts(".value")).toEqual(["a b", "[a b]", "2", "x\n a b"]);
  });

  it("can be read and used with the keyboard alone", async () => {
    const { page } = await browser.open(LARGE);
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Skip to the changes");
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineStyle")).toBe("solid");
    await page.keyboard.press("Enter");
    expect(await focused(page)).toBe("changes");
    const visited: string[] = [];
    for (let step = 0; step < 9; step++) {
      await page.keyboard.press("Tab");
      visited.push(await focused(page));
    }
    expect(visited.slice(3, 8)).toEqual(["text", "clear", "expand", "collapse", "side"]);
    const first = visited[8] ?? "";
    expect(first).toContain((await shown(page))[0]);
    const before = await openCount(page);
    await page.keyboard.press("Enter");
    expect(await openCount(page)).toBe(before - 1);
    await page.getByRole("button", { name: "Collapse all" }).focus();
    await page.keyboard.press("Enter");
    expect(await openCount(page)).toBe(0);
    await page.getByRole("button", { name: "Expand all" }).focus();
    await page.keyboard.press("Space");
    expect(await openCount(page)).toBe(await page.locator("details.change").count());
  });

  it("opens the change that its address names, whatever is filtered, and each change has such a link", async () => {
    const { page, console } = await browser.open(LARGE);
    const isOpen = (number: number): Promise<boolean> =>
      page.evaluate(`document.getElementById("change-${String(number)}").open`);
    await page.getByRole("button", { name: "Collapse all" }).click();
    await page.getByLabel("Text").fill("no such text");
    await page.evaluate("location.hash = '#change-61'");
    await page.locator("#change-61 .body").waitFor({ state: "visible" });
    expect([await isOpen(61), await isOpen(60)]).toEqual([true, false]);
    expect(await page.locator("#change-61 .anchor").getAttribute("href")).toBe("#change-61");
    const beginning = await page.evaluate("document.querySelector('#change-61 summary').getBoundingClientRect().top");
    expect(beginning).toBeGreaterThanOrEqual(0);
    expect(beginning).toBeLessThan(800);
    await page.reload();
    expect(await isOpen(61)).toBe(true);
    expect(console).toEqual([]);
  });

  it.each([true, false])(
    "leads from the count of the warnings to the open list, with a script or not",
    async (script) => {
      const { page } = await browser.open(LARGE, { javaScriptEnabled: script });
      await page.getByRole("link", { name: "warnings" }).click();
      await page.getByText("members_without_2fa").last().waitFor({ state: "visible" });
      expect(await page.locator("#warnings").isVisible()).toBe(true);
    },
  );

  it("is whole without JavaScript: it opens and closes, and shows no filters", async () => {
    const { page } = await browser.open(SMALL, { javaScriptEnabled: false });
    expect(await page.locator("button:visible, select:visible, input:visible").count()).toBe(0);
    expect(await shown(page)).toHaveLength(12);
    const change = page.locator("details.change", { hasText: "acme/domains/corp" });
    await change.locator("summary").click();
    expect(await change.locator(".body").isVisible()).toBe(false);
    await change.locator("summary").click();
    expect(await change.locator(".body").isVisible()).toBe(true);
  });

  it("prints everything, in light colours and without controls, filtered or not", async () => {
    const { page } = await browser.open(LARGE, { colorScheme: "dark" });
    await page.getByLabel("Text").fill("acme/domains/old");
    await page.emulateMedia({ media: "print" });
    const hidden: number = await page.evaluate(
      `[...document.querySelectorAll("details > :not(summary)")].filter((one) => !one.checkVisibility({ contentVisibilityAuto: true }) || one.getBoundingClientRect().height === 0 && one.textContent !== "").length`,
    );
    expect(hidden).toBe(0);
    expect(await shown(page)).toHaveLength(500);
    expect(await page.locator("button:visible, select:visible, input:visible").count()).toBe(0);
    expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(255, 255, 255)");
    await page.emulateMedia({ media: "screen" });
    const before = await openCount(page);
    expect((await page.pdf()).length).toBeGreaterThan(10_000);
    expect(await openCount(page)).toBe(before);
    expect(await shown(page)).toEqual(["acme/domains/old"]);
  });

  it("is small, and opens at once", async () => {
    expect(LARGE_PLAN.changes).toHaveLength(500);
    expect(Buffer.byteLength(LARGE)).toBeLessThan(2_000_000);
    const { page } = await browser.open(LARGE);
    const ms: number = await page.evaluate("performance.getEntriesByType('navigation')[0].loadEventEnd");
    process.stderr.write(`500 changes: ${Buffer.byteLength(LARGE)} bytes, open after ${Math.round(ms)} ms\n`);
    // It takes a fraction of a second. The rest is for machines that do other things at the same time.
    expect(ms).toBeLessThan(5_000);
  });

  it.each([1280, 800, 360])(
    "has charts whose texts are on the page and apart from each other: %i pixels wide",
    async (width) => {
      const { page } = await browser.open(EFFECTS, { viewport: { width, height: 800 } });
      await page.getByRole("button", { name: "Expand all" }).click();
      const charts: readonly (readonly (readonly [string, number, number, number, number])[])[] = await page.evaluate(
        `[...document.querySelectorAll("svg.chart")].map((chart) => [...chart.querySelectorAll("text")].map((text) => {
        const { left, top, right, bottom } = text.getBoundingClientRect();
        return [text.textContent, left, top, right, bottom];
      }))`,
      );
      expect(charts.length).toBe(Object.keys(ALL_EFFECTS.changes).length - 1);
      for (const texts of charts) {
        expect(texts.filter(([, left, , right]) => left < 0 || right > width)).toEqual([]);
        const pairs = texts.flatMap((one, index) => texts.slice(index + 1).map((other) => [one, other] as const));
        // The lines of a text have space above and below.
        const space = 4;
        expect(
          pairs.filter(
            ([[, left, top, right, bottom], [, otherLeft, otherTop, otherRight, otherBottom]]) =>
              left < otherRight && otherLeft < right && top + space < otherBottom && otherTop + space < bottom,
          ),
        ).toEqual([]);
      }
    },
  );

  describe.each(REPORTS)("%s", (_name, html) => {
    // No colour depends on the width.
    it.each([
      ["light", 1280],
      ["dark", 360],
    ] as const)("is accessible: %s, %i pixels wide", async (colorScheme, width) => {
      const { page, requests, console } = await browser.open(html, { colorScheme, viewport: { width, height: 800 } });
      // Half a minute for the whole of 500 changes would show nothing new.
      if (html !== LARGE)
        await page.evaluate("document.querySelectorAll('details').forEach((one) => (one.open = true))");
      await page.evaluate(AXE);
      const violations: readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[] =
        await page.evaluate("axe.run().then(({ violations }) => violations)");
      expect(violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
      const overflow: number = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
      expect(overflow).toBeLessThanOrEqual(0);
      expect([requests, console]).toEqual([[], []]);
    });
  });
});
