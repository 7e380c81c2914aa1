/** The numbers of an effect are the same in all formats. They are read back from what is shown. */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EffectSide } from "../../../src/model/effect.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { renderPlan, type Format } from "../../../src/report/index.ts";
import { budget } from "../../support/budget.ts";
import { calculated, effectPlan } from "./effect-documents.ts";
import { textOf } from "./html/text.ts";

const number = fc.oneof(
  fc.integer(),
  fc.double({ min: -1e6, max: 1e6, noNaN: true }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const side = fc.record({
  total: fc.option(number),
  points: fc
    .uniqueArray(fc.nat(40), { maxLength: 12 })
    .chain((days) =>
      fc.tuple(...days.map((day) => fc.record({ at: fc.constant(`p${String(day)}`), value: fc.option(number) }))),
    ),
});
const effect = fc
  .array(fc.record({ before: fc.option(side), after: fc.option(side), percent: fc.option(number) }), {
    minLength: 1,
    maxLength: 10,
  })
  .map((list) =>
    calculated(
      list.map((one, index) => {
        const hasBoth = [one.before, one.after].every((own) => own !== null && own.total !== null);
        return { ...one, percent: hasBoth ? one.percent : null, label: `series-${String(index)}` };
      }),
      { shape: "lines" },
    ),
  );

/** What a report shows of a series, without what stands for nothing. */
type Shown = readonly string[];

const withoutNothing = (texts: readonly string[]): Shown => texts.filter((text) => text !== "" && text !== "–");

const shownIn: Readonly<Record<Exclude<Format, "json">, (report: string) => readonly Shown[]>> = {
  text: (report) =>
    [...report.matchAll(/^ +series-\d+(?: +(\S+)(?: -> (\S+))?(?: \((\S+)\))?)?(?:  |$)/gm)].map(([, ...found]) =>
      withoutNothing(found.map((text) => text ?? "")),
    ),
  markdown: (report) =>
    [...report.matchAll(/^\| <code>series-\d+<\/code> \| (.*) \|$/gm)].map(([, cells = ""]) =>
      withoutNothing(cells.split(" | ").slice(0, -1)),
    ),
  html: (report) =>
    (/<table class="totals">[^]*?<\/table>/.exec(report)?.[0] ?? "")
      .split("<tr>")
      .slice(2)
      .map((row) => withoutNothing([...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell = ""]) => textOf(cell)))),
};

const valueOf = (text: string): number => Number(text.replaceAll(",", ""));
const isNear = (shown: number, value: number, digits: number): boolean =>
  Math.abs(shown - value) <= Math.abs(value) * 10 ** -digits;

test("the totals are the same in text, Markdown and HTML, and those of the JSON", () => {
  fc.assert(
    fc.property(effect, (own) => {
      const render = (format: Format): string => renderPlan(effectPlan(own), format, { color: false, width: 200 });
      const [text, markdown, html] = (["text", "markdown", "html"] as const).map((format) =>
        shownIn[format](render(format)),
      );
      expect(text).toHaveLength(own.series.length);
      expect(markdown).toEqual(text);
      expect(html).toEqual(text);
      const document = JSON.parse(render("json")) as PlanDocument;
      expect(document.effects?.insights).toEqual(
        JSON.parse(JSON.stringify([{ ...own, address: document.changes[0]?.address }])),
      );
      const totals = own.series.map(({ before, after }) => [before, after].flatMap((one) => one?.total ?? []));
      const read = text?.map((shown) => shown.filter((one) => !one.endsWith("%")).map(valueOf)) ?? [];
      expect(read.map(({ length }) => length)).toEqual(totals.map(({ length }) => length));
      expect(read.flat().every((one, index) => isNear(one, totals.flat()[index] ?? Number.NaN, 5))).toBe(true);
      const exact = [...render("html").matchAll(/<data value="(.*?)">/g)].map(([, value]) => Number(value));
      expect(exact).toEqual(totals.flat().map((one) => (one === 0 ? 0 : one)));
    }),
    { numRuns: budget(200) },
  );
});

test("the table of HTML has all points of the JSON, with 15 digits", () => {
  fc.assert(
    fc.property(effect, (own) => {
      const html = renderPlan(effectPlan(own), "html", { color: false });
      const table = /<details class="points">[^]*?<\/details>/.exec(html)?.[0] ?? "";
      const rows = [...table.matchAll(/<tr><th scope="row">(.*?)<\/th>(.*?)<\/tr>/g)].map(([, at, cells = ""]) => ({
        at,
        cells: [...cells.matchAll(/<td>(.*?)<\/td>/g)].map(([, cell]) => cell ?? ""),
      }));
      const sides = own.series
        .flatMap(({ before, after }) => [before, after])
        .filter((one): one is EffectSide => (one?.points.length ?? 0) > 0);
      sides.forEach(({ points }, index) => {
        const shown = new Map(
          rows.flatMap(({ at, cells }) => (cells[index] === "" ? [] : [[at, cells[index] ?? ""] as const])),
        );
        expect(new Set(shown.keys())).toEqual(new Set(points.map(({ at }) => at)));
        for (const { at, value } of points) {
          const text = shown.get(at) ?? "";
          expect(value === null ? text === "–" : isNear(valueOf(text), value, 14)).toBe(true);
        }
      });
      expect(rows.every(({ cells }) => cells.length === sides.length)).toBe(true);
    }),
    { numRuns: budget(200) },
  );
});
