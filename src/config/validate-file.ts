/**
 * Validates a document once, after substitution, against the schema that is made from the same description as the one for editors.
 * Every error is reported at its node. What is wrong is taken out of the tree, so no later check sees it.
 */
import { fileSchema } from "../generated/schemas.ts";
import { type ValidationError, validators } from "../generated/validators.ts";
import { childOf, type FieldSchema, typesOf } from "../kinds/fields.ts";
import { START_HINT } from "../model/instead.ts";
import { mapSecrets } from "../model/json/json.ts";
import { pointerKeys } from "../model/pointer.ts";
import { fileMessage } from "./file-messages.ts";
import { placeAt } from "./place.ts";
import type { Problems } from "./problems.ts";
import { hasProjectId, misplacedProject } from "./resources/scopes.ts";
import {
  isResolved,
  type MapNode,
  type Member,
  nodeAt,
  type Node,
  toMapNode,
  toValue,
  writtenText,
} from "./tree/tree.ts";

/** A part of a document that has an error in it, or was reported. */
interface Wrong {
  verdict?: "broken" | "removed";
  /** By key or index. */
  readonly inner: Map<string, Wrong>;
}

/** Returns the document with what was written for variables in the place of texts, and without what is wrong. */
export function validateFile(given: MapNode, problems: Problems): MapNode {
  if (!given.members.has("driftline")) {
    const message = 'the document has no key "driftline"';
    problems.error(given, { code: "missing_version", message, hint: START_HINT });
  }
  // Of a file that is something else, one error says enough.
  if (!Object.keys(fileSchema.properties ?? {}).some((key) => given.members.has(key)))
    return toMapNode(new Map(), given);
  const document = withTexts(given, fileSchema);
  const values = toValue(document);
  // The validator accepts only JSON, so a secret is replaced by its expression. Errors about that text are dropped below.
  if (validators.file(isResolved(document) ? values : mapSecrets(values, (secret) => secret.expression)))
    return document.type === "map" ? document : given;
  const wrong: Wrong = { inner: new Map() };
  for (const error of validators.file.errors ?? []) report(error, document, wrong, problems);
  const right = withoutWrong(document, wrong);
  return right.type === "map" ? right : given;
}

/** Reports an error, unless one at the same place or around it was reported: the first one is the most specific. */
function report(error: ValidationError, document: Node, wrong: Wrong, problems: Problems): void {
  const { keyword, instancePath, params, propertyName } = error;
  // An error inside of a name is reported for the name, and a missing version before all others.
  if (keyword === "if" || propertyName !== undefined || (keyword === "required" && instancePath === "")) return;
  const keys = pointerKeys(instancePath);
  const key = params["additionalProperty"] ?? params["propertyName"] ?? params["missingProperty"];
  const path = typeof key === "string" ? [...keys, key] : keys;
  const [top, name = ""] = path;
  const organization = top === "organizations" && keys.length > 1 ? nodeAt(document, path.slice(0, 2)) : undefined;
  const isProject = organization?.node !== undefined && hasProjectId(organization.node);
  const part = unreported(isProject ? path.slice(0, 2) : path, wrong);
  if (part === undefined) return;
  if (isProject) {
    part.verdict = "removed";
    return problems.error(organization.place, misplacedProject(name));
  }
  const { node, place } = nodeAt(document, keys);
  if (node === undefined || node.type === "broken") return;
  const member = node.type === "map" && typeof key === "string" ? node.members.get(key) : undefined;
  const at = placeAt(keys);
  const detail = fileMessage(error, { node, member, schema: schemaAt(keys), at });
  if (detail === undefined) return;
  const { address } = at;
  (address === undefined ? problems : problems.of(address)).error(
    keyword === "required" ? place : (member ?? node),
    detail,
  );
  // The elements of a list that has one twice are right.
  if (keyword !== "uniqueItems") part.verdict = typeof key === "string" ? "removed" : "broken";
}

/** The part at a path, unless it or a part around it was reported. */
function unreported(path: readonly string[], wrong: Wrong): Wrong | undefined {
  let part = wrong;
  for (const key of path) {
    if (part.verdict !== undefined) return undefined;
    const inner: Wrong = part.inner.get(key) ?? { inner: new Map() };
    part.inner.set(key, inner);
    part = inner;
  }
  return part.verdict === undefined ? part : undefined;
}

function withoutWrong(node: Node, wrong: Wrong | undefined): Node {
  if (wrong === undefined) return node;
  if (wrong.verdict === "broken") return { type: "broken", source: node.source, mark: node.mark };
  if (node.type === "list")
    return { ...node, items: node.items.map((item, index) => withoutWrong(item, wrong.inner.get(String(index)))) };
  if (node.type !== "map") return node;
  const members = new Map(node.members);
  for (const [key, part] of wrong.inner) {
    const member = members.get(key);
    if (member === undefined) continue;
    if (part.verdict === "removed") members.delete(key);
    else members.set(key, { ...member, value: withoutWrong(member.value, part) });
  }
  return { ...node, members };
}

/** The schema of a part, apart from what depends on a type beside it. */
function schemaAt(keys: readonly string[]): FieldSchema | undefined {
  let schema: FieldSchema | undefined = fileSchema;
  for (const key of keys) schema = schema?.items ?? childOf(fileSchema.definitions, schema, key, undefined);
  return schema;
}

/** A variable in the place of a text is what was written for it: `007`, not 7. */
function withTexts(node: Node, schema: FieldSchema | undefined): Node {
  if (schema === undefined || node.source.isLiteral) return node;
  if (node.type === "list") return { ...node, items: node.items.map((item) => withTexts(item, schema.items)) };
  if (node.type === "map") {
    const around = schema.allOf === undefined ? undefined : toValue(node);
    const members = [...node.members].map(([key, member]): [string, Member] => {
      const child = childOf(fileSchema.definitions, schema, key, around);
      return [key, { ...member, value: withTexts(member.value, child) }];
    });
    return { ...node, members: new Map(members) };
  }
  if (node.type === "broken" || node.variable === undefined) return node;
  const type = node.value === null ? "null" : typeof node.value;
  const types = typesOf(schema).map((one) => (one === "integer" ? "number" : one));
  if (schema["x-names"] !== undefined) return node;
  const text = writtenText(node);
  const isText = types.includes("string") && (type === "string" || !types.some((one) => one === type));
  return isText && text !== undefined ? { ...node, value: text } : node;
}
