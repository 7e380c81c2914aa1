import type { Json } from "../../model/json.ts";

/** No complaint is longer. Bytes. */
const MAX_LENGTH = 10_000;

/**
 * The error body of a request for `format=csv`: deployed servers write it as CSV too, names in the first line and values in
 * the second. Undefined where it is something else.
 */
export function csvError(body: Uint8Array): Json | undefined {
  if (body.length > MAX_LENGTH) return undefined;
  const [names, values] = rows(new TextDecoder().decode(body));
  if (names === undefined || values === undefined || !names.includes("code")) return undefined;
  return Object.fromEntries(names.map((name, index): [string, Json] => [name, values[index] || null]));
}

/** Cells by row; a cell in quotes may hold commas, line breaks and doubled quotes. */
function rows(text: string): readonly (readonly string[])[] {
  const found: string[][] = [[]];
  for (const [, quoted, plain = "", end = ""] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/gu)) {
    found.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'));
    if (end.endsWith("\n")) found.push([]);
    if (end === "") break;
  }
  return found;
}
