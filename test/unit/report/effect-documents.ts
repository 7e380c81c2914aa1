import type { CalculatedEffect, Effect, EffectPoint, EffectSeries, EffectSide } from "../../../src/model/effect.ts";
import type { PlanDocument, ShownChange } from "../../../src/model/plan.ts";
import { change, plan } from "./documents.ts";

const HOUR = 3_600_000;

/** `count` times from 2026-10-27 on, with these values. */
export function points(
  count: number,
  valueAt: (index: number) => number | null,
  interval: "hour" | "day" | "week" = "day",
): readonly EffectPoint[] {
  const step = HOUR * { hour: 1, day: 24, week: 168 }[interval];
  return Array.from({ length: count }, (_, index) => {
    const at = new Date(Date.UTC(2026, 9, 27) + index * step).toISOString();
    return { at: interval === "hour" ? at.slice(0, 19) : at.slice(0, 10), value: valueAt(index) };
  });
}

export function side(own: readonly EffectPoint[]): EffectSide {
  return { total: own.reduce((sum, { value }) => sum + (value ?? 0), 0), points: own };
}

export function series(label: string, before: EffectSide | null, after: EffectSide | null): EffectSeries {
  const [old, now] = [before?.total ?? 0, after?.total ?? null];
  return { label, before, after, percent: old === 0 || now === null ? null : ((now - old) / old) * 100 };
}

/** A series of days. */
export function days(
  label: string,
  before: ((index: number) => number | null) | null,
  after: (index: number) => number | null,
): EffectSeries {
  return series(label, before === null ? null : side(points(29, before)), side(points(29, after)));
}

/** A calculated effect over days, with these parts replaced. */
export function calculated(own: readonly EffectSeries[], part: Partial<CalculatedEffect> = {}): CalculatedEffect {
  return {
    address: "acme/projects/web/insights/signups",
    shape: "lines",
    range: { from: "2026-10-27", to: "2026-11-24" },
    interval: { before: "day", after: "day" },
    series: own,
    series_left_out: 0,
    notes: [],
    ...part,
  };
}

const CHANGE: ShownChange = change({
  address: "acme/projects/web/insights/signups",
  kind: "insight",
  action: "update",
  reason: "query differs",
  fields: [{ path: "/query/source/series/0/math", prior: "total", planned: "dau" }],
});

/** A plan of one change with this effect. */
export function effectPlan(effect: Effect, part: Partial<PlanDocument> = {}): PlanDocument {
  return plan([CHANGE], { effects: { insights: [{ ...effect, address: CHANGE.address }] }, ...part });
}

/** A wave with a weekend, and no two days alike. */
const wave =
  (size: number, shift = 0) =>
  (index: number): number =>
    Math.round(size * (1 + 0.35 * Math.sin((index + shift) / 3) + (index % 7 > 4 ? -0.4 : 0)) + ((index * 13) % 7));

const steps = (...own: readonly (readonly [string, number])[]): EffectSide => ({
  total: own.at(-1)?.[1] ?? null,
  points: own.map(([at, value]) => ({ at, value })),
});
const NO_TIMES = { range: null, interval: { before: null, after: null } };

/** Names that would be more than text. */
export const HOSTILE_LABELS = [
  '"><img src=x onerror=owned=1>',
  "</title></svg><script>owned=1</script>",
  "invoice\u202egnp.exe\u0000 \u200b",
  "@team `code` | **bold** #12 <!-- x",
  "аcme.com",
  "acme.com",
  "",
];

/** An effect of every sort. */
export const EFFECTS: Readonly<Record<string, Effect>> = {
  "one-line": calculated([days("Signed up", wave(420), wave(310, 1))]),
  "ten-lines": calculated(
    Array.from({ length: 10 }, (_, index) =>
      days(
        `Country ${String.fromCodePoint(65 + index)}`,
        wave(900 / (index + 1), index),
        wave(800 / (index + 1), index),
      ),
    ),
    { series_left_out: 13, notes: ["The series are those of the ten largest values of country."] },
  ),
  "one-point": calculated([series("Signed up", side(points(1, () => 12)), side(points(1, () => 9)))], {
    range: { from: "2026-10-27", to: "2026-10-27" },
  }),
  "all-zeros": calculated([
    days(
      "Signed up",
      () => 0,
      () => 0,
    ),
  ]),
  gaps: calculated([
    days(
      "Signed up",
      (index) => (index % 9 === 4 ? null : wave(80)(index)),
      (index) => (index > 9 && index < 14 ? null : index % 6 === 5 || index === 15 ? null : wave(60)(index)),
    ),
  ]),
  negative: calculated([
    days(
      "Balance",
      (index) => 40 - index * 4,
      (index) => Math.round(30 * Math.sin(index / 4)),
    ),
  ]),
  "very-large": calculated([
    days(
      "Bytes",
      (index) => 4.2e15 + index * 1e14,
      (index) => 3.1e15 + index * 1e14,
    ),
  ]),
  "very-small": calculated([
    days(
      "Share",
      (index) => 3.4e-7 + index * 1e-8,
      (index) => 2.1e-7 + index * 1.7e-8,
    ),
  ]),
  funnel: calculated(
    [
      series(
        "Funnel",
        steps(["Opened the page", 12_400], ["Signed up", 3_100], ["Invited a colleague", 410]),
        steps(["Opened the page", 12_400], ["Signed up", 2_480], ["Invited a colleague", 392]),
      ),
    ],
    { shape: "steps", interval: { before: null, after: null } },
  ),
  "funnel-broken-down": calculated(
    ["Chrome", "Firefox"].map((browser, index) =>
      series(
        browser,
        steps(["Opened the page", 900 - index * 300], ["Signed up", 210 - index * 80]),
        steps(["Opened the page", 900 - index * 300], ["Verified", 400 - index * 90], ["Signed up", 180 - index * 70]),
      ),
    ),
    { shape: "steps", interval: { before: null, after: null } },
  ),
  "changed-interval": calculated(
    [series("Signed up", side(points(28, wave(40))), side(points(4, (index) => wave(40)(index) * 7, "week")))],
    { interval: { before: "day", after: "week" }, notes: ["Before, a point is a day; after, it is a week."] },
  ),
  "new-insight": calculated(
    [series("Signed up", null, side(points(15, wave(310)))), series("Paid", null, side(points(15, wave(120, 4))))],
    { range: { from: "2026-10-27", to: "2026-11-10" }, interval: { before: null, after: "day" } },
  ),
  "hostile-names": calculated(
    HOSTILE_LABELS.map((label, index) => days(label, wave(90 + index * 20), wave(80 + index * 20, 2))),
    { notes: HOSTILE_LABELS },
  ),
  "single-number": calculated(
    [series("Median time to sign up", { total: 41.666_666_666_666_664, points: [] }, { total: 38.25, points: [] })],
    { interval: { before: null, after: null } },
  ),
  "sql-rows": calculated(
    [
      series(
        "revenue",
        side(
          [
            ["Pro", 8120.5],
            ["Team", 4060.25],
            ["A plan with a name that is longer than its bar is on a telephone", 0],
            ["Refunds", -910],
          ].map(([at, value]) => ({ at: String(at), value: Number(value) })),
        ),
        side(
          [
            ["Pro", 7710],
            ["Team", 4310.75],
            ["Enterprise", 2980],
            ["Refunds", -1200],
          ].map(([at, value]) => ({ at: String(at), value: Number(value) })),
        ),
      ),
      series(
        "accounts",
        side([
          { at: "Pro", value: 812 },
          { at: "Team", value: 203 },
        ]),
        side([{ at: "Pro", value: 771 }]),
      ),
    ],
    { ...NO_TIMES, shape: "rows", notes: ["At most 100 rows are returned."] },
  ),
  "sql-times": calculated([series("count()", side(points(60, wave(200))), side(points(60, wave(170, 3))))], {
    ...NO_TIMES,
    shape: "rows",
  }),
  "sql-numbers": calculated(
    [
      series(
        "people",
        side(Array.from({ length: 24 }, (_, hour) => ({ at: String(hour), value: wave(60)(hour) }))),
        side(Array.from({ length: 24 }, (_, hour) => ({ at: String(hour), value: wave(50, 5)(hour) }))),
      ),
    ],
    { ...NO_TIMES, shape: "rows" },
  ),
  "not-calculated": { address: "", not_calculated: "the service answered 400: the query has no series" },
};

/** One plan with all of them. */
export const ALL_EFFECTS: PlanDocument = plan(
  Object.keys(EFFECTS).map((name) => ({ ...CHANGE, address: `acme/projects/web/insights/${name}`, reason: name })),
  {
    effects: {
      insights: Object.entries(EFFECTS).map(([name, effect]) => ({
        ...effect,
        address: `acme/projects/web/insights/${name}`,
      })),
      left_out: { count: 3, reason: "time" },
    },
  },
);

/** Effects that were left out, and one that is there. */
export const LEFT_OUT = effectPlan(EFFECTS["one-line"] ?? { address: "", not_calculated: "" }, {
  effects: {
    insights: [{ address: CHANGE.address, not_calculated: "the service did not answer in 10 s" }],
    left_out: { count: 3, reason: "limit" },
  },
});
