import { validators } from "../../generated/validators.ts";
import { allKinds } from "../../kinds/registry.ts";
import type { ValueObject } from "../../model/json.ts";
import type { Lifecycle } from "../../model/resource.ts";
import { type ResourceDraft, failAt, isBroken, refuseSecrets } from "./draft.ts";
import { declarableFields } from "./fields.ts";
import { describe, type MapNode, type Member, membersOf, objectOf } from "../tree/tree.ts";
import { validateFields } from "./validate.ts";
import { nearest } from "../messages.ts";

/** What is ours about a resource; what is wrong with it is reported and left out. */
export function readLifecycle(draft: ResourceDraft): Lifecycle {
  const member = draft.members.get("lifecycle");
  if (member === undefined || member.value.type === "broken") return {};
  const members = membersOf(member.value);
  if (members === undefined) {
    const message = `expected a mapping for lifecycle, found ${describe(member.value)}`;
    failAt(draft, member.value, { code: "wrong_type", message, hint: "such as lifecycle: { protect: true }" });
    return {};
  }
  if (refuseSecrets(member.value, "lifecycle", draft.problems, draft.address)) return {};
  const node: MapNode = { type: "map", source: member.source, mark: member.mark, members };
  const wrong = validateFields(node, objectOf(members), "lifecycle", draft);
  const valid = [...members].filter(([key, { value }]) => !wrong.has(key) && !isBroken(value));
  const lifecycle = objectOf(new Map(valid));
  if (!isLifecycle(lifecycle)) return {};
  checkSense(lifecycle, members, draft);
  return lifecycle;
}

function isLifecycle(value: ValueObject): value is ValueObject & Lifecycle {
  return validators.lifecycle(value);
}

/** Settings that each are in order and together are not. */
function checkSense(lifecycle: Lifecycle, members: ReadonlyMap<string, Member>, draft: ResourceDraft): void {
  for (const key of ["create", "renew", "forget", "renamed_from"] as const) {
    const member = members.get(key);
    if (lifecycle.state !== "absent" || member === undefined || !lifecycle[key]) continue;
    const message = `${key} contradicts state: absent`;
    failAt(draft, member, { code: "contradictory_lifecycle", message, hint: "remove one of them" });
  }
  const renew = members.get("renew");
  if (renew !== undefined && draft.kind.expiry === undefined) {
    const message = `renew has no meaning for ${draft.kind.collection}`;
    failAt(draft, renew, { code: "unknown_key", message, hint: `it is for ${renewable()}; remove it` });
  }
  checkIgnored(members.get("ignore"), draft);
}

/** The collections of the kinds whose objects expire. */
function renewable(): string {
  const expiring = allKinds.filter(({ expiry }) => expiry !== undefined);
  return expiring
    .map(({ collection }) => collection)
    .toSorted()
    .join(" and ");
}

function checkIgnored(ignore: Member | undefined, draft: ResourceDraft): void {
  if (ignore?.value.type !== "list") return;
  const known = declarableFields(draft);
  for (const item of ignore.value.items) {
    if (item.type !== "scalar" || typeof item.value !== "string" || item.value === "" || known.includes(item.value))
      continue;
    const message = `there is no field ${item.value} to ignore`;
    failAt(draft, item, { code: "unknown_field", message, hint: nearest(item.value, known) });
  }
}
