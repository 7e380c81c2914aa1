import { lifecycleSchema, schemas, type FieldSchema } from "../../generated/schemas.ts";
import { collectionsOf } from "../../kinds/registry.ts";
import { declarableFields, isDeclarable } from "../../kinds/fields.ts";
import { own } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import { type ResourceDraft, failAt, warnAboutField } from "./draft.ts";
import type { Member, Node } from "../tree/tree.ts";
import { didYouMean, formatAlternatives, unknownKey, unknownScopeKey } from "../messages.ts";
import type { ShownWhen } from "../problems.ts";

/** A deprecated field has no replacement, so a plan says nothing about it. `explain` names it, too. */
const NOTHING_TO_DO: ShownWhen = { plan: "never", validate: false };

/** Returns the declared fields of a resource with level names replaced by numbers. It reports and omits other keys. */
export function declaredFields(draft: ResourceDraft): Map<string, Member> {
  const fields = new Map<string, Member>();
  for (const member of draft.members.values()) {
    const { key } = member;
    if (key === "lifecycle" || draft.otherKeys.includes(key)) continue;
    const schema = own(schemas[draft.kind.name].properties, key);
    if (schema === undefined) rejectUnknown(member, draft);
    else if (isPin(draft, key) || isDeclarable(schema)) {
      const value = resolveLevelName(member.value, schema, draft);
      fields.set(key, value === member.value ? member : { ...member, value });
    } else rejectUndeclarable(member, schema, draft);
    if (schema?.deprecated === true) {
      const message = `${JSON.stringify(key)} is deprecated`;
      const hint = "Remove it if you can do without it, because the service may stop accepting it.";
      warnAboutField(draft, member, key, { code: "deprecated", message, hint }, NOTHING_TO_DO);
    }
  }
  return fields;
}

export function isPin(draft: ResourceDraft, field: string): boolean {
  return schemas[draft.kind.name]["x-pins"].includes(field);
}

function rejectUnknown(member: Member, draft: ResourceDraft): void {
  if (own(lifecycleSchema.properties, member.key) !== undefined) {
    const hint = `Write it as lifecycle: { ${member.key}: ... }.`;
    failAt(draft, member, { code: "unknown_key", message: `unknown key ${member.key}`, hint });
    return;
  }
  const { kind, otherKeys } = draft;
  const known = [...declarableFields(draft.kind.name), ...schemas[kind.name]["x-pins"], "lifecycle", ...otherKeys];
  const isScope = kind.asScope !== undefined;
  failAt(
    draft,
    member,
    isScope ? unknownScopeKey(member, known, collectionsOf("organization")) : unknownKey(member.key, known),
  );
}

function rejectUndeclarable(member: Member, schema: FieldSchema, draft: ResourceDraft): void {
  if (schema["x-undeclarable"] === true) {
    const message = `${member.key} cannot be declared`;
    failAt(draft, member, {
      code: "undeclarable",
      message,
      hint: "Write lifecycle: { state: absent } to remove the object.",
    });
    return;
  }
  const message = `${member.key} cannot be declared, because the service computes the value`;
  failAt(draft, member, { code: "computed_field", message, hint: "Remove it." });
}

/** Replaces the name of a level (`admin`) with its number. */
function resolveLevelName(node: Node, schema: FieldSchema, draft: ResourceDraft): Node {
  const names = schema["x-names"];
  if (names === undefined || node.type !== "scalar" || typeof node.value !== "string") return node;
  const place = { source: node.source, mark: node.mark };
  const level = own(names, node.value);
  if (level !== undefined) return { type: "scalar", ...place, value: level };
  const message = `expected ${formatAlternatives(Object.keys(names))}, found ${JSON.stringify(node.value)}`;
  failAt(draft, place, { code: "invalid_enum", message, hint: didYouMean(suggest(node.value, Object.keys(names))) });
  return { type: "broken", ...place };
}
