import type { NodeTable } from "../../kinds/facts.ts";
import { own } from "../../model/json.ts";
import { suggest } from "../../model/suggest.ts";
import { didYouMean } from "../messages.ts";
import type { MapNode, Member, Node, TreePosition } from "../tree/tree.ts";
import { MAY_BE_REFUSED, type ResourceDraft, warnAboutField } from "./draft.ts";

/** A free-form field that is being checked. */
interface NodeField {
  readonly field: string;
  readonly table: NodeTable;
  readonly draft: ResourceDraft;
}

/**
 * Checks the nodes in free-form fields: their kinds, and the keys of those that are known completely. It only warns, because a
 * service may know more nodes and keys.
 */
export function checkNodes(fields: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  for (const [field, table] of Object.entries(draft.kind.nodes ?? {})) {
    const value = fields.get(field)?.value;
    if (value !== undefined) checkNode(value, { field, table, draft });
  }
}

function checkNode(node: Node, checked: NodeField): void {
  if (node.type === "list") for (const item of node.items) checkNode(item, checked);
  if (node.type !== "map") return;
  const { table } = checked;
  const declared = node.members.get("kind")?.value;
  const kind = declared?.type === "scalar" && typeof declared.value === "string" ? declared.value : undefined;
  if (kind !== undefined && declared !== undefined && !table.kinds.includes(kind)) {
    const hint = didYouMean(suggest(kind, table.kinds));
    warn(checked, declared, "node", `${JSON.stringify(kind)} is not a known kind of node`, hint);
  }
  const keys = kind === undefined ? undefined : own(table.keys, kind);
  for (const member of node.members.values()) {
    if (keys !== undefined && !keys.includes(member.key)) warnAboutKey(checked, member, keys, kind ?? "");
    if (table.inner.includes(member.key)) checkNode(member.value, checked);
    else if (keys !== undefined && member.value.type === "map") checkSettings(member.key, member.value, checked);
  }
}

/** Newer services have more settings. So one is reported only if it looks like a misspelt one. */
function checkSettings(key: string, { members }: MapNode, checked: NodeField): void {
  const known = own(checked.table.settings, key) ?? [];
  for (const member of members.values())
    if (!known.includes(member.key) && suggest(member.key, known) !== undefined)
      warnAboutKey(checked, member, known, key);
}

function warnAboutKey(checked: NodeField, member: Member, known: readonly string[], where: string): void {
  const message = `${JSON.stringify(member.key)} is not a known key of ${where}`;
  warn(checked, member, "key", message, didYouMean(suggest(member.key, known)));
}

function warn(
  { draft, field }: NodeField,
  place: TreePosition,
  what: "node" | "key",
  message: string,
  hint: string | undefined,
): void {
  warnAboutField(draft, place, field, { code: `unknown_${field}_${what}`, message, hint }, MAY_BE_REFUSED);
}
