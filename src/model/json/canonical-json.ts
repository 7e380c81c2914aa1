import { compareText } from "../compare-text.ts";
import { isValueObject, type Json, Secret, type Value } from "./json.ts";

/**
 * JSON text with sorted keys and no white space, so equal values have equal texts. Secrets count as their expressions.
 */
export function canonicalJson(value: Value): string {
  let text = "";
  walkCanonical(value, (piece) => {
    text += piece;
  });
  return text;
}

/** Compares the items of a set: numbers by their size, and everything else by its text. */
export function compareItems(left: Json, right: Json): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareText(canonicalJson(left), canonicalJson(right));
}

/** The minimum length of the pieces of {@link writeCanonical}, except for the last one. Characters. */
const PIECE_LENGTH = 64 * 1024;

/** Writes the text of {@link canonicalJson} in pieces, so the text of a large plan is never in memory as a whole. */
export function writeCanonical(value: Value, write: (text: string) => void): void {
  let text = "";
  walkCanonical(value, (piece) => {
    text += piece;
    if (text.length < PIECE_LENGTH) return;
    write(text);
    text = "";
  });
  write(text);
}

function walkCanonical(value: Value, emit: (piece: string) => void): void {
  if (value instanceof Secret) return walkCanonical({ $secret: value.expression }, emit);
  if (Array.isArray(value)) {
    let before = "[";
    for (const item of value as readonly Value[]) {
      emit(before);
      walkCanonical(item, emit);
      before = ",";
    }
    return emit(value.length === 0 ? "[]" : "]");
  }
  if (!isValueObject(value)) return emit(JSON.stringify(value));
  let before = "{";
  for (const key of Object.keys(value).toSorted()) {
    const member: Value | undefined = value[key];
    // As in JSON, an undefined member is left out.
    if (member === undefined) continue;
    emit(`${before}${JSON.stringify(key)}:`);
    walkCanonical(member, emit);
    before = ",";
  }
  emit(before === "{" ? "{}" : "}");
}
