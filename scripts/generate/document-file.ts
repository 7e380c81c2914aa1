import { layout } from "./layout.ts";

const COMMENT = "The generator writes this list: the names of the files in schemas/kinds.";
const MARK = `"$comment": ${JSON.stringify(COMMENT)},`;

/**
 * Writes the names of the kinds into the schema of a document. The rest of the schema is written by hand and stays as it is.
 *
 * @throws Error if the schema has no such list
 */
export function withKinds(path: string, text: string, names: readonly string[]): string {
  const start = text.indexOf(MARK);
  const [found = "", before = ""] = /^(\n( *)"enum": )\[[^\]]*\]/.exec(text.slice(start + MARK.length)) ?? [];
  if (start < 0 || found === "")
    throw new Error(`${path}: no list of kinds follows a $comment ${JSON.stringify(COMMENT)}`);
  const indent = (before.length - '\n"enum": '.length) / 2;
  const list = layout(names, indent, '"enum": '.length);
  return `${text.slice(0, start)}${MARK}${before}${list}${text.slice(start + MARK.length + found.length)}`;
}
