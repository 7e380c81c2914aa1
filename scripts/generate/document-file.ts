import { layout } from "./layout.ts";

/** The lists that the schema of a document has, and where their names are from. */
const SOURCES = { kinds: "the names of the files in schemas/kinds", rules: "the table in src/model/rules.ts" };

type Lists = Readonly<Record<keyof typeof SOURCES, readonly string[]>>;

/**
 * Writes the names of the kinds and of the rules of the guard into the schema of a document. The rest is written by hand and stays as
 * it is.
 *
 * @throws Error if the schema has no such list
 */
export function withLists(path: string, text: string, { kinds, rules }: Lists): string {
  return withList(path, withList(path, text, "kinds", kinds), "rules", rules);
}

function withList(path: string, text: string, what: keyof Lists, names: readonly string[]): string {
  const comment = JSON.stringify(`The generator writes this list: ${SOURCES[what]}.`);
  const mark = `"$comment": ${comment},`;
  const start = text.indexOf(mark);
  const [found = "", before = ""] = /^(\n( *)"enum": )\[[^\]]*\]/.exec(text.slice(start + mark.length)) ?? [];
  if (start < 0 || found === "") throw new Error(`${path}: no list of ${what} follows a $comment ${comment}`);
  const indent = (before.length - '\n"enum": '.length) / 2;
  const list = layout(names, indent, '"enum": '.length);
  return `${text.slice(0, start)}${mark}${before}${list}${text.slice(start + mark.length + found.length)}`;
}
