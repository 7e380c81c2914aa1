/** The parts of a chart: where points stand, which of them are drawn, and in which colours. */
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { align } from "../../../../../src/report/effect/align.ts";
import { sparklines } from "../../../../../src/report/effect/sparkline.ts";
import { positionAxis, valueAxis } from "../../../../../src/report/html/effect/axes.ts";
import { EFFECT_STYLE } from "../../../../../src/report/html/effect/style.ts";
import { STYLE } from "../../../../../src/report/html/style.ts";
import { budget } from "../../../../support/budget.ts";
import { points, series, side } from "../../effect-documents.ts";

const line = (...names: readonly string[]) => names.map((at, value) => ({ at, value }));
const names = (...lines: readonly (readonly { at: string; value: number }[])[]) =>
  align(lines).rows.map(({ at }) => at);

describe("points of several lines", () => {
  it("stand side by side, and a step that is new behind the one before it", () => {
    expect(names(line("a", "c"), line("a", "b", "c", "d"))).toEqual(["a", "b", "c", "d"]);
    expect(align([line("a", "c"), line("a", "b", "c")]).rows.map(({ values }) => values)).toEqual([
      [0, 0],
      [undefined, 1],
      [1, 2],
    ]);
  });

  it("with the same name in one line are two rows", () => {
    expect(names(line("a", "a", "b"), line("a", "b"))).toEqual(["a", "a", "b"]);
  });

  it.each([
    ["time", line("2026-10-27", "2026-10-29"), line("2026-10-28")],
    ["time", line("2026-10-27T01:00:00", "2026-10-27T02:00:00"), line("2026-10-27T01:30:00")],
    ["number", line("1", "10"), line("2", "12.5")],
    ["name", line("10", "2"), line("1")],
    ["name", line("2026-10-27", "2026-13-45"), line("2026-10-28")],
    ["name", line("2026-10-27", "2026-10-27"), line("2026-10-28")],
  ] as const)("are on an axis of a %s", (axis, one, other) => {
    expect(align([one, other]).axis).toBe(axis);
  });

  it("are in the order of their times, whichever line has them", () => {
    expect(names(line("2026-10-27", "2026-10-29"), line("2026-10-28"))).toEqual([
      "2026-10-27",
      "2026-10-28",
      "2026-10-29",
    ]);
  });
});

test("an axis of values has zero and all values on it, for any numbers", () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.array(fc.option(number), { maxLength: 8 }), (values) => {
      const { placeOf, ticks } = valueAxis(values);
      const places = [0, ...values].flatMap((value) => (value === null ? [] : placeOf(value)));
      expect(places.every((place) => place >= 0 && place <= 1)).toBe(true);
      expect(ticks.length).toBeGreaterThan(1);
      expect(ticks.map(({ label }) => label)).toContain("0");
      expect(ticks.map(({ place }) => place)).toEqual(ticks.map(({ place }) => place).toSorted((a, b) => a - b));
    }),
    { numRuns: budget(1000) },
  );
});

test.each([
  ["hours", points(30, () => 1, "hour"), ["Oct 27", "06:00", "12:00", "18:00", "Oct 28"]],
  ["days", points(29, () => 1), ["Nov 1", "Nov 8", "Nov 15", "Nov 22"]],
  ["two weeks", points(15, () => 1), ["Oct 28", "Nov 1", "Nov 5", "Nov 9"]],
  ["weeks", points(20, () => 1, "week"), ["Nov 2026", "Dec 2026", "Jan 2027", "Feb 2027", "Mar 2027"]],
  ["years", points(200, () => 1, "week"), ["2027", "2028", "2029", "2030"]],
])("an axis of %s says what differs", (_name, own, labels) => {
  expect(positionAxis(align([own])).ticks.map(({ label }) => label)).toEqual(labels);
});

test("blocks are on one scale from zero, and thinned to their width", () => {
  const own = series("x", side(points(4, (index) => index * 2)), side(points(3, (index) => (index === 1 ? null : 7))));
  expect(sparklines(own, 10)).toEqual(["▁▃▅▇", "█·█"]);
  expect(sparklines(own, 2).map(({ length }) => length)).toEqual([2, 2]);
  expect(sparklines(series("x", null, { total: 3, points: [] }), 10)).toEqual(["", ""]);
});

describe("the colours of the series", () => {
  const pages = [...STYLE.matchAll(/--page: (#\w+)/g)].map(([, color = ""]) => color);
  const colors = [...EFFECT_STYLE.matchAll(/--s\d+: (#\w+)/g)].map(([, color = ""]) => color);
  const themes = [
    ["light", colors.slice(0, 10), pages[0] ?? ""],
    ["dark", colors.slice(10), pages[1] ?? ""],
  ] as const;

  it.each(themes)("have enough contrast with the page: %s", (_name, own, page) => {
    expect(own).toHaveLength(10);
    expect(own.filter((color) => contrast(color, page) < 4.5)).toEqual([]);
  });

  it.each(themes)("differ for people who see no red or no green: %s", (_name, own) => {
    for (const sight of Object.values(SIGHTS)) {
      const seen = own.map((color) => labOf(sight.map((row) => dot(row, lightOf(color)))));
      const pairs = seen.flatMap((one, index) => seen.slice(index + 1).map((other) => [one, other] as const));
      const distances = pairs.map(([one, other]) => Math.hypot(...one.map((part, at) => part - (other[at] ?? 0))));
      // A difference of 2.3 is just noticeable.
      expect(Math.min(...distances)).toBeGreaterThan(8);
    }
  });
});

/** What remains of red, green and blue light without one sort of cones (Machado, Oliveira and Fernandes, 2009). */
const SIGHTS = {
  full: [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  protanopia: [
    [0.152, 1.053, -0.205],
    [0.115, 0.786, 0.099],
    [-0.004, -0.048, 1.052],
  ],
  deuteranopia: [
    [0.367, 0.861, -0.228],
    [0.28, 0.673, 0.047],
    [-0.012, 0.043, 0.969],
  ],
};

const dot = (row: readonly number[], parts: readonly number[]): number =>
  row.reduce((sum, part, index) => sum + part * (parts[index] ?? 0), 0);

/** The parts of light of a colour in sRGB. */
function lightOf(color: string): readonly number[] {
  const parts = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255);
  return parts.map((part) => (part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
}

/** The colour in CIELAB, where distances are those that people see. */
function labOf(light: readonly number[]): readonly number[] {
  const rows = [
    [0.4339, 0.3762, 0.1899],
    [0.2126, 0.7152, 0.0722],
    [0.0177, 0.1095, 0.8729],
  ];
  const [x = 0, y = 0, z = 0] = rows.map((row) => Math.cbrt(Math.max(0, dot(row, light))));
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function contrast(one: string, other: string): number {
  const [low = 0, high = 0] = [one, other]
    .map((color) => dot([0.2126, 0.7152, 0.0722], lightOf(color)))
    .toSorted((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}
