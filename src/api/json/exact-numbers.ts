/**
 * Numbers that are none here.
 *
 * Premise: JSON.parse rounds 9007199254740993 and makes Infinity of 1e400, and what is rounded must not be sent back. Nothing
 * tells afterwards how a number was written, so it has to be looked at before.
 * Algorithm: a text in which such a number stands outside of strings is parsed with a marked string in its place, which becomes
 * a {@link ExactNumber}; on the way out, that becomes the number again. The mark is new each time, so that no service can write it.
 */
import { randomUUID } from "node:crypto";
import { isExact } from "../../model/exact-number.ts";
import { ExactNumber, type Json } from "../../model/json.ts";

/** Longer ones may not be exact. Characters. */
const SHORTEST = 16;

/** Whether a number as it is written may be another one once it is parsed. */
export function mayBeInexact(text: string): boolean {
  return text.length >= SHORTEST || /e[+-]?\d{3}/iu.test(text);
}

/** JSON in which the numbers at these places stand for themselves. */
export function parseExactly(text: string, places: readonly (readonly [from: number, to: number])[]): Json {
  const mark = randomUUID();
  let rest = 0;
  let marked = "";
  for (const [from, to] of places) {
    const number = text.slice(from, to);
    if (!NUMBER.test(number) || isExact(number)) continue;
    marked += `${text.slice(rest, from)}"${mark}${number}"`;
    rest = to;
  }
  if (rest === 0) return JSON.parse(text) as Json;
  return JSON.parse(marked + text.slice(rest), (_key, value: Json) =>
    typeof value === "string" && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value,
  ) as Json;
}

/** JSON text of a value, numbers of the service as they came. */
export function stringifyExactly(value: Json): string {
  const mark = randomUUID();
  let isMarked = false;
  const text = JSON.stringify(value, function (this: Readonly<Record<string, Json>>, key: string, item: Json) {
    const own = this[key];
    if (!(own instanceof ExactNumber)) return item;
    isMarked = true;
    return mark + own.text;
  });
  return isMarked ? text.replaceAll(new RegExp(`"${mark}([^"]*)"`, "gu"), "$1") : text;
}

/** As JSON has it. */
const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
