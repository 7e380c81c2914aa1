/**
 * A file that declares nothing once its last resource is taken out, such as that of one insight.
 *
 * Premise: the file belongs to people. It is removed only if other files also hold everything that is left in it, and if it has no comment.
 */
import { isDeepStrictEqual } from "node:util";
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { parseDocuments } from "../config/tree/parse-documents.ts";
import { isJsonObject, type Json } from "../model/json/json.ts";
import type { Edit } from "./edit.ts";

/** What only says how a file is read. */
const OF_THE_FILE = new Set(["driftline", "undeclared"]);

/** A comment, but for the one that names the schema to an editor. A sign in a value counts as well. */
const COMMENT = /#(?! yaml-language-server:)/u;

/**
 * Whether nothing is lost if the file is removed.
 *
 * @param after the text of the file after the edits
 * @param others the names of files without edits
 */
export async function isEmptied(
  after: string,
  edits: readonly Edit[],
  others: Iterable<string>,
  cwd: string,
): Promise<boolean> {
  const removes = edits.some(({ path, value, key }) => path === "" && value === undefined && key === undefined);
  const rest = removes && !COMMENT.test(after) ? valueOf(after) : undefined;
  if (!isJsonObject(rest)) return false;
  const left = Object.fromEntries(Object.entries(rest).filter(([key]) => !OF_THE_FILE.has(key)));
  for (const other of others)
    if (/\.(?:ya?ml|json)$/u.test(other) && holds(valueOf(await readFile(resolve(cwd, other), "utf8")), left))
      return true;
  return false;
}

/** The value of a text with one document. */
function valueOf(text: string): Json | undefined {
  const [document, ...more] = parseDocuments(text);
  return more.length > 0 ? undefined : (document?.toJS() as Json | undefined);
}

/** Whether a value has all members of another one. A mapping that lost its members may be null. */
function holds(whole: Json | undefined, part: Json): boolean {
  if (!isJsonObject(part)) return isDeepStrictEqual(whole, part) || (part === null && isJsonObject(whole));
  return isJsonObject(whole) && Object.entries(part).every(([key, value]) => holds(whole[key], value));
}
