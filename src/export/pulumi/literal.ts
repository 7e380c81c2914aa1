import { isValueObject, Secret, type Value, type ValueObject } from "../../model/json.ts";
import { secretName } from "./declaration.ts";

/** Longer values are broken up. */
const WIDTH = 100;

/** How a value is written: the remarks above objects, by the object. */
export type Comments = ReadonlyMap<ValueObject, string>;

/** TypeScript for a value. A secret becomes a call; `__proto__` a key like any other. */
export function literal(value: Value, comments: Comments, indent = ""): string {
  if (value instanceof Secret) return `untold(${quoted(secretName(value))})`;
  if (typeof value === "string") return quoted(value);
  if (Array.isArray(value)) {
    const items = value.map((item: Value) => literal(item, comments, `${indent}  `));
    return bracketed("[", items, "]", indent);
  }
  if (!isValueObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${keyText(key)}: ${literal(item, comments, `${indent}  `)}`,
  );
  return bracketed("{", members, "}", indent, { comment: comments.get(value) });
}

/**
 * On one line where that is short enough and nothing has to be said.
 *
 * @param reserved room that others need on the line
 */
export function bracketed(
  open: string,
  parts: readonly string[],
  close: string,
  indent: string,
  { comment, reserved = 0 }: { readonly comment?: string | undefined; readonly reserved?: number } = {},
): string {
  const pad = open === "{" ? " " : "";
  const line = parts.length === 0 ? `${open}${close}` : `${open}${pad}${parts.join(", ")}${pad}${close}`;
  const isShort = line.length + indent.length + reserved <= WIDTH && !line.includes("\n");
  if (comment === undefined && isShort) return line;
  const remarks = (comment?.split("\n") ?? []).map((text) => `${indent}  // ${text}\n`).join("");
  return `${open}\n${remarks}${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
}

/** A text in quotes. */
export function quoted(text: string): string {
  return withCodes(JSON.stringify(text));
}

/** JSON text in which what cannot be seen is written as its code, so that nothing in it looks like something else. */
export function withCodes(json: string): string {
  return json.replaceAll(/(?!\n)[\p{C}\p{Zl}\p{Zp}]/gu, (found) =>
    Array.from({ length: found.length }, (_none, index) => code(found.charCodeAt(index))).join(""),
  );
}

function code(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, "0")}`;
}

function keyText(key: string): string {
  // As a plain key it would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : quoted(key);
}
