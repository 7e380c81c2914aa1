/**
 * Writes values into a YAML configuration that people maintain by hand.
 *
 * Terms: an edit names a resource by the position of its key, and a field below it. A splice replaces one range of the
 * text.
 * Premise: everything else stays the same byte for byte, including comments. A review then shows the edit and nothing
 * else.
 * Algorithm: find the node of each edit in the parsed text, turn it into a splice, and apply the splices from the end
 * of the text to its start. Then parse the new text: it must hold the old values with exactly these edits. Otherwise
 * refuse all edits.
 */
import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, LineCounter, parseAllDocuments } from "yaml";
import { isObject, pointerKeys, type Json } from "../../model/json.ts";
import { locate, type Located } from "./locate.ts";
import { createSplice, type Splice } from "./splice.ts";

export interface Edit {
  /** Position of the resource's key, 1-based. */
  readonly line: number;
  readonly column: number;
  /** JSON Pointer into the resource. */
  readonly path: string;
  readonly value: Json;
}

export interface Edited {
  readonly text: string;
  /** The edits that were not made, each with its reason. */
  readonly refused: readonly { readonly edit: Edit; readonly why: string }[];
}

/** Applies the edits to the text. Edits must not overlap. */
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
  const why = "the file cannot be edited safely";
  return { text, refused: edits.map((edit) => ({ edit, why })) };
}

function parseDocuments(text: string, lines = new LineCounter()): readonly Document.Parsed[] {
  const parsed = parseAllDocuments(text, { merge: true, uniqueKeys: false, logLevel: "silent", lineCounter: lines });
  return Array.isArray(parsed) ? parsed : [];
}

/**
 * The values as JSON. The copy separates values that aliases share, so an edit changes only one of them, and it turns
 * -0 into 0.
 */
function documentValues(documents: readonly Document.Parsed[]): Json[] {
  return documents.map((document) =>
    isMap(document.contents) ? (JSON.parse(JSON.stringify(document.toJS())) as Json) : null,
  );
}

function applyEdits(values: Json[], edits: readonly (Located & { readonly value: Json })[]): Json[] {
  for (const { document, path, value } of edits) {
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
