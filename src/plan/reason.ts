import type { Difference } from "../diff/compare.ts";
import { pointer } from "../model/json.ts";

/** Why an object is changed in place, and what is sent along because the service never shows it. */
export function updateReason(leaves: readonly Difference[], sealed: readonly Difference[], rotated: boolean): string {
  const hidden = new Set(sealed.map(path));
  const real = leaves.filter((leaf) => !hidden.has(path(leaf)));
  if (real.length === 0) return `${paths(sealed)} sent again as asked`;
  const changed = new Set(real.map(topField));
  const along = rotated ? sealed : sealed.filter((leaf) => changed.has(topField(leaf)));
  const also = along.length === 0 ? "" : `; sends ${paths(along)} again${rotated ? " as asked" : ""}`;
  return describeDifferences(real) + also;
}

/** Why an object gives way to another one. */
export function replaceReason(leaves: readonly Difference[], immutable: readonly Difference[]): string {
  return immutable.length > 0 ? `${fields(immutable)} cannot be changed in place` : describeDifferences(leaves);
}

/** What was declared and could not be compared. */
export function notComparedNote(sealed: readonly Difference[]): string {
  return sealed.length === 0 ? "" : `; never shown by the service, so not compared: ${paths(sealed)}`;
}

function describeDifferences(leaves: readonly Difference[]): string {
  const names = fields(leaves);
  return names.includes(",") ? `${names} differ` : `${names} differs`;
}

function fields(leaves: readonly Difference[]): string {
  return [...new Set(leaves.map(topField))].join(", ");
}

function paths(leaves: readonly Difference[]): string {
  return leaves.map(path).join(", ");
}

function topField({ keys }: Difference): string {
  return keys[0];
}

function path({ keys }: Difference): string {
  return pointer(...keys);
}
