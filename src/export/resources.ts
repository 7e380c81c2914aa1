import { declarableFields, kindSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import { holdsExactNumber, type ValueObject } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import { withWords } from "../kinds/fields.ts";
import { exportFields } from "./fields.ts";
import { type Candidate, isNew, pinOf, titleOf, withOwnKeys } from "./identity.ts";
import { compareText, slugOf, uniqueNames } from "./names.ts";
import { type ExportSession, warn } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { ExportedResources, Scope } from "./types.ts";

/** The resources of one scope, kind by kind, by name; objects that were met elsewhere are left to that place. */
export function exportResources(
  objects: readonly LiveObject[],
  scope: Scope,
  session: ExportSession,
): readonly ExportedResources[] {
  const present = objects
    .filter((live) => live.deleted !== true && live.placeholder !== true)
    .toSorted(byTitle)
    .filter((live) => isNew(live, scope, session));
  const candidates = present.map((live) => ({ live, title: titleOf(live), pin: pinOf(live, session) }));
  const kept = withOwnKeys(candidates, scope, session);
  const names = new Map<string, (name: string) => string>();
  return kept.flatMap((candidate) => {
    const { name: kind, collection } = kinds[candidate.live.kind];
    const unique = names.get(collection) ?? uniqueNames("-");
    names.set(collection, unique);
    const title = session.isSecret(candidate.title) ? "" : candidate.title;
    const name = unique(slugOf(title, kind.replaceAll("_", "-")));
    return exportResource(candidate, name, scope, session) ?? [];
  });
}

function byTitle(left: LiveObject, right: LiveObject): number {
  return (
    compareText(titleOf(left), titleOf(right)) || compareText(left.id, right.id) || compareText(left.kind, right.kind)
  );
}

function exportResource(
  { live, pin }: Candidate,
  name: string,
  scope: Scope,
  session: ExportSession,
): ExportedResources | undefined {
  const { kind } = live;
  const { collection, declaredKeys, keyFields } = kinds[kind];
  const address = [scope.address, collection, name].join("/");
  const here = scope.type === "service" ? name : address;
  const fields = soundFields(live, exportFields(live, name, scope.type, session), here, session);
  const isFound = declaredKeys(fields, "").length > 0;
  const missing =
    kindSchema(kind).required.find((field) => fields[field] === undefined) ??
    (isFound ? undefined : keyFields.join(" or "));
  if (pin === undefined && missing !== undefined) {
    warn(session, here, "not_declarable", `${kind} ${live.id} is left out: without ${missing} it cannot be declared`);
    return undefined;
  }
  const written = pin === undefined ? fields : { id: pin, ...fields };
  return { live, kind, name, address: here, fields: withWords(kind, written) };
}

/** The fields without those that would keep the whole file from loading. */
function soundFields(live: LiveObject, fields: ValueObject, address: string, session: ExportSession): ValueObject {
  for (const field of declarableFields(live.kind).filter((one) => holdsExactNumber(live.values[one] ?? null))) {
    const message = `${field} is written without numbers that cannot be said exactly`;
    warn(session, address, "not_declarable", message, "they stay as they are on the service");
  }
  const refused = invalidFields(live.kind, fields);
  for (const [field, problem] of refused) {
    const message = `${field} is left out: the configuration would not take its value (${problem})`;
    warn(session, address, "not_declarable", message, "it stays as it is on the service");
  }
  return Object.fromEntries(Object.entries(fields).filter(([field]) => !refused.has(field)));
}
