import { Secret } from "../../model/json/json.ts";
import { formatExpression, type ExpressionPart, parseExpression } from "./expression.ts";
import { describeNode, type Member, relocate, type Node, type TreePosition, writtenText } from "../tree/tree.ts";
import type { ProblemDetail, Problems } from "../problems.ts";

/** The sources of substituted values. Each function returns undefined after it has reported an error. */
export interface Lookup {
  readonly problems: Problems;
  readonly variable: (name: string, place: TreePosition) => Node | undefined;
  readonly environment: (name: string, place: TreePosition) => string | undefined;
  readonly file: (path: string, place: TreePosition) => string | undefined;
  /** Hears of a secret. Its value is not read here. */
  readonly secret: (name: string) => void;
}

/** The settings of driftline itself are never substituted: a key would end up in files, in plans or at another service. */
const OWN_VARIABLE = /^DRIFTLINE_/iu;

/**
 * Substitutes every `${...}` in the values of the tree, but not in its keys. It works on the parsed tree, so a value
 * cannot change the structure around it.
 */
export function substitute(node: Node, lookup: Lookup): Node {
  if (node.source.isLiteral) return node;
  if (node.type === "map") {
    let members: Map<string, Member> | undefined;
    for (const member of node.members.values()) {
      const value = substitute(member.value, lookup);
      if (value === member.value) continue;
      members ??= new Map(node.members);
      members.set(member.key, { ...member, value });
    }
    return members === undefined ? node : { ...node, members };
  }
  if (node.type === "list") {
    const items = node.items.map((item) => substitute(item, lookup));
    return items.some((item, index) => item !== node.items[index]) ? { ...node, items } : node;
  }
  if (node.type === "broken" || typeof node.value !== "string" || !node.value.includes("${")) return node;
  return substituteText(node.value, node, lookup);
}

function substituteText(text: string, at: TreePosition, lookup: Lookup): Node {
  const place = { source: at.source, mark: at.mark };
  const parts = parseExpression(text);
  if ("malformed" in parts) {
    const { malformed, hint = "Write $${ for a literal ${." } = parts;
    return fail(lookup, place, { code: "invalid_substitution", message: malformed, hint });
  }
  const [first] = parts;
  if (parts.length === 1 && first?.type === "var") {
    const value = lookup.variable(first.name, place);
    return value === undefined ? { type: "broken", ...place } : relocate(place, value, first.name);
  }
  // All parts are resolved even if one fails, so every error in the text is reported.
  const pieces = parts.map((part) => resolvePart(part, place, lookup));
  if (pieces.includes(undefined)) return { type: "broken", ...place };
  return joinPieces(
    pieces.flatMap((piece) => piece ?? []),
    { ...place, expression: text },
    lookup,
  );
}

function joinPieces(
  pieces: readonly ExpressionPart[],
  { expression: written, ...place }: TreePosition & { readonly expression: string },
  lookup: Lookup,
): Node {
  if (pieces.every((piece) => piece.type === "text")) {
    return { type: "scalar", ...place, expression: written, value: pieces.map((piece) => piece.text).join("") };
  }
  const expression = formatExpression(pieces);
  if (expression !== undefined) return { type: "scalar", ...place, value: new Secret(expression) };
  const message = "a $ cannot come directly before a secret";
  const hint = "Include the $ in the value of the secret.";
  return fail(lookup, place, { code: "invalid_substitution", message, hint });
}

/** Returns the text of a part. Secrets remain expressions. */
function resolvePart(part: ExpressionPart, place: TreePosition, lookup: Lookup): readonly ExpressionPart[] | undefined {
  if (part.type === "text") return [part];
  if (part.type === "var") return variablePieces(part.name, place, lookup);
  if (part.type === "file") return textPiece(lookup.file(part.name, place));
  if (OWN_VARIABLE.test(part.name)) {
    const message = `${part.name} cannot be used in a configuration`;
    const hint = "Use a variable with another name. Those that begin with DRIFTLINE_ are settings of driftline itself.";
    return lookup.problems.error(place, { code: "forbidden_variable", message, hint });
  }
  if (part.type === "env") return textPiece(lookup.environment(part.name, place));
  lookup.secret(part.name);
  return [part];
}

function textPiece(text: string | undefined): readonly ExpressionPart[] | undefined {
  return text === undefined ? undefined : [{ type: "text", text }];
}

function variablePieces(name: string, place: TreePosition, lookup: Lookup): readonly ExpressionPart[] | undefined {
  const value = lookup.variable(name, place);
  if (value === undefined || value.type === "broken") return undefined;
  if (value.type === "scalar" && value.value instanceof Secret) {
    const parts = parseExpression(value.value.expression);
    return "malformed" in parts ? undefined : parts;
  }
  const text = writtenText(value);
  if (text !== undefined) return [{ type: "text", text }];
  const message = `\${var:${name}} is ${describeNode(value)}, which cannot be part of a text`;
  const hint = "Make it the whole value, or use a string, number or boolean.";
  return lookup.problems.error(place, { code: "wrong_type", message, hint });
}

function fail(lookup: Lookup, place: TreePosition, detail: ProblemDetail): Node {
  lookup.problems.error(place, detail);
  return { type: "broken", ...place };
}

/**
 * The limit on the characters that substitution may add. Each value counts a fixed number besides its own characters.
 */
const MAX_CHARACTERS = 32 * 1024 * 1024;
const CHARACTERS_PER_VALUE = 32;

/**
 * Wraps a lookup so that it stops returning values once their total size exceeds the limit. Without the limit, a page
 * of variables that use each other, or a file that is included in every line, could fill the memory.
 */
export function withExpansionLimit(lookup: Lookup): Lookup {
  let total = 0;
  const charge = <T>(place: TreePosition, found: T | undefined, sizeOf: (found: T) => number): T | undefined => {
    // The error is reported only once.
    if (found === undefined || total > MAX_CHARACTERS) return undefined;
    total += sizeOf(found);
    if (total <= MAX_CHARACTERS) return found;
    const message = "the values of all ${...} in the configuration exceed 32 million characters";
    const hint = "Use fewer or smaller variables and files.";
    return lookup.problems.error(place, { code: "too_large", message, hint });
  };
  return {
    problems: lookup.problems,
    variable: (name, place) => charge(place, lookup.variable(name, place), nodeSize),
    environment: (name, place) => charge(place, lookup.environment(name, place), textSize),
    file: (path, place) => charge(place, lookup.file(path, place), textSize),
    secret: lookup.secret,
  };
}

function textSize(text: string): number {
  return CHARACTERS_PER_VALUE + text.length;
}

function nodeSize(node: Node): number {
  if (node.type === "list") return node.items.reduce((sum, item) => sum + nodeSize(item), CHARACTERS_PER_VALUE);
  if (node.type === "map")
    return [...node.members.values()].reduce(
      (sum, { key, value }) => sum + key.length + nodeSize(value),
      CHARACTERS_PER_VALUE,
    );
  if (node.type === "broken") return CHARACTERS_PER_VALUE;
  const { value } = node;
  return textSize(value instanceof Secret ? value.expression : String(value));
}
