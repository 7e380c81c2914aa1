/**
 * Writing values into a configuration that people wrote.
 *
 * Terms: an edit names a resource by the place of its key, and a field below it; a splice is a piece of text and what takes
 * its place.
 * Premise: everything that is not edited stays byte for byte, comments and all, so that a review sees the edit and nothing else.
 * Algorithm: find the node of each edit in the parsed text, turn it into a splice, put the splices in from the end; then the
 * new text has to parse to the old values with just the edits in them.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, LineCounter, parseAllDocuments } from "yaml";
import { isObject, pointerKeys, type Json } from "../../model/json.ts";
import { locate, type Located } from "./locate.ts";
import { createSplice, type Splice } from "./splice.ts";

export interface Edit {
  /** Where the key of the resource stands, 1-based. */
  readonly line: number;
  readonly column: number;
  /** JSON Pointer into the resource. */
  readonly path: string;
  readonly value: Json;
}

export interface Edited {
  readonly text: string;
  /** The edits that were not made, and why. */
  readonly refused: readonly { readonly edit: Edit; readonly why: string }[];
}

/** The text with the edits in it. Edits must not overlap. */
export function editYaml(text: string, edits: readonly Edit[]): Edited {
  const lines = new LineCounter();
  const documents = parseDocuments(text, lines);
  const refused: { edit: Edit; why: string }[] = [];
  const splices: Splice[] = [];
  const applied: (Located & { readonly value: Json })[] = [];
  for (const edit of edits) {
    const offset = (lines.lineStarts[edit.line - 1] ?? 0) + edit.column - 1;
    const found = locate(documents, offset, pointerKeys(edit.path), text);
    if (typeof found === "string") refused.push({ edit, why: found });
    else {
      splices.push(createSplice(found, edit.value, text));
      applied.push({ ...found, value: JSON.parse(JSON.stringify(edit.value)) as Json });
    }
  }
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? "\n";
  const edited = splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((whole, { from, to, text: piece }) => {
      return whole.slice(0, from) + piece.replaceAll("\n", lineEnd) + whole.slice(to);
    }, text);
  const isExact = isDeepStrictEqual(
    documentValues(parseDocuments(edited)),
    applyEdits(documentValues(documents), applied),
  );
  if (isExact) return { text: edited, refused };
  const why = "the file is written in a way that cannot be edited safely";
  return { text, refused: edits.map((edit) => ({ edit, why })) };
}

function parseDocuments(text: string, lines = new LineCounter()): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent", lineCounter: lines });
  return Array.isArray(parsed) ? parsed : [];
}

/** JSON text and back: what aliases share must not be changed in two places, and -0 is 0. */
function documentValues(documents: readonly Document.Parsed[]): Json[] {
  return documents.map((document) =>
    isMap(document.contents) ? (JSON.parse(JSON.stringify(document.toJS())) as Json) : null,
  );
}

function applyEdits(values: Json[], made: readonly (Located & { readonly value: Json })[]): Json[] {
  for (const { document, path, value } of made) {
    const parent = path.slice(0, -1).reduce<unknown>((at, key) => readMember(at, key), values[document]);
    const last = path.at(-1) ?? "";
    if (isObject(parent) || Array.isArray(parent))
      Object.defineProperty(parent, last, { value, enumerable: true, writable: true, configurable: true });
  }
  return values;
}

function readMember(value: unknown, key: string): unknown {
  return isObject(value) || Array.isArray(value) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}
