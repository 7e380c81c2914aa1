import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import { nodesOf } from "../../kinds/nodes.ts";
import { isValueObject, type Value, type ValueObject, own } from "../../model/json/json.ts";
import { isMasked, isSecretName, isSecretUrl } from "../../model/secret-values.ts";
import { variableName } from "../../model/text/variable-name.ts";
import type { Member, Node, TreePosition } from "../tree/tree.ts";
import type { ResourceDraft } from "./declarations.ts";

/**
 * Warns about secrets that stand in the configuration as plain text, in fields that are secret by schema or by name.
 *
 * @param values those of the fields: the type of a destination decides which of its settings are secrets
 * @param reported members that have to be removed, and so need no other value
 */
export function checkPlainText(
  fields: ReadonlyMap<string, Member>,
  values: ValueObject,
  draft: ResourceDraft,
  reported: ReadonlySet<TreePosition>,
): void {
  checkMembers(fields, values, kindSchema(draft.kind.name), { draft, reported });
}

interface PlainTextCheck {
  readonly draft: ResourceDraft;
  readonly reported: ReadonlySet<TreePosition>;
}

function checkMembers(
  members: ReadonlyMap<string, Member>,
  object: ValueObject,
  schema: FieldSchema | undefined,
  check: PlainTextCheck,
): void {
  const { draft, reported } = check;
  for (const member of members.values()) {
    const { key, value } = member;
    if (reported.has(member)) continue;
    const child = childSchema(draft.kind.name, schema, key, object);
    if (value.type !== "scalar") checkInside(value, own(object, key), child, check);
    else if (isPlainText(value.value) && (isSecretField(child) || isSecretName(key)))
      warnAboutSecret(member, draft, ["is a secret, and its value is", "as its value"]);
    // What an insight asks for may name a page, and a key in its address is none.
    else if (
      Object.keys(nodesOf(draft.kind.name)).length === 0 &&
      typeof value.value === "string" &&
      isSecretUrl(value.value)
    )
      warnAboutSecret(member, draft, ["is a URL with a token, which is", "in the place of the token"]);
  }
}

function checkInside(
  node: Node,
  value: Value | undefined,
  schema: FieldSchema | undefined,
  check: PlainTextCheck,
): void {
  // Values are missing only below an error that was reported.
  if (node.type === "map" && isValueObject(value)) checkMembers(node.members, value, schema, check);
  if (node.type === "list" && Array.isArray(value))
    for (const [index, item] of node.items.entries())
      checkInside(item, (value as readonly Value[])[index], schema?.items, check);
}

/** A mask is no secret: it was copied from what a service shows. */
function isPlainText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !isMasked(value);
}

function warnAboutSecret(
  member: Member,
  { name, problems }: ResourceDraft,
  [what, where]: readonly [what: string, where: string],
): void {
  const variable = variableName(name, member.key);
  problems.warning(member, {
    code: "plain_text_secret",
    message: `${member.key} ${what} plain text`,
    hint: `Write \${secret:${variable}} ${where}, and set the environment variable ${variable}.`,
  });
}
