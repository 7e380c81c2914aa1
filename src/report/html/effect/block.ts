import { isCalculated, type Effect } from "../../../model/effect.ts";
import { markup, type Markup } from "../markup.ts";

/** What a change does to the numbers of its insight. */
export function effectBlock(effect: Effect | undefined): Markup {
  if (effect === undefined) return markup``;
  if (!isCalculated(effect)) return markup`<p class="note">Effect not calculated: ${effect.not_calculated}</p>`;
  return markup``;
}
