import { schemas } from "../../generated/schemas.ts";
import type { Kind, ScopeType } from "../../kinds/kind.ts";
import { Secret } from "../../model/json.ts";
import type { ProblemDetail, Problems, ShownWhen } from "../problems.ts";
import { type Member, type Node, type TreePosition, shorten } from "../tree/tree.ts";

/** A resource under construction: a declaration that is not validated yet. */
export interface ResourceDraft {
  readonly address: string;
  readonly kind: Kind;
  readonly scope: string;
  readonly scopeType: ScopeType;
  /** The key under which it is declared. */
  readonly name: string;
  /** The position of that key. */
  readonly place: TreePosition;
  readonly members: ReadonlyMap<string, Member>;
  /** Keys that may appear beside its fields but do not belong to the kind. */
  readonly otherKeys: readonly string[];
  readonly problems: Problems;
}

/** The field that says most about a resource: one that a new object needs, or one that identifies it. */
export function primaryField(kind: Kind): string {
  return schemas[kind.name].required[0] ?? kind.keyFields[0] ?? "id";
}

/** Reports an error in the resource. */
export function failAt(draft: ResourceDraft, place: TreePosition, detail: Omit<ProblemDetail, "address">): undefined {
  return draft.problems.error(place, { ...detail, address: draft.address });
}

/** For values that the service may refuse or ignore. */
export const MAY_BE_REFUSED: ShownWhen = { plan: "if_written", validate: true };

/** Reports a warning about a field of the resource that matters only sometimes. */
export function warnAboutField(
  draft: ResourceDraft,
  place: TreePosition,
  field: string,
  detail: Omit<ProblemDetail, "address">,
  shown: ShownWhen,
): void {
  draft.problems.fieldWarning(place, field, { ...detail, address: draft.address }, shown);
}

/** Rejects a secret if its value is needed before the request is sent. Returns whether there was one. */
export function rejectSecrets(node: Node, what: string, problems: Problems, address?: string): boolean {
  const [first] = secretsIn(node);
  if (first === undefined) return false;
  const message = `a secret cannot be used in ${what}`;
  const hint = "Use ${var:...} or ${env:...}, because this value is needed before secrets are read.";
  problems.error(first, { code: "secret_not_allowed", message, hint, address });
  return true;
}

/** A scalar that holds a secret. */
interface SecretNode extends TreePosition {
  readonly value: Secret;
}

const NONE: readonly SecretNode[] = [];

/** Lists every secret in the tree. */
export function secretsIn(node: Node): readonly SecretNode[] {
  if (node.source.isLiteral) return NONE;
  const found: SecretNode[] = [];
  collectSecrets(node, found);
  return found;
}

function collectSecrets(node: Node, found: SecretNode[]): void {
  if (node.type === "map") for (const { value } of node.members.values()) collectSecrets(value, found);
  else if (node.type === "list") for (const item of node.items) collectSecrets(item, found);
  else if (node.type === "scalar" && node.value instanceof Secret)
    found.push({ source: node.source, mark: node.mark, value: node.value });
}

/** Whether an error in the tree was already reported. */
export function isBroken(node: Node | undefined): boolean {
  if (node?.type === "list") return node.items.some(isBroken);
  if (node?.type === "map") return [...node.members.values()].some(({ value }) => isBroken(value));
  return node?.type === "broken";
}

/** The same pattern as in the generated validators. */
const EMAIL = /^[^\s@"(),:;<>[\\\]]+@(?:[a-z0-9-]+\.)+[a-z0-9-]{2,}$/i;

export function isEmail(text: string): boolean {
  return EMAIL.test(text);
}

/** Whether a name can be part of an address. White space includes line breaks. \p{C} matches control and invisible characters. */
export function isName(text: string): boolean {
  return text !== "" && !/[/\s\p{C}]/u.test(text);
}

export const NAME_HINT = "Use letters, digits, dots, dashes and underscores.";

/**
 * Checks that a key can be part of an address, and is an e-mail address if the kind requires that. Reports it if not.
 */
export function checkName(member: Member, problems: Problems, kind?: Kind): boolean {
  const { key } = member;
  if (key.trim() === "") {
    problems.error(member, { code: "invalid_name", message: "the name is empty", hint: "Write a name." });
    return false;
  }
  if (!isName(key)) {
    const message = `${JSON.stringify(shorten(key))} is not a valid name: it contains a slash, white space or a control character`;
    problems.error(member, { code: "invalid_name", message, hint: NAME_HINT });
    return false;
  }
  if (kind?.keyedBy === "email" && !isEmail(key)) {
    const message = `${JSON.stringify(shorten(key))} is not an e-mail address`;
    problems.error(member, {
      code: "invalid_format",
      message,
      hint: `Use the e-mail address as the key of ${kind.collection}.`,
    });
    return false;
  }
  return true;
}
