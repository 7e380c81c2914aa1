/**
 * What changed queries do to the numbers of their insights: the result of the live query beside that of the declared one, over the
 * same range. It stands beside a plan, never in it: no decision and no hash depends on it.
 */
export interface Effects {
  /** In the order of the changes. */
  readonly insights: readonly Effect[];
  /** How many more insights were not asked for, and why; absent if there are none. */
  readonly left_out?: { readonly count: number; readonly reason: "limit" | "time" | "interrupted" } | undefined;
}

/** The effect of one change. `address` is that of the change. */
export type Effect = CalculatedEffect | { readonly address: string; readonly not_calculated: string };

export interface CalculatedEffect {
  readonly address: string;
  /** `lines`: numbers over time; `steps`: a funnel; `rows`: the rows of an SQL query. */
  readonly shape: "lines" | "steps" | "rows";
  /** The first and the last day of both sides, in the project's time zone, such as `2026-11-24`. `from` may be `all`. Null if rows have no range. */
  readonly range: { readonly from: string; readonly to: string } | null;
  /** `hour`, `day`, `week` or `month`; null if the points are no times. */
  readonly interval: { readonly before: string | null; readonly after: string | null };
  /** The largest first if they are broken down, at most ten; else in the order of the query. */
  readonly series: readonly EffectSeries[];
  /** How many series are left out, because they are smaller, or because `--effect-totals` leaves breakdowns out. */
  readonly series_left_out: number;
  /** What a reader has to know to compare the two sides, such as "at most 100 rows are returned". Full sentences. */
  readonly notes: readonly string[];
}

/** One series on both sides. A side is null if the series is not there: `before` of a new insight, for example. */
export interface EffectSeries {
  /** Foreign text: it comes from the service. */
  readonly label: string;
  readonly before: EffectSide | null;
  readonly after: EffectSide | null;
  /** The change of the total in percent of the total before; null if that is 0, if a side is null, or if the intervals differ. */
  readonly percent: number | null;
}

export interface EffectSide {
  /** The sum of the points, the people who finish a funnel, or the single number of the query; null if there is none. */
  readonly total: number | null;
  /** Empty if the query has a single number. */
  readonly points: readonly EffectPoint[];
}

export interface EffectPoint {
  /** The start of an interval (`2026-11-24` or `2026-11-24T13:00:00`), the name of a step, or the first value of a row. Foreign text. */
  readonly at: string;
  /** Null is a gap. */
  readonly value: number | null;
}

export function isCalculated(effect: Effect): effect is CalculatedEffect {
  return "shape" in effect;
}
