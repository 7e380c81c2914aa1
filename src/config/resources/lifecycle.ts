import { validators } from "../../generated/validators.ts";
import { allKinds } from "../../kinds/registry.ts";
import { pointerKeys, type ValueObject } from "../../model/json.ts";
import type { Lifecycle } from "../../model/resource.ts";
import { type ResourceDraft, failAt, isBroken, rejectSecrets } from "./draft.ts";
import { declarableFields } from "../../kinds/fields.ts";
import { describeNode, type MapNode, type Member, type Node, mapMembers, toObject } from "../tree/tree.ts";
import { validateFields } from "./validate.ts";
import { nearestHint } from "../messages.ts";

/** Reads the `lifecycle` of a resource, which only driftline uses. It reports and omits invalid settings. */
export function readLifecycle(draft: ResourceDraft): Lifecycle {
  const member = draft.members.get("lifecycle");
  if (member === undefined || member.value.type === "broken") return {};
  const members = mapMembers(member.value);
  if (members === undefined) {
    const message = `expected a mapping for lifecycle, found ${describeNode(member.value)}`;
    failAt(draft, member.value, {
      code: "wrong_type",
      message,
      hint: "Write a mapping such as lifecycle: { protect: true }.",
    });
    return {};
  }
  if (rejectSecrets(member.value, "lifecycle", draft.problems, draft.address)) return {};
  const node: MapNode = { type: "map", source: member.source, mark: member.mark, members };
  const wrong = validateFields(node, toObject(members), "lifecycle", draft);
  const valid = [...members].filter(([key, { value }]) => !wrong.has(key) && !isBroken(value));
  const lifecycle = toObject(new Map(valid));
  if (!isLifecycle(lifecycle)) return {};
  checkContradictions(lifecycle, members, draft);
  return lifecycle;
}

function isLifecycle(value: ValueObject): value is ValueObject & Lifecycle {
  return validators.lifecycle(value);
}

/** Reports settings that are valid alone but contradict each other or the kind. */
function checkContradictions(lifecycle: Lifecycle, members: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  for (const key of ["create", "renew", "forget", "renamed_from"] as const) {
    const member = members.get(key);
    if (lifecycle.state !== "absent" || member === undefined || !lifecycle[key]) continue;
    const message = `${key} contradicts state: absent`;
    failAt(draft, member, { code: "contradictory_lifecycle", message, hint: "Remove one of them." });
  }
  const renew = members.get("renew");
  if (renew !== undefined && draft.kind.expiry === undefined) {
    const message = `renew has no effect on ${draft.kind.collection}`;
    const hint = `Remove it. Only ${renewable()} can be renewed.`;
    failAt(draft, renew, { code: "unknown_key", message, hint });
  }
  checkIgnoredFields(members.get("ignore"), draft);
  checkPartialFields(members.get("partial"), draft);
}

/** The collections of the kinds whose objects expire. */
function renewable(): string {
  const expiring = allKinds.filter(({ expiry }) => expiry !== undefined);
  return expiring
    .map(({ collection }) => collection)
    .toSorted()
    .join(" and ");
}

function checkIgnoredFields(ignore: Member | undefined, draft: ResourceDraft): void {
  const known = declarableFields(draft.kind.name);
  for (const { item, text } of texts(ignore)) {
    const field = text.startsWith("/") ? (pointerKeys(text)[0] ?? "") : text;
    if (known.includes(field)) continue;
    const message = `ignore names the unknown field ${field}`;
    failAt(draft, item, { code: "unknown_field", message, hint: nearestHint(field, known) });
  }
}

function checkPartialFields(partial: Member | undefined, draft: ResourceDraft): void {
  const whole = draft.kind.wholeFields ?? [];
  for (const { item, text } of texts(partial)) {
    if (whole.includes(text)) continue;
    const message = `partial has no effect on ${text}`;
    const hint =
      whole.length === 0
        ? `Remove it: no field of ${draft.kind.collection} is compared whole.`
        : `Only ${whole.join(" and ")} can be compared in part.`;
    failAt(draft, item, { code: "unknown_field", message, hint });
  }
}

/** The texts in a list, with their nodes. What is not a text was reported already. */
function texts(list: Member | undefined): readonly { readonly item: Node; readonly text: string }[] {
  if (list?.value.type !== "list") return [];
  return list.value.items.flatMap((item) =>
    item.type === "scalar" && typeof item.value === "string" && item.value !== "" ? [{ item, text: item.value }] : [],
  );
}
