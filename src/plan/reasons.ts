/** The words for why a plan does something. */
import type { Difference } from "../diff/compare.ts";
import type { ValueObject } from "../model/json/json.ts";
import { differText, uniqueNamesText } from "../model/differ-text.ts";
import { pathTexts, pointer } from "../model/pointer.ts";
import type { LiveObject } from "../model/live.ts";

/** The reason for an update, with the unreadable fields that are sent along because the service never shows them. */
export function updateReason(
  differences: readonly Difference[],
  unreadable: readonly Difference[],
  { rotate }: { readonly rotate: boolean },
): string {
  const hidden = new Set(unreadable.map(pathOf));
  const real = differences.filter((one) => !hidden.has(pathOf(one)));
  if (real.length === 0) return `${pathList(unreadable)} sent again as requested`;
  const changed = new Set(real.map(fieldOf));
  const along = rotate ? unreadable : unreadable.filter((one) => changed.has(fieldOf(one)));
  const also = along.length === 0 ? "" : `; sends ${pathList(along)} again${rotate ? " as requested" : ""}`;
  return describeDifferences(real) + also;
}

/** Says what an update sends so that it stays as it is. */
export function repeatedNote(repeated: ValueObject): string {
  const sent = Object.entries(repeated).map(([field, value]) => `${field}: ${JSON.stringify(value)}`);
  return sent.length === 0 ? "" : `; sends ${sent.join(", ")} again, because this service would change it otherwise`;
}

export function replaceReason(differences: readonly Difference[], immutable: readonly Difference[]): string {
  return immutable.length > 0
    ? `${fieldNames(immutable)} cannot be changed in place`
    : describeDifferences(differences);
}

/** Lists the declared fields that could not be compared. */
export function notComparedNote(unreadable: readonly Difference[]): string {
  return unreadable.length === 0 ? "" : `; never shown by the service, so not compared: ${pathList(unreadable)}`;
}

/** The reason to leave an object as it is. */
export function unchangedReason({ note }: LiveObject): string {
  return note ?? "nothing differs";
}

/** A reason, with what only its kind has to say about it. */
export function withNote(reason: string, note: string | undefined): string {
  return note === undefined ? reason : `${reason}; ${note}`;
}

function describeDifferences(differences: readonly Difference[]): string {
  return differText(differences.map(fieldOf));
}

function fieldNames(differences: readonly Difference[]): string {
  return uniqueNamesText(differences.map(fieldOf));
}

function pathList(differences: readonly Difference[]): string {
  return pathTexts(differences.map(pathOf));
}

function fieldOf({ keys }: Difference): string {
  return keys[0];
}

function pathOf({ keys }: Difference): string {
  return pointer(...keys);
}
