import type { Leaf } from "../diff/compare.ts";
import { pointer } from "../model/json.ts";

/** Why an object is changed in place, and what is sent along because the service never shows it. */
export function updateReason(leaves: readonly Leaf[], sealed: readonly Leaf[], rotated: boolean): string {
  const hidden = new Set(sealed.map(path));
  const real = leaves.filter((leaf) => !hidden.has(path(leaf)));
  if (real.length === 0) return `${paths(sealed)} sent again as asked`;
  const changed = new Set(real.map(topField));
  const along = rotated ? sealed : sealed.filter((leaf) => changed.has(topField(leaf)));
  const also = along.length === 0 ? "" : `; sends ${paths(along)} again${rotated ? " as asked" : ""}`;
  return differ(real) + also;
}

/** Why an object gives way to another one. */
export function replaceReason(leaves: readonly Leaf[], immutable: readonly Leaf[]): string {
  return immutable.length > 0 ? `${fields(immutable)} cannot be changed in place` : differ(leaves);
}

/** What was declared and could not be compared. */
export function notCompared(sealed: readonly Leaf[]): string {
  return sealed.length === 0 ? "" : `; never shown by the service, so not compared: ${paths(sealed)}`;
}

function differ(leaves: readonly Leaf[]): string {
  const names = fields(leaves);
  return names.includes(",") ? `${names} differ` : `${names} differs`;
}

function fields(leaves: readonly Leaf[]): string {
  return [...new Set(leaves.map(topField))].join(", ");
}

function paths(leaves: readonly Leaf[]): string {
  return leaves.map(path).join(", ");
}

function topField({ keys }: Leaf): string {
  return keys[0];
}

function path({ keys }: Leaf): string {
  return pointer(...keys);
}
