/** Which changes have an effect on numbers, and what to ask the service to see it. */
import {
  type Calculation,
  type Calculations,
  type CalculationContext,
  type DayRange,
  isUncalculable,
} from "../../kinds/calculation.ts";
import { kinds } from "../../kinds/registry.ts";
import { isDifference, type Change } from "../../model/change.ts";
import type { CalculatedEffect, Effect } from "../../model/effect.ts";
import { type JsonObject, Secret, someValue, type ValueObject } from "../../model/json/json.ts";
import type { LiveWorld, ScopePath } from "../../model/live.ts";

/** The questions about one changed object. */
export interface Questions {
  readonly address: string;
  readonly path: ScopePath;
  readonly range: DayRange | null;
  /** Undefined if there is no live object. */
  readonly before: Calculation | undefined;
  readonly after: Calculation;
  /** Full sentences. */
  readonly notes: readonly string[];
}

/** A changed object whose numbers cannot be asked for. */
export type Unasked = Exclude<Effect, CalculatedEffect>;

/** The changes that may change numbers: of new objects, and of those whose deciding fields differ. */
export function changesOfNumbers(changes: readonly Change[]): readonly Change[] {
  return changes.filter(({ action, kind, work }) => {
    if (work === null || !isDifference({ action }) || action === "delete") return false;
    return kinds[kind].numbers?.fields.some((field) => Object.hasOwn(work.body, field)) === true;
  });
}

/** What to ask about one change, or why there is nothing to ask. */
export async function questionsOf(
  change: Change,
  { scopes }: LiveWorld,
  context: CalculationContext,
): Promise<Questions | Unasked> {
  const { address, work } = change;
  const scope = scopes.get(work?.scope ?? "");
  const { numbers } = kinds[change.kind];
  if (work === null || numbers === undefined || scope?.status !== "known")
    return { address, not_calculated: "its project does not exist yet" };
  if (!isKnown(work.body)) return { address, not_calculated: "its query holds a secret" };
  const calculations = await numbers.load();
  const live = work.live?.values;
  const after = calculations.after(live ?? {}, work.body);
  const range = calculations.rangeOf(live, after, context.now);
  if (range !== null && isUncalculable(range)) return { address, not_calculated: range.reason };
  const wanted = calculations.of(after, range, context);
  if (isUncalculable(wanted)) return { address, not_calculated: wanted.reason };
  const question = live === undefined ? undefined : calculations.of(live, range, context);
  const isMissing = question !== undefined && isUncalculable(question);
  const notes = live === undefined ? [] : rangeNotes(calculations, { before: live, after, range, now: context.now });
  const missing = isMissing ? [liveMissing(question.reason)] : [];
  return {
    address,
    path: scope.path,
    range,
    before: isMissing ? undefined : question,
    after: wanted,
    notes: [...missing, ...notes],
  };
}

interface Ranges {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly range: DayRange | null;
  readonly now: number;
}

/** Both sides are calculated over one range, so a change of the range itself has to be said. */
function rangeNotes({ rangeOf }: Calculations, { before, after, range, now }: Ranges): readonly string[] {
  const own = rangeOf(after, before, now);
  const isSame =
    own === null || range === null || isUncalculable(own) || (own.from === range.from && own.to === range.to);
  return isSame ? [] : ["The live one has another range. Both sides are calculated over the declared range."];
}

function isKnown(body: ValueObject): body is JsonObject {
  return !someValue(body, (value) => value instanceof Secret);
}

/** The note if the declared side is shown alone. */
export function liveMissing(reason: string): string {
  return `The live one is not calculated: ${reason}.`;
}
