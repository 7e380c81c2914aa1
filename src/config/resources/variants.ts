import { type FieldSchema, schemas } from "../../generated/schemas.ts";
import { own } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import type { ResourceDraft } from "./draft.ts";
import type { Member, TreePosition } from "../tree/tree.ts";
import { didYouMean, nearestHint } from "../messages.ts";

/**
 * Checks a free-form value whose keys depend on a type beside it (the `config` of a destination). It only warns,
 * because the service may support more types and keys than the schemas list.
 */
export function checkVariants(fields: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  const schema = schemas[draft.kind.name];
  for (const { key, value } of fields.values()) {
    const rules = own(schema.properties, key)?.allOf?.filter((rule) => rule.if !== undefined) ?? [];
    if (rules.length > 0 && value.type === "map") checkRules(rules, value.members, draft);
  }
}

function checkRules(rules: readonly FieldSchema[], members: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  const types: string[] = [];
  for (const rule of rules) {
    for (const [field, { const: wanted }] of Object.entries(rule.if?.properties ?? {})) {
      const node = members.get(field)?.value;
      const declared = node?.type === "scalar" ? node.value : undefined;
      if (typeof wanted === "string") types.push(wanted);
      if (typeof wanted === "string" && declared === wanted) return checkVariant(rule, wanted, members, draft);
      if (rule !== rules.at(-1) || typeof declared !== "string" || node === undefined) continue;
      const near = suggest(declared, types);
      if (near !== undefined) warnAt(draft, node, "unknown_type", `unknown type ${declared}`, didYouMean(near));
    }
  }
}

function checkVariant(
  rule: FieldSchema,
  type: string,
  members: ReadonlyMap<string, Member>,
  draft: ResourceDraft,
): void {
  for (const [field, { $ref }] of Object.entries(rule.then?.properties ?? {})) {
    const member = members.get(field);
    const definition = own(schemas[draft.kind.name].definitions, $ref?.replace("#/definitions/", "") ?? "");
    if (member?.value.type !== "map" || definition?.properties === undefined) continue;
    const known = Object.keys(definition.properties);
    for (const found of member.value.members.values()) {
      if (known.length === 0 || known.includes(found.key)) continue;
      warnAt(
        draft,
        found,
        "unknown_config_key",
        `${found.key} is not a known key of type ${type}`,
        nearestHint(found.key, known),
      );
    }
    for (const wanted of definition.required ?? []) {
      if (member.value.members.has(wanted)) continue;
      warnAt(draft, member, "missing_config_key", `${field} has no ${wanted}, which type ${type} requires`, undefined);
    }
  }
}

function warnAt(
  draft: ResourceDraft,
  place: TreePosition,
  code: string,
  message: string,
  hint: string | undefined,
): void {
  draft.problems.warning(place, { code, message, hint, address: draft.address });
}
