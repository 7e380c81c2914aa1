/**
 * What the documents of a file must hold after its edits, computed on values alone. The text is edited in another way, so a
 * mistake there does not go unnoticed.
 */
import { isDeepStrictEqual } from "node:util";
import { isMap, type Document } from "yaml";
import { isObject, isValueObject, own, type Json, type JsonObject, type Value } from "../../model/json/json.ts";
import { rawValue } from "./yaml-text.ts";
import { alignItems } from "./align-items.ts";
import type { Edit } from "../edit.ts";
import { type MayWrite, includedText } from "./source-text.ts";

export interface PlacedEdit {
  readonly edit: Edit;
  /** Index of the document. */
  readonly document: number;
  /** The keys from the top of the document to the value. */
  readonly keys: readonly string[];
}

/**
 * The values as JSON. The copy separates values that aliases share, so an edit changes only one of them, and it turns
 * -0 into 0.
 */
export function documentValues(documents: readonly Document.Parsed[]): Json[] {
  return documents.map((document) =>
    isMap(document.contents) && document.errors.length === 0
      ? (JSON.parse(JSON.stringify(document.toJS())) as Json)
      : null,
  );
}

/** Changes the values of the documents as an edit would. A text that is included stays an expression if it may be written. */
export function applyTo(values: Json[], { edit, document, keys }: PlacedEdit, mayWrite?: MayWrite): void {
  let at: unknown = values[document];
  for (const [index, key] of keys.slice(0, -1).entries()) {
    const inner = childOf(at, key);
    const isMissing = (inner === undefined || inner === null) && edit.value !== undefined;
    if (isMissing) setMember(at, key, {});
    at = childOf(at, key);
    if (at === undefined && index > 0) return;
  }
  const last = keys.at(-1) ?? "";
  if (edit.key !== undefined) {
    setMember(at, edit.key, childOf(at, last) as Json);
    return void (isObject(at) && Reflect.deleteProperty(at, last));
  }
  if (edit.value === undefined) return void (isObject(at) && Reflect.deleteProperty(at, last));
  const before = childOf(at, last);
  const { declared, value } = edit;
  if (edit.add === true) {
    const present = isObject(before) ? before : {};
    return setMember(at, last, { ...(present as JsonObject), ...(rawValue(value) as JsonObject) });
  }
  setMember(
    at,
    last,
    before === undefined ? rawValue(value) : expectedValue(before as Json, { declared, value, mayWrite }),
  );
}

function childOf(value: unknown, key: string): unknown {
  if (!isObject(value) && !Array.isArray(value)) return undefined;
  return Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined;
}

function setMember(value: unknown, key: string, item: Json): void {
  if (isObject(value) || Array.isArray(value))
    Object.defineProperty(value, key, { value: item, enumerable: true, writable: true, configurable: true });
}

interface WantedValue {
  readonly declared: Value | undefined;
  readonly value: Value;
  readonly mayWrite: MayWrite | undefined;
}

/** What the text says afterwards at a node that said `raw`. The rules of reconcile.ts, on values alone. */
function expectedValue(raw: Json, { declared, value, mayWrite }: WantedValue): Json {
  if (declared !== undefined && isDeepStrictEqual(declared, value)) return raw;
  if (includedText(raw, value, mayWrite) !== undefined) return raw;
  if (isValueObject(raw) && isValueObject(value) && isValueObject(declared)) {
    const kept = Object.entries(raw).filter(([key]) => Object.hasOwn(value, key) || !Object.hasOwn(declared, key));
    const wanted = Object.entries(value).map(([key, item]): readonly [string, Json] => {
      const before = own(raw, key);
      return [
        key,
        before === undefined
          ? rawValue(item)
          : expectedValue(before, { declared: own(declared, key), value: item, mayWrite }),
      ];
    });
    return Object.fromEntries([...kept, ...wanted]);
  }
  if (Array.isArray(raw) && Array.isArray(value) && Array.isArray(declared) && raw.length === declared.length)
    return alignItems(declared as readonly Value[], value as readonly Value[]).flatMap(
      ({ from, to, replaced }): readonly Json[] => {
        const wanted = (value as readonly Value[])[to ?? -1];
        if (wanted === undefined) return [];
        const before = (raw as readonly Json[])[from ?? -1];
        return [
          before === undefined || replaced
            ? rawValue(wanted)
            : expectedValue(before, { declared: (declared as readonly Value[])[from ?? -1], value: wanted, mayWrite }),
        ];
      },
    );
  return rawValue(value);
}
