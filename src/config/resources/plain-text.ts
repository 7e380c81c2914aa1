import { childSchema, isSecretField, kindSchema, type FieldSchema } from "../../kinds/fields.ts";
import { isValueObject, type Value, type ValueObject } from "../../model/json.ts";
import { isMasked, isSecretName } from "../../model/sensitive.ts";
import { variableName } from "../../model/variable-name.ts";
import type { Member, Node } from "../tree/tree.ts";
import type { ResourceDraft } from "./draft.ts";

/**
 * Warns about secrets that stand in the configuration as plain text, in fields that are secret by schema or by name. `values` are
 * the values of the fields: the type of a destination decides which of its settings are secrets.
 */
export function checkPlainText(fields: ReadonlyMap<string, Member>, values: ValueObject, draft: ResourceDraft): void {
  checkMembers(fields, values, kindSchema(draft.kind.name), draft);
}

function checkMembers(
  members: ReadonlyMap<string, Member>,
  object: ValueObject,
  schema: FieldSchema | undefined,
  draft: ResourceDraft,
): void {
  for (const member of members.values()) {
    const { key, value } = member;
    const child = childSchema(draft.kind.name, schema, key, object);
    if (value.type !== "scalar") checkInside(value, object[key], child, draft);
    else if (isPlainText(value.value) && (isSecretField(child) || isSecretName(key))) warn(member, draft);
  }
}

function checkInside(
  node: Node,
  value: Value | undefined,
  schema: FieldSchema | undefined,
  draft: ResourceDraft,
): void {
  // Values are missing only below an error that was reported.
  if (node.type === "map" && isValueObject(value)) checkMembers(node.members, value, schema, draft);
  if (node.type === "list" && Array.isArray(value))
    for (const [index, item] of node.items.entries())
      checkInside(item, (value as readonly Value[])[index], schema?.items, draft);
}

/** A mask is no secret: it was copied from what a service shows. */
function isPlainText(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !isMasked(value);
}

function warn(member: Member, { address, name, problems }: ResourceDraft): void {
  const variable = variableName(name, member.key);
  problems.warning(member, {
    code: "plain_text_secret",
    message: `${member.key} is a secret, and its value is plain text`,
    hint: `Write \${secret:${variable}} as its value, and set the environment variable ${variable}.`,
    address,
  });
}
