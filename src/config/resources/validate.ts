import { type FieldSchema, lifecycleSchema, schemas } from "../../generated/schemas.ts";
import { type ValidationError, validators } from "../../generated/validators.ts";
import { mapSecrets, own, pointerKeys, Secret, type ValueObject } from "../../model/json.ts";
import { type ResourceDraft, failAt } from "./draft.ts";
import { isResolved, type MapNode, type Member, type Node, type TreePosition } from "../tree/tree.ts";
import { validationMessage, unknownKey } from "../messages.ts";

const NO_KEYS: ReadonlySet<string> = new Set();

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
  if (validator(value)) return NO_KEYS;
  const reported = new Map<string, string | undefined>();
  for (const error of validator.errors ?? []) {
    const keys = pointerKeys(error.instancePath);
    const id = [error.instancePath, error.params["additionalProperty"], error.params["missingProperty"]].join("\n");
    // The first error is the most specific: a number in place of a word is a wrong type rather than an unknown word.
    if (error.keyword === "if" || reported.has(id)) continue;
    if (reportValidationError(error, keys, node, schema, draft)) reported.set(id, keys[0]);
  }
  return new Set([...reported.values()].filter((key) => key !== undefined));
}

/** Reports an error. Returns false if the value is unknown or its error was already reported. */
function reportValidationError(
  error: ValidationError,
  keys: readonly string[],
  root: MapNode,
  schema: FieldSchema,
  draft: ResourceDraft,
): boolean {
  const { node, place } = nodeAt(root, keys);
  const extra = error.params["additionalProperty"];
  if (node === undefined || node.type === "broken") return false;
  if (typeof extra === "string") {
    const member = node.type === "map" ? node.members.get(extra) : undefined;
    failAt(draft, member ?? place, unknownKey(extra, Object.keys(schemaAt(schema, keys)?.properties ?? {})));
    return true;
  }
  if (node.type === "scalar" && node.value instanceof Secret) {
    // The value is unknown, but its type is known: a secret is always text.
    if (error.keyword !== "type") return false;
    const message = "a secret is text, which is not allowed here";
    failAt(draft, node, { code: "secret_not_allowed", message, hint: "Write the value, or use ${var:...}." });
    return true;
  }
  failAt(draft, error.keyword === "required" ? place : node, validationMessage(error, node, schemaAt(schema, keys)));
  return true;
}

/** The node at a path, and the position of its key. */
function nodeAt(
  root: Node,
  keys: readonly string[],
): { readonly node: Node | undefined; readonly place: TreePosition } {
  let node: Node | undefined = root;
  let place: TreePosition = root;
  for (const key of keys) {
    const member: Member | undefined = node?.type === "map" ? node.members.get(key) : undefined;
    node = node?.type === "list" ? node.items[Number(key)] : member?.value;
    place = member ?? node ?? place;
  }
  return { node, place };
}

function schemaAt(schema: FieldSchema, keys: readonly string[]): FieldSchema | undefined {
  let found: FieldSchema | undefined = schema;
  for (const key of keys) found = own(found?.properties, key) ?? found?.items;
  return found;
}
