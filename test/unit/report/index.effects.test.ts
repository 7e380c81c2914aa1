import { expect, test } from "vitest";
import type { EffectSeries } from "../../../src/model/effect.ts";
import type { PlanDocument } from "../../../src/model/plan.ts";
import { renderPlan, type Format, type RenderOptions } from "../../../src/report/index.ts";
import { change, plan } from "./documents.ts";
import { calculated, EFFECTS, effectPlan, LEFT_OUT, points, series, side } from "./effect-documents.ts";
import { expectGolden } from "./golden.ts";

const PLAIN = { color: false, showsNextSteps: false };
const ONE = EFFECTS["one-line"] ?? { address: "", not_calculated: "" };

/** The reports of all effects, one after the other. */
function all(format: Format, options: RenderOptions): string {
  const plans: readonly (readonly [string, PlanDocument])[] = [
    ...Object.entries(EFFECTS).map(([name, effect]) => [name, effectPlan(effect)] as const),
    ["drift", effectPlan(EFFECTS["changed-interval"] ?? ONE, { type: "driftline.drift" })],
    ["left-out", LEFT_OUT],
  ];
  return plans.map(([name, document]) => `===== ${name}\n${renderPlan(document, format, options)}`).join("\n");
}

test("effects as text and as Markdown", () => {
  expectGolden("effects.txt", all("text", PLAIN));
  expectGolden("effects-narrow.txt", all("text", { ...PLAIN, width: 60 }));
  expectGolden("effects.md", all("markdown", PLAIN));
});

test.each(Object.keys(EFFECTS))("the effect %s as HTML", (name) => {
  const html = renderPlan(effectPlan(EFFECTS[name] ?? ONE), "html", PLAIN);
  const [block = ""] =
    /<div class="effect">[^]*<\/div>(?=<\/div>\n<\/details>)|<p class="note">Effect.*?<\/p>/.exec(html) ?? [];
  // The numbers of an hour each for 90 days say nothing that those of 28 days do not say.
  expectGolden(`effect-${name}.html`, `${block}\n`);
});

test("HTML has no chart without a number, and says where a table ends that is too long", () => {
  const html = (own: readonly EffectSeries[]): string => renderPlan(effectPlan(calculated(own)), "html", PLAIN);
  const none = { total: null, points: [] };
  expect(html([series("x", none, none), series("y", side(points(3, () => null)), null)])).not.toContain('class="chart');
  const long = html([series("x", side(points(11_000, () => 1, "hour")), side(points(11_000, () => 2, "hour")))]);
  expect([long.includes("first 10,000 of 11,000 rows"), long.match(/<tr>/g)?.length]).toEqual([true, 10_000 + 3]);
});

test.each(["text", "markdown", "html"] as const)("an effect is left out if the caller says so (%s)", (format) => {
  const bare = { ...LEFT_OUT, effects: undefined };
  expect(renderPlan(LEFT_OUT, format, { ...PLAIN, effect: false })).toBe(renderPlan(bare, format, PLAIN));
  expect(renderPlan(LEFT_OUT, format, PLAIN)).not.toBe(renderPlan(bare, format, PLAIN));
});

test.each(["line", "summary"] as const)("text with detail %s has no effect", (detail) => {
  const bare = { ...LEFT_OUT, effects: undefined };
  expect(renderPlan(LEFT_OUT, "text", { ...PLAIN, detail })).toBe(renderPlan(bare, "text", { ...PLAIN, detail }));
});

test("JSON has the effects as they are", () => {
  const document = effectPlan(ONE);
  expect((JSON.parse(renderPlan(document, "json", PLAIN)) as PlanDocument).effects).toEqual(document.effects);
});

test.each(["text", "markdown", "html"] as const)(
  "equal changes are one only if their effects are equal, too (%s)",
  (format) => {
    const addresses = ["a", "b", "c"].map((name) => `acme/projects/web/insights/${name}`);
    const changes = addresses.map((address) =>
      change({ address, kind: "insight", action: "update", fields: [{ path: "/tags", prior: [], planned: ["x"] }] }),
    );
    const reportOf = (reasons: readonly string[]): string =>
      renderPlan(
        plan(changes, {
          effects: {
            insights: reasons.map((reason, index) => ({ address: addresses[index] ?? "", not_calculated: reason })),
          },
        }),
        format,
        PLAIN,
      );
    const count = (report: string): number => report.match(/ffect not calculated/g)?.length ?? 0;
    expect([count(reportOf(["x", "x", "x"])), count(reportOf(["x", "y", "x"]))]).toEqual([1, 3]);
  },
);
