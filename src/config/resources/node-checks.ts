/**
 * Checks the nodes in free-form fields: their kinds, and the keys and some values of those that are known completely. It only warns,
 * because a service may know more nodes and keys.
 */
import type { NodeTable } from "../../kinds/kind-parts.ts";
import { nodesOf } from "../../kinds/nodes.ts";
import { own } from "../../model/json/json.ts";
import { didYouMean, suggest, suggestValue } from "../../model/text/suggest.ts";
import { MAY_BE_REFUSED, type ProblemDetail } from "../problems.ts";
import {
  describeNode,
  scalarText,
  textOf,
  type TreePosition,
  type MapNode,
  type Member,
  type Node,
} from "../tree/tree.ts";
import type { CheckedDraft } from "./declarations.ts";

/** A free-form field that is being checked. */
interface NodeField {
  readonly field: string;
  readonly table: NodeTable;
  readonly draft: CheckedDraft;
}

export function checkNodes(fields: ReadonlyMap<string, Member>, draft: CheckedDraft): void {
  for (const [field, table] of Object.entries(nodesOf(draft.kind.name))) {
    const value = fields.get(field)?.value;
    if (value !== undefined) checkNode(value, { field, table, draft });
  }
}

function checkNode(node: Node, checked: NodeField): void {
  if (node.type === "list") for (const item of node.items) checkNode(item, checked);
  if (node.type !== "map") return;
  const { table } = checked;
  const declared = node.members.get("kind")?.value;
  const kind = textOf(declared);
  if (kind !== undefined && declared !== undefined && !Object.hasOwn(table.keys, kind)) {
    const hint = didYouMean(suggest(kind, Object.keys(table.keys)));
    const message = `${JSON.stringify(kind)} is not a known kind of node`;
    warnInField(checked, declared, { what: "node", message, hint });
  }
  const keys = kind === undefined ? undefined : own(table.keys, kind);
  for (const member of node.members.values()) {
    if (keys !== undefined && !keys.includes(member.key)) warnAboutKey(checked, member, keys, kind ?? "");
    else if (keys !== undefined) checkValue(member, checked);
    const known = own(table.values, member.key);
    if (known === "node" || known === "nodes") checkNode(member.value, checked);
    else if (keys !== undefined && member.value.type === "map") checkSettings(member.key, member.value, checked);
  }
}

/** Checks the value of a key that is known: its type, and the word that it is. */
function checkValue({ key, value }: Member, checked: NodeField): void {
  if (value.type === "broken" || (value.type === "scalar" && (value.value === null || typeof value.value === "object")))
    return;
  const allowed = own(checked.table.values, key);
  if (allowed === "nodes" || allowed === "map") {
    const [type, what, example] = TYPES[allowed];
    const message = `${key} is ${what}, not ${describeNode(value)}`;
    if (value.type !== type) warnInField(checked, value, { what: "value", message, hint: `Write ${key}: ${example}.` });
    return;
  }
  const text = scalarText(value);
  if (allowed === undefined || allowed === "node" || text === undefined || allowed.includes(text)) return;
  const message = `${JSON.stringify(text)} is not a known ${key}`;
  const hint = didYouMean(suggestValue(text, allowed)) ?? `The known ones are ${allowed.join(", ")}.`;
  warnInField(checked, value, { what: "value", message, hint });
}

const TYPES = { nodes: ["list", "a list", "[{ ... }]"], map: ["map", "a mapping", "{ ... }"] } as const;

/** Newer services have more settings. So one is reported only if it looks like a misspelt one. */
function checkSettings(key: string, { members }: MapNode, checked: NodeField): void {
  const settings = own(checked.table.settings, key) ?? [];
  for (const member of members.values())
    if (!settings.includes(member.key) && suggest(member.key, settings) !== undefined)
      warnAboutKey(checked, member, settings, key);
}

function warnAboutKey(checked: NodeField, member: Member, known: readonly string[], where: string): void {
  const message = `${JSON.stringify(member.key)} is not a known key of ${where}`;
  warnInField(checked, member, { what: "key", message, hint: didYouMean(suggest(member.key, known)) });
}

function warnInField(
  { draft, field }: NodeField,
  place: TreePosition,
  { what, ...detail }: Pick<ProblemDetail, "message" | "hint"> & { readonly what: "node" | "key" | "value" },
): void {
  draft.problems.fieldWarning(place, { code: `unknown_${field}_${what}`, ...detail }, { field, shown: MAY_BE_REFUSED });
}
