/** What a kind says about the numbers that its objects show, for the effect of a change. */
import type { Profile } from "../model/profile.ts";
import type { Json, JsonObject } from "../model/json/json.ts";
import type { EffectPoint } from "../model/effect.ts";
import type { Call } from "./kind-parts.ts";

/** A range of whole days, both included, such as `2026-11-01`. `from` is `all` if it begins with the first data. */
export interface DayRange {
  readonly from: string;
  readonly to: string;
}

/** When and where a calculation is asked for. */
export interface CalculationContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** `document`: only what the interface document has. */
  readonly profile: Profile;
}

/** The series of one side. */
export interface CalculatedSeries {
  /** Which series of the other side it stands against. Series of one key are compared. */
  readonly key: string;
  readonly label: string;
  readonly total: number | null;
  readonly points: readonly EffectPoint[];
  /** Set if it is one value of a breakdown. What the values of it are together. */
  readonly whole?: { readonly key: string; readonly label: string } | undefined;
}

export interface CalculatedSide {
  readonly shape: "lines" | "steps" | "rows";
  readonly series: readonly CalculatedSeries[];
  /** Full sentences. */
  readonly notes: readonly string[];
  /** Whether the points of a series, and the values of a breakdown, can be added up. If not, the mean of the points is shown. */
  readonly isAdditive: boolean;
  /** Set if the points have names that may be personal data. */
  readonly hasNames?: boolean | undefined;
}

/** Something that cannot be calculated, as the rest of a sentence that begins with "not calculated:". */
export interface Uncalculable {
  readonly reason: string;
  /** Set if the service refuses to run the query. */
  readonly isRefused?: boolean;
}

/** One question to the service, and how to read its answer. */
export interface Calculation {
  readonly call: Call;
  /** `hour`, `day`, `week` or `month`; null if the points are no times. */
  readonly interval: string | null;
  /** @returns why the answer shows no numbers, if it does not */
  readonly read: (answer: Json | undefined) => CalculatedSide | Uncalculable;
}

/** How the numbers of a kind's objects are asked for. */
export interface Calculations {
  /** The values of an object after a write of `body`. */
  readonly after: (live: JsonObject, body: JsonObject) => JsonObject;
  /** The range of full days that both sides are calculated over, from the values after the change; null if they have none. */
  readonly rangeOf: (before: JsonObject | undefined, after: JsonObject, now: number) => DayRange | null | Uncalculable;
  /** The question about the numbers of these values. */
  readonly of: (values: JsonObject, range: DayRange | null, context: CalculationContext) => Calculation | Uncalculable;
}

export function isUncalculable(value: object): value is Uncalculable {
  return "reason" in value;
}
