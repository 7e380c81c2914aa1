import fc from "fast-check";
import { expect, test } from "vitest";
import type { Action, Blocked } from "../../../src/model/change.ts";
import type { Json } from "../../../src/model/json/json.ts";
import type { Outcome, Status } from "../../../src/model/outcome.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { renderDiagnostics, renderOutcomes, renderPlan } from "../../../src/report/index.ts";
import { change as oneChange, outcomes, plan } from "./documents.ts";
import { budget } from "../../support/budget.ts";

/** Hostile names. */
const nasty = fc.oneof(
  fc.string({ unit: "binary", maxLength: 40 }),
  fc.string({
    unit: fc.constantFrom(
      "\u001b",
      "[",
      "\u009b",
      "\n",
      "\r",
      "\u202e",
      "\ud800",
      "`",
      "|",
      "<",
      "</details>",
      "<!--",
      "@",
      "&",
      "*",
      "a",
    ),
    maxLength: 40,
  }),
);
const long = fc.tuple(nasty, fc.integer({ min: 1, max: 400 })).map(([text, times]) => text.repeat(times));
const text = fc.oneof({ weight: 5, arbitrary: nasty }, { weight: 1, arbitrary: long });
const json = fc.oneof(
  fc.constant({ sensitive: true }),
  text,
  fc.jsonValue({ stringUnit: "binary", maxDepth: 4 }),
) as fc.Arbitrary<Json>;
const action = fc.constantFrom<Action>("create", "update", "replace", "delete", "restore", "no_op", "unknown");
const rule = fc.constantFrom<Blocked["rule"]>("protect", "prune", "delete_limit", "own_user");
const place = {
  address: fc.option(text, { nil: undefined }),
  file: fc.option(text, { nil: undefined }),
  hint: fc.option(text, { nil: undefined }),
  pointer: fc.option(text, { nil: undefined }),
};
const diagnostic = fc.record({
  severity: fc.constantFrom("error" as const, "warning" as const),
  code: text,
  message: text,
  ...place,
});
const change = fc.record({
  address: text,
  kind: fc.constant("domain" as const),
  action,
  reason: text,
  id: fc.option(text),
  blocked: fc.option(fc.record({ rule, lift: text })),
  fields: fc.array(fc.record({ path: text.map((key) => `/${key}`), prior: json, planned: json }), { maxLength: 5 }),
  fingerprint: fc.constant(null),
});
const number = fc.oneof(
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(0, -0, 1e21),
);
const side = fc.option(
  fc.record({
    total: fc.option(number),
    points: fc.array(fc.record({ at: text, value: fc.option(number) }), { maxLength: 30 }),
  }),
);
const effect = fc.oneof(
  fc.record({ not_calculated: text }),
  fc.record({
    shape: fc.constantFrom("lines" as const, "steps" as const, "rows" as const),
    range: fc.option(fc.record({ from: text, to: text })),
    interval: fc.record({ before: fc.option(text), after: fc.option(text) }),
    series: fc.array(fc.record({ label: text, before: side, after: side, percent: fc.option(number) }), {
      maxLength: 10,
    }),
    series_left_out: fc.nat(3),
    notes: fc.array(text, { maxLength: 3 }),
  }),
);
const effects = fc.array(effect, { maxLength: 20 });
const unmanaged = fc.record({ kind: fc.constant("insight" as const), scope: text, id: text, key: fc.option(text) });
const document = fc
  .record({
    changes: fc.array(change, { maxLength: 60 }),
    unmanaged: fc.array(unmanaged, { maxLength: 60 }),
    diagnostics: fc.array(diagnostic, { maxLength: 20 }),
    url: text,
    hash: text,
    tool_version: text,
    only: fc.array(text, { maxLength: 20 }),
    type: fc.constantFrom<PlanDocument["type"]>("driftline.plan", "driftline.drift"),
    effects,
  })
  .map(({ changes, only, effects: own, ...part }) => {
    const insights = own.map((one, index) => ({ ...one, address: changes[index]?.address ?? "" }));
    return plan(changes, { ...part, effects: { insights }, options: { prune: false, rotate: [], only } });
  });
const status = fc.constantFrom<Status>("applied", "failed", "skipped", "unverified", "unknown");
const outcome = fc
  .record({ change, status, error: fc.option(fc.record({ code: text, message: text, hint: text })) })
  .map(({ change: own, ...rest }): Outcome => ({ ...own, ...rest, requests: 1 }));

const UNSAFE = /(?![\n\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;
// oxlint-disable-next-line no-control-regex -- the colour codes that driftline prints itself
const COLOURS = /\u001b\[(?:1|2|7|22|27|3[1-6]|39)m/g;

/** The text without its fences, because names are not escaped there. */
function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^(`{3,})diff\n[^]*?\n\1$/gm, "");
}

/** Checks that every section is closed and none is nested. */
function expectWholeSections(markdown: string): void {
  const tags = withoutFences(markdown).match(/<\/?details( open)?>/g) ?? [];
  let depth = 0;
  for (const tag of tags) {
    depth += tag.startsWith("</") ? -1 : 1;
    expect(depth).toBeGreaterThanOrEqual(0);
  }
  expect(depth).toBe(0);
}

test("no control character of a name reaches the output", () => {
  fc.assert(
    fc.property(document, fc.boolean(), text, (found, color, footer) => {
      const options = { color, unmanaged: true, footer };
      for (const format of ["text", "markdown", "json", "html"] as const) {
        expect(renderPlan(found, format, options).replaceAll(COLOURS, "")).not.toMatch(UNSAFE);
      }
      expect(renderDiagnostics(found.diagnostics, options).replaceAll(COLOURS, "")).not.toMatch(UNSAFE);
    }),
    { numRuns: budget(100) },
  );
});

test("no control character reaches outcomes", () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 20 }), text, (changes, name) => {
      for (const format of ["text", "markdown", "json"] as const) {
        expect(renderOutcomes(outcomes(changes, { url: name }), format, { color: false })).not.toMatch(UNSAFE);
      }
    }),
    { numRuns: budget(50) },
  );
});

test("without colours the text has no escape character", () => {
  fc.assert(
    fc.property(document, (found) => !renderPlan(found, "text", { color: false }).includes("\u001b")),
    { numRuns: budget(50) },
  );
});

test("the Markdown of any plan fits into a comment and closes its sections", () => {
  fc.assert(
    fc.property(document, (found) => {
      const markdown = renderPlan(found, "markdown", { color: false, unmanaged: true });
      expect(markdown.length).toBeLessThan(60_000);
      expectWholeSections(markdown);
    }),
    { numRuns: budget(100) },
  );
});

test("the Markdown of any outcomes fits into a comment and closes its sections", () => {
  fc.assert(
    fc.property(fc.array(outcome, { maxLength: 80 }), (changes) => {
      const markdown = renderOutcomes(outcomes(changes), "markdown", { color: false });
      expect(markdown.length).toBeLessThan(60_000);
      expectWholeSections(markdown);
    }),
    { numRuns: budget(50) },
  );
});

test("no name adds a tag to Markdown outside of a fence", () => {
  const ours = /^(?:details(?: open)?|summary|code|i|b|sub|br)$/;
  fc.assert(
    fc.property(document, (found) => {
      const prose = withoutFences(renderPlan(found, "markdown", { color: false, unmanaged: true }));
      const tags = [...prose.matchAll(/<\/?([^>]*)>?/g)].map((match) => match[1] ?? "");
      expect(tags.filter((tag) => !ours.test(tag))).toEqual([]);
    }),
    { numRuns: budget(100) },
  );
});

test("names cannot add lines that look like changes", () => {
  fc.assert(
    fc.property(document, (found) => {
      const lines = renderPlan(found, "text", { color: false, width: 100 }).split("\n");
      expect(lines.filter((line) => /^ {2}(?: \S|-\/\+| {2}[+~^?!-]) /.test(line)).length).toBeLessThanOrEqual(
        found.changes.length,
      );
    }),
    { numRuns: budget(50) },
  );
});

test("every value of a plan is in the HTML, and in the Markdown or counted there as left out", () => {
  const sizes = fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 120, size: "max" });
  fc.assert(
    fc.property(sizes, fc.boolean(), (words, areAlike) => {
      const described = words.map((size, index) =>
        oneChange({
          address: `acme/projects/web/insights/${String(index)}`,
          kind: "insight",
          action: "update",
          reason: areAlike ? "" : String(index),
          fields: [{ path: "/description", prior: null, planned: `${"word ".repeat(size)}end${String(index)}x` }],
        }),
      );
      const whole = plan(described);
      const missing = (format: "html" | "markdown"): number => {
        const report = renderPlan(whole, format, { color: false });
        const left = [...report.matchAll(/\*\*(\d+) more changes?\*\*|more lines?\*\* of (\d+) value/gu)];
        const isMissing = words.filter((_, index) => !report.includes(`end${String(index)}x`)).length;
        return isMissing - left.reduce((sum, [, ofChanges, values]) => sum + Number(ofChanges ?? values), 0);
      };
      expect([missing("html"), missing("markdown")]).toEqual([0, 0]);
    }),
    { numRuns: budget(30) },
  );
});

test("the Markdown shows a part of a group that is too long for a comment", () => {
  const group = Array.from({ length: 520 }, (_, index) =>
    oneChange({
      address: `acme/projects/web/insights/kpi-${String(index)}`,
      kind: "insight",
      action: "update",
      fields: [
        { path: "/description", prior: `Owner: team ${String(index)}`, planned: "The text of a board ".repeat(5) },
      ],
    }),
  );
  const report = renderPlan(plan(group), "markdown", { color: false });
  expect(report).toContain("description of kpi-0");
  expect(report).not.toContain("more changes");
  expect(report.length).toBeGreaterThan(55_000);
  expect(report.length).toBeLessThan(60_000);
});
