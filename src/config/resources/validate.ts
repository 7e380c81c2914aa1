import { type FieldSchema, lifecycleSchema, schemas } from "../../generated/schemas.ts";
import { type ValidationError, validators } from "../../generated/validators.ts";
import { childSchema, declarableFields, isDeclarable, isSecretField, typesOf } from "../../kinds/fields.ts";
import { collectionsOf, isScope } from "../../kinds/registry.ts";
import { EXTRA_FIELDS } from "../../model/extra-fields.ts";
import { insteadOfKey } from "../../model/instead.ts";
import type { KindName } from "../../model/kind-name.ts";
import { mapSecrets, own, Secret, type ValueObject } from "../../model/json.ts";
import { pointerKeys } from "../../model/pointer.ts";
import { isSecretName } from "../../model/secret-values.ts";
import { suggest, suggestValue, didYouMean } from "../../model/suggest.ts";
import { suggestKey, unknownKey, unknownScopeKey } from "../unknown-keys.ts";
import { validationMessage } from "../validation-messages.ts";
import { joinWords } from "../../model/plural.ts";
import { MAY_BE_REFUSED, type ProblemDetail, type ShownWhen } from "../problems.ts";
import {
  isResolved,
  type MapNode,
  type Member,
  nodeAt,
  type Node,
  shorten,
  shownKey,
  shownNode,
  textOf,
  toValue,
  type TreePosition,
  writtenText,
} from "../tree/tree.ts";
import type { ResourceDraft } from "./declarations.ts";
import { looksLikeProject, misplacedProject } from "./scopes.ts";

/**
 * Validates the fields of a resource, or its lifecycle, and reports each error at its position. `values` are the values
 * of the node. Returns the top-level keys with errors.
 */
export function validateFields(
  node: MapNode,
  values: ValueObject,
  of: "kind" | "lifecycle",
  draft: ResourceDraft,
): ReadonlySet<string> {
  const validator = validators[of === "kind" ? draft.kind.name : "lifecycle"];
  const schema = of === "kind" ? schemas[draft.kind.name] : lifecycleSchema;
  // Validators accept only JSON, so a secret is replaced by its expression. Errors about that text are dropped below.
  const value = isResolved(node) ? values : mapSecrets(values, (secret) => secret.expression);
  if (validator(value)) return new Set();
  const reported = new Map<string, string | undefined>();
  for (const error of validator.errors ?? []) {
    const keys = pointerKeys(error.instancePath);
    const id = [error.instancePath, error.params["additionalProperty"], error.params["missingProperty"]].join("\n");
    // The first error is the most specific: a number in place of a word is a wrong type rather than an unknown word.
    if (error.keyword === "if" || reported.has(id)) continue;
    if (reportValidationError(error, keys, { node, schema }, draft)) reported.set(id, keys[0]);
  }
  return new Set([...reported.values()].filter((key) => key !== undefined));
}

/** Reports an error. Returns false if the value is unknown or its error was already reported. */
function reportValidationError(
  error: ValidationError,
  keys: readonly string[],
  { node: root, schema }: { readonly node: MapNode; readonly schema: FieldSchema },
  draft: ResourceDraft,
): boolean {
  const { node, place } = nodeAt(root, keys);
  const extra = error.params["additionalProperty"];
  if (node === undefined || node.type === "broken") return false;
  if (typeof extra === "string") {
    const member = node.type === "map" ? node.members.get(extra) : undefined;
    const instead = schema === lifecycleSchema ? insteadOfKey(extra) : undefined;
    draft.problems.error(
      member ?? place,
      unknownKey(
        shownKey({ key: extra, source: place.source }),
        Object.keys(schemaAt(schema, keys)?.properties ?? {}),
        instead,
      ),
    );
    return true;
  }
  if (node.type === "scalar" && node.value instanceof Secret) {
    // The value is unknown, but its type is known: a secret is always text.
    if (error.keyword !== "type") return false;
    const message = "a secret is text, which is not allowed here";
    draft.problems.error(node, { code: "secret_not_allowed", message, hint: "Write the value, or use ${var:...}." });
    return true;
  }
  const field = schemaAt(schema, keys);
  const isSecret = (field !== undefined && isSecretField(field)) || keys.some(isSecretName);
  // A length is that of the whole text, and quotes nothing.
  const quoted = error.keyword === "maxLength" ? node : shownNode(node, isSecret);
  const problem = validationMessage(error, quoted, field);
  draft.problems.error(error.keyword === "required" ? place : node, problem);
  return true;
}

function schemaAt(schema: FieldSchema, keys: readonly string[]): FieldSchema | undefined {
  let found: FieldSchema | undefined = schema;
  for (const key of keys) found = own(found?.properties, key) ?? found?.items;
  return found;
}

/**
 * Checks a free-form value whose keys depend on a type beside it (the `config` of a destination). It only warns,
 * because the service may support more types and keys than the schemas list.
 */
export function checkVariants(
  fields: ReadonlyMap<string, Member>,
  draft: ResourceDraft,
  { isPinned, reported }: Pick<VariantField, "isPinned" | "reported">,
): void {
  const schema = schemas[draft.kind.name];
  for (const { key, value } of fields.values()) {
    const rules = own(schema.properties, key)?.allOf?.filter((rule) => rule.if !== undefined) ?? [];
    if (rules.length > 0 && value.type === "map")
      checkRules(rules, value.members, { draft, field: key, isPinned, reported });
  }
}

/** A field that is being checked. */
interface VariantField {
  readonly draft: ResourceDraft;
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
      const detail = { code: "unknown_type", message: `unknown type ${declared}`, hint: didYouMean(near) };
      if (near !== undefined) draft.problems.fieldWarning(node, detail, { field: top, shown: MAY_BE_REFUSED });
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
    const known = Object.keys(definition.properties);
    const meant = new Set<string>();
    for (const found of member.value.members.values()) {
      if (known.length === 0 || known.includes(found.key) || reported.has(found)) continue;
      const message = `${found.key} is not a known key of type ${type}`;
      const near = suggestKey(found.key, known);
      if (near !== undefined) meant.add(near);
      const hint = didYouMean(near) ?? `The service decides about it. The known keys are ${known.join(", ")}.`;
      const detail = { code: "unknown_config_key", message, hint };
      // An export writes the keys that the service has, and pins the object.
      const mayBeLive = isPinned && near === undefined;
      const shown = { ...MAY_BE_REFUSED, validate: !mayBeLive };
      draft.problems.fieldWarning(found, detail, { field: top, shown });
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

/** A deprecated field has no replacement, so a plan says nothing about it. `explain` names it, too. */
const NOTHING_TO_DO: ShownWhen = { plan: "never", validate: false };

/** Returns the declared fields of a resource with level names replaced by numbers. It reports and omits other keys. */
export function declaredFields(draft: ResourceDraft): Map<string, Member> {
  const fields = new Map<string, Member>();
  const { kind } = draft;
  for (const member of draft.members.values()) {
    const { key } = member;
    if (key === "lifecycle" || key === EXTRA_FIELDS || draft.otherKeys.includes(key)) continue;
    const schema = own(schemas[draft.kind.name].properties, key);
    if (schema === undefined) rejectUnknown(member, draft);
    else {
      const problem = isPin(draft, key) ? undefined : undeclarable(key, schema);
      const value =
        problem === undefined
          ? withTexts(resolveLevelName(member.value, schema, draft), schema, kind.name)
          : member.value;
      if (problem !== undefined) draft.problems.error(member, problem);
      else fields.set(key, value === member.value ? member : { ...member, value });
    }
    if (schema?.deprecated === true) {
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

function rejectUnknown(member: Member, draft: ResourceDraft): void {
  if (own(lifecycleSchema.properties, member.key) !== undefined) {
    const value = shorten(writtenText(shownNode(member.value)));
    const hint = `Write it as lifecycle: { ${member.key}: ${value ?? "..."} }.`;
    draft.problems.error(member, { code: "unknown_key", message: `unknown key ${member.key}`, hint });
    return;
  }
  const { kind, otherKeys } = draft;
  const known = [...declarableFields(kind.name), ...schemas[kind.name]["x-pins"], "lifecycle", ...otherKeys];
  const isOrganization = isScope(kind);
  const hint = `If the service has such a field, declare it under ${EXTRA_FIELDS}.`;
  if (isOrganization && looksLikeProject(member.value))
    return draft.problems.error(member, misplacedProject(member.key));
  const problem = isOrganization
    ? unknownScopeKey(member, known, collectionsOf("organization"))
    : unknownKey(shownKey(member), known, insteadOfKey(member.key));
  draft.problems.error(member, { ...problem, hint: problem.hint ?? hint });
}

/**
 * Why a known field cannot be declared; undefined if it can.
 *
 * @param schema absent for a key that is no field, and that the service alone sets
 */
export function undeclarable(field: string, schema: FieldSchema | undefined): ProblemDetail | undefined {
  if (isDeclarable(schema)) return undefined;
  if (schema?.["x-undeclarable"] === true) {
    const hint = "Write lifecycle: { state: absent } to remove the object.";
    return { code: "undeclarable", message: `${field} cannot be declared`, hint };
  }
  const message = `${field} cannot be declared, because the service computes the value`;
  return { code: "computed_field", message, hint: "Remove it." };
}

/** A variable in the place of a text is what was written for it: `007`, not 7. */
export function withTexts(node: Node, schema: FieldSchema | undefined, kind: KindName): Node {
  if (schema === undefined || node.source.isLiteral) return node;
  if (node.type === "list") return { ...node, items: node.items.map((item) => withTexts(item, schema.items, kind)) };
  if (node.type === "map") {
    const around = schema.allOf === undefined ? undefined : toValue(node);
    const members = [...node.members].map(([key, member]): [string, Member] => {
      const value = withTexts(member.value, childSchema(kind, schema, key, around), kind);
      return [key, { ...member, value }];
    });
    return { ...node, members: new Map(members) };
  }
  if (node.type === "broken" || node.variable === undefined) return node;
  const type = node.value === null ? "null" : typeof node.value;
  const types = typesOf(schema).map((one) => (one === "integer" ? "number" : one));
  const text = writtenText(node);
  const isText = types.includes("string") && (type === "string" || !types.some((one) => one === type));
  return isText && text !== undefined ? { ...node, value: text } : node;
}

/** Replaces the name of a level (`admin`) with its number. */
function resolveLevelName(node: Node, schema: FieldSchema, draft: ResourceDraft): Node {
  const names = schema["x-names"];
  if (names === undefined || node.type !== "scalar" || typeof node.value !== "string") return node;
  const place = { source: node.source, mark: node.mark };
  const level = own(names, node.value);
  if (level !== undefined) return { type: "scalar", ...place, value: level };
  const words = Object.keys(names);
  const message = `expected ${joinWords(words, "or")}, found ${JSON.stringify(textOf(shownNode(node)))}`;
  const hint = didYouMean(suggestValue(node.value, words));
  draft.problems.error(place, { code: "invalid_enum", message, hint });
  return { type: "broken", ...place };
}
