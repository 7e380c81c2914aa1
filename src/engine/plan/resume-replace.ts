/** Values that an interrupted replace has kept in the journal, as a plan takes them in. */
import { isSameCreate, type OpenIntent } from "../../apply/journal/intents.ts";
import { conceal, kindSchema } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import type { Change, FieldChange, Work } from "../../model/change.ts";
import { type Json, type ValueObject, own } from "../../model/json/json.ts";
import { pointer, topField } from "../../model/pointer.ts";
import type { KindName } from "../../model/kind-name.ts";
import { knownPathAt, type LiveWorld } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { createChange } from "../../plan/make-change.ts";

/**
 * Completes the creates that follow an interrupted replace. The old object is gone, and only the journal has its undeclared
 * values. The plan shows them like all other values that will be sent.
 *
 * @param intents those of earlier runs on this service
 */
export function resumeReplaces(plan: Plan, intents: readonly OpenIntent[], world: LiveWorld): Plan {
  const interrupted = intents.filter(({ carried }) => carried !== undefined);
  if (interrupted.length === 0) return plan;
  return { ...plan, changes: plan.changes.map((change) => resume(change, interrupted, world)) };
}

function resume(change: Change, intents: readonly OpenIntent[], { scopes }: LiveWorld): Change {
  const { work, kind } = change;
  const scope = knownPathAt(scopes, work?.scope ?? "");
  if (change.action !== "create" || work === null || scope === undefined) return change;
  const create = { kind, scope, key: work.key ?? "" };
  const begun = intents.findLast((intent) => isSameCreate(intent, { ...create, url: intent.url }));
  const kept = Object.entries({ ...begun?.carried }).filter(([field]) => !Object.hasOwn(work.body, field));
  if (kept.length === 0) return change;
  const carried = Object.fromEntries(kept);
  const body = { ...carried, ...work.body };
  return {
    ...change,
    reason: `${reasonWith(change, work, body)}; keeps what it had before an interrupted replace`,
    fields: [
      ...change.fields.filter(({ path }) => !Object.hasOwn(carried, topField(path))),
      ...kept.map(([field, value]) => shownField(kind, field, value)),
    ],
    work: { ...work, body, carried },
  };
}

/** The reason of a create that sends another body: its side effect may be another one. */
function reasonWith({ kind: name, reason }: Change, { body: before, resource }: Work, body: ValueObject): string {
  const kind = kinds[name];
  const isSame = kind.hints?.note?.("create", before) === kind.hints?.note?.("create", body);
  return isSame || resource === undefined ? reason : createChange(kind, { ...resource, values: body }).reason;
}

function shownField(kind: KindName, field: string, value: Json): FieldChange {
  const { properties } = kindSchema(kind);
  return { path: pointer(field), prior: null, planned: conceal(kind, own(properties, field), value, field) };
}
