import { escapeInvisibleJson } from "../../model/invisible.ts";
import { isValueObject, Secret, type Value } from "../../model/json.ts";
import type { Comments } from "../../edit/edit.ts";

/** Longer values take several lines. */
const MAX_WIDTH = 100;

/** TypeScript for a value. */
export function literal(value: Value, comments: Comments, indent = ""): string {
  if (value instanceof Secret) return value.expression;
  if (typeof value === "string") return stringLiteral(value);
  if (Array.isArray(value)) {
    const items = value.map((item: Value) => literal(item, comments, `${indent}  `));
    return bracketed("[]", items, { indent });
  }
  if (!isValueObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([key, item]) => `${propertyKey(key)}: ${literal(item, comments, `${indent}  `)}`,
  );
  return bracketed("{}", members, { indent, comment: comments.get(value) });
}

interface BracketOptions {
  /** What the lines of the parts begin with, before two spaces of their own. */
  readonly indent?: string;
  /** Above the parts. */
  readonly comment?: string | undefined;
  /** Characters on the line that are already taken. */
  readonly reserved?: number;
}

/** A list in brackets, on one line if it is short enough and has no comment. */
export function bracketed(
  brackets: "[]" | "{}",
  parts: readonly string[],
  { indent = "", comment, reserved = 0 }: BracketOptions = {},
): string {
  const [open, close] = [brackets.charAt(0), brackets.charAt(1)];
  const pad = open === "{" ? " " : "";
  const line = parts.length === 0 ? `${open}${close}` : `${open}${pad}${parts.join(", ")}${pad}${close}`;
  const isShort = line.length + indent.length + reserved <= MAX_WIDTH && !line.includes("\n");
  if (comment === undefined && isShort) return line;
  const commentLines = (comment?.split("\n") ?? []).map((text) => `${indent}  // ${text}\n`).join("");
  return `${open}\n${commentLines}${parts.map((part) => `${indent}  ${part},\n`).join("")}${indent}${close}`;
}

export function stringLiteral(text: string): string {
  return escapeInvisibleJson(JSON.stringify(text));
}

function propertyKey(key: string): string {
  // A plain key `__proto__` would set the prototype.
  if (key === "__proto__") return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(key) ? key : stringLiteral(key);
}
