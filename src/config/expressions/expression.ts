/** A piece of a string: literal text, or an expression to substitute. */
export type ExpressionPart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "var" | "env" | "file" | "secret"; readonly name: string };

/** The error in an expression, as a message. */
export interface Malformed {
  readonly malformed: string;
  readonly hint?: string;
}

const TYPES = ["var", "env", "file", "secret"] as const;

const EXPRESSIONS =
  "Write ${var:NAME} for a variable, ${env:NAME} for one of the environment, ${secret:NAME} for a secret, or $${ for a literal ${.";

/** Splits a string into text and `${var:x}`, `${env:X}`, `${file:path}`, `${secret:X}`; `$${` is a literal `${`. */
export function parseExpression(text: string): readonly ExpressionPart[] | Malformed {
  const parts: ExpressionPart[] = [];
  for (const piece of text.split(/(\$\$\{|\$\{[^}]*\}?)/u)) {
    if (!piece.startsWith("${")) {
      parts.push({ type: "text", text: piece === "$${" ? "${" : piece });
      continue;
    }
    if (!piece.endsWith("}")) return { malformed: "${ has no closing }" };
    const part = parsePart(piece.slice(2, -1));
    if ("malformed" in part) return part;
    parts.push(part);
  }
  return mergeTexts(parts);
}

function parsePart(inner: string): ExpressionPart | Malformed {
  const colon = inner.indexOf(":");
  const type = TYPES.find((known) => known === inner.slice(0, colon));
  const name = inner.slice(colon + 1);
  if (colon < 0 || type === undefined) {
    const written = inner.startsWith("{") ? `${inner}}` : inner;
    return {
      hint: EXPRESSIONS,
      malformed: `\${${written}} is not one of \${var:...}, \${env:...}, \${file:...} and \${secret:...}`,
    };
  }
  if (name.trim() === "") return { malformed: `\${${inner}} has no name after the colon` };
  if ((type === "env" || type === "secret") && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    return { malformed: `${name} is not the name of an environment variable` };
  }
  return { type, name };
}

/** The inverse of {@link parseExpression}; undefined if no text has these parts, because a `$` precedes a `${`. */
export function formatExpression(parts: readonly ExpressionPart[]): string | undefined {
  const joined = mergeTexts(parts);
  const isClash = joined.some(
    (part, index) => part.type === "text" && part.text.endsWith("$") && index < joined.length - 1,
  );
  if (isClash) return undefined;
  return joined
    .map((part) => (part.type === "text" ? part.text.split("${").join("$${") : `\${${part.type}:${part.name}}`))
    .join("");
}

/** Merges neighbouring texts, because a `${` may begin in one and end in the next, and leaves out empty ones. */
function mergeTexts(parts: readonly ExpressionPart[]): readonly ExpressionPart[] {
  const joined: ExpressionPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === "text" && part.text === "") continue;
    if (part.type === "text" && last?.type === "text")
      joined[joined.length - 1] = { type: "text", text: last.text + part.text };
    else joined.push(part);
  }
  return joined;
}

/** Lists the environment variables that hold the secrets of an expression. */
export function secretNames(expression: string): readonly string[] {
  const parts = parseExpression(expression);
  if ("malformed" in parts) return [];
  return [...new Set(parts.flatMap((part) => (part.type === "secret" ? [part.name] : [])))];
}
