/**
 * Parses JSON numbers that JavaScript cannot hold exactly.
 *
 * Premise: JSON.parse rounds 9007199254740993 and turns 1e400 into Infinity. A rounded number must not be sent back.
 * After parsing, the original digits are lost, so such numbers must be found before.
 * Algorithm: before parsing, each such number is replaced by a marked string, which becomes an {@link ExactNumber}.
 * `exactJson` of the model writes the original digits again. The mark is random, so a service cannot forge it.
 */
import { randomUUID } from "node:crypto";
import { isExact } from "../../model/json/exact-number.ts";
import { ExactNumber, type Json } from "../../model/json/json.ts";

/** Numbers of this length or longer may be inexact. Characters. */
const SHORTEST_INEXACT = 16;

/** Whether a number may change its value when it is parsed. */
export function mayBeInexact(text: string): boolean {
  return text.length >= SHORTEST_INEXACT || /e[+-]?\d{3}/iu.test(text);
}

/** Parses JSON and keeps the numbers at these positions exact. */
export function parseExactly(text: string, positions: readonly (readonly [from: number, to: number])[]): Json {
  const mark = randomUUID();
  let rest = 0;
  let marked = "";
  for (const [from, to] of positions) {
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

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/iu;
