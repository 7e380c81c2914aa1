import { type FieldSchema, schemas } from "../../generated/schemas.ts";
import { own, type Json } from "../../model/json/json.ts";
import { didYouMean, suggest, suggestValue } from "../../model/text/suggest.ts";
import { MAY_BE_REFUSED, type ShownWhen } from "../problems.ts";
import type { Member, Node, TreePosition } from "../tree/tree.ts";
import { suggestKey } from "../unknown-keys.ts";
import type { CheckedDraft, ResourceDraft } from "./declarations.ts";

/**
 * Checks a text that the service does not, and a free-form value whose keys depend on a type beside it (the `config` of a
 * destination). It only warns, because the service may support more words, types and keys than the schemas list.
 */
export function checkVariants(
  fields: ReadonlyMap<string, Member>,
  draft: CheckedDraft,
  { isPinned, reported }: Pick<VariantField, "isPinned" | "reported">,
): void {
  const schema = schemas[draft.kind.name];
  for (const { key, value } of fields.values()) {
    const fieldSchema = own(schema.properties, key);
    if (fieldSchema?.["x-known"] === true) checkWord(key, value, fieldSchema.examples ?? [], { draft, isPinned });
    const rules = fieldSchema?.allOf?.filter((rule) => rule.if !== undefined) ?? [];
    if (rules.length > 0 && value.type === "map")
      checkRules(rules, value.members, { draft, field: key, isPinned, reported });
  }
}

function checkWord(
  field: string,
  node: Node,
  known: readonly Json[],
  { draft, isPinned }: Pick<VariantField, "draft" | "isPinned">,
): void {
  const word = node.type === "scalar" && typeof node.value === "string" ? node.value.trim() : "";
  if (word === "" || known.includes(word)) return;
  const words = known.map(String);
  const hint =
    didYouMean(suggestValue(word, words)) ?? `The service takes any text. The known ones are ${words.join(", ")}.`;
  const detail = { code: "unknown_value", message: `${JSON.stringify(word)} is not a known ${field}`, hint };
  // An export writes what the service has, and pins the object.
  draft.problems.fieldWarning(node, detail, { field, shown: { ...MAY_BE_REFUSED, validate: !isPinned } });
}

/** A field that is being checked. */
interface VariantField {
  readonly draft: CheckedDraft;
  readonly field: string;
  /** Whether the object exists: then the service has the values that it does not return. */
  readonly isPinned: boolean;
  /** What was reported already. */
  readonly reported: ReadonlySet<TreePosition>;
}

function checkRules(rules: readonly FieldSchema[], members: ReadonlyMap<string, Member>, variant: VariantField): void {
  const { draft, field: top } = variant;
  const types: string[] = [];
  for (const rule of rules) {
    for (const [field, { const: wanted }] of Object.entries(rule.if?.properties ?? {})) {
      const node = members.get(field)?.value;
      const declared = node?.type === "scalar" ? node.value : undefined;
      if (typeof wanted === "string") types.push(wanted);
      if (typeof wanted === "string" && declared === wanted) return checkVariant(rule, wanted, members, variant);
      if (rule !== rules.at(-1) || typeof declared !== "string" || node === undefined) continue;
      const near = suggest(declared, types);
      const hint = didYouMean(near) ?? `The service decides about it. The known types are ${types.join(", ")}.`;
      const detail = { code: "unknown_type", message: `unknown type ${declared}`, hint };
      const shown = near === undefined ? NOTHING_TO_DO : MAY_BE_REFUSED;
      draft.problems.fieldWarning(node, detail, { field: top, shown });
    }
  }
}

function checkVariant(
  rule: FieldSchema,
  type: string,
  members: ReadonlyMap<string, Member>,
  variant: VariantField,
): void {
  const { draft, field: top, isPinned, reported } = variant;
  for (const [field, { $ref }] of Object.entries(rule.then?.properties ?? {})) {
    const member = members.get(field);
    const definition = own(schemas[draft.kind.name].definitions, $ref?.replace("#/definitions/", "") ?? "");
    if (member?.value.type !== "map" || definition?.properties === undefined) continue;
    const keys = Object.keys(definition.properties);
    const meant = new Set<string>();
    for (const setting of member.value.members.values()) {
      if (keys.length === 0 || keys.includes(setting.key) || reported.has(setting)) continue;
      const message = `${setting.key} is not a known key of type ${type}`;
      const near = suggestKey(setting.key, keys);
      if (near !== undefined) meant.add(near);
      const hint = didYouMean(near) ?? `The service decides about it. The known keys are ${keys.join(", ")}.`;
      const detail = { code: "unknown_config_key", message, hint };
      // An export writes the keys that the service has, and pins the object.
      const mayBeLive = isPinned && near === undefined;
      const shown = { ...MAY_BE_REFUSED, validate: !mayBeLive };
      draft.problems.fieldWarning(setting, detail, { field: top, shown });
    }
    for (const wanted of definition.required ?? []) {
      const isInIntegration =
        members.has("integration") && own(definition.properties, wanted)?.["x-credential"] === true;
      if (isInIntegration || member.value.members.has(wanted) || meant.has(wanted)) continue;
      const message = `${field} has no ${wanted}, which type ${type} requires`;
      const isKept = isPinned && own(definition.properties, wanted)?.writeOnly === true;
      const detail = { code: "missing_config_key", message };
      const shown = { plan: "if_created", validate: !isKept } as const;
      draft.problems.fieldWarning(member, detail, { field: top, shown });
    }
  }
}

/** A deprecated field has no replacement, and a type that is near to none may be new. So a plan says nothing about it. */
const NOTHING_TO_DO: ShownWhen = { plan: "never", validate: false };

/** Returns the declared fields of a resource with level names replaced by numbers. */
export function declaredFields(draft: ResourceDraft): Map<string, Member> {
  const fields = new Map<string, Member>();
  for (const [key, member] of draft.members) {
    const schema = own(schemas[draft.kind.name].properties, key);
    if (schema === undefined) continue;
    const { value } = member;
    const level =
      value.type === "scalar" && typeof value.value === "string" ? own(schema["x-names"], value.value) : undefined;
    const { source, mark } = value;
    fields.set(
      key,
      level === undefined ? member : { ...member, value: { type: "scalar", source, mark, value: level } },
    );
    if (schema.deprecated === true) {
      const message = `${JSON.stringify(key)} is deprecated`;
      const hint = "Remove it if you can do without it, because the service may stop accepting it.";
      const shown = NOTHING_TO_DO;
      draft.problems.fieldWarning(member, { code: "deprecated", message, hint }, { field: key, shown });
    }
  }
  return fields;
}

export function isPin(draft: ResourceDraft, field: string): boolean {
  return schemas[draft.kind.name]["x-pins"].includes(field);
}
