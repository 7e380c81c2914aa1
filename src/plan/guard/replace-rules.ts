/** A replace must be able to create the new object, must not create a second one, and must not lose a value that somebody may need. */
import { kindSchema } from "../../kinds/fields.ts";
import { listedObjects } from "../../kinds/listed-objects.ts";
import { kinds } from "../../kinds/registry.ts";
import { declaredPlace } from "../../kinds/unknown-fields.ts";
import type { Blocked, ChangeWithWork } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import type { LiveObject } from "../../model/live.ts";
import { topField } from "../../model/pointer.ts";
import { visible } from "../../model/quote.ts";
import { claimKey } from "../match.ts";
import type { GuardInput } from "./types.ts";

/**
 * If neither the configuration nor the live object shows a required field, no replacement can be created, and the object would
 * be gone.
 */
export function incompleteReplace({ action, kind, work }: ChangeWithWork): Blocked | null {
  const { resource } = work;
  if (action !== "replace" || resource === undefined) return null;
  const missing = kindSchema(kind).required.filter((field) => !Object.hasOwn(resource.values, field));
  return missing.length === 0
    ? null
    : { rule: "incomplete", remedy: `declare ${missing.join(", ")}, which a new object needs` };
}

/**
 * An object that nothing declares has the name of the replacement. A run whose journal is on another machine may have created it
 * and not removed the old object. The lists do not prove that, so a person decides. A unique name is left to held-names.ts if the object that
 * has it is to be pruned.
 */
export function secondReplacement(
  { action, id, work: { resource }, ...change }: ChangeWithWork,
  { snapshot, claims, prune }: GuardInput,
  all: readonly ChangeWithWork[],
): Blocked | null {
  const kind = kinds[change.kind];
  if (action !== "replace" || resource === undefined || kind.writes.removeFirst === true) return null;
  const keys = kind.identity.declaredKeys(resource.values, resource.name);
  const listed = listedObjects(snapshot, resource.scope, kind.name);
  const isPruned = (live: LiveObject): boolean =>
    prune && kind.identity.unique !== undefined && all.some(({ work }) => work.live === live);
  const others = listed.filter(
    (live) => keys.some((key) => live.keys.includes(key)) && !claims.has(claimKey(live)) && !isPruned(live),
  );
  if (others.length === 0) return null;
  const ids = visible([...new Set(others.map((live) => live.id))].join(", "));
  const remedy = `remove the id ${ids} on the service if an earlier run created it as the replacement of the id ${visible(String(id))}, or declare it as well`;
  return { rule: "replacement_exists", remedy };
}

/**
 * What no read shows, or may be refused once the old object is gone, is not sent to the new object. So somebody has to declare it
 * or to give it up.
 *
 * @param options what `apply` needs besides the permission to lose values
 */
export function lossyReplace(
  { address, kind, work }: ChangeWithWork,
  options: { readonly approve?: string } = {},
): Blocked | null {
  const fields = [...new Set(work.lost?.map((path) => declaredPlace(kind, topField(path))))];
  if (fields.length === 0) return null;
  const remedy = `declare ${fields.join(", ")}, or allow the loss:`;
  return { rule: "replace_loses", remedy, command: command("apply", { allowLoss: address, ...options }) };
}
