/** Writes names in the place of ids where the object is declared as well. An export without ids leaves out the others. */
import { nameAmong, type NamedObject } from "../kinds/reference-names.ts";
import { mapReferencesAt, referencesIn, type Referred, refers } from "../kinds/references.ts";
import { projectsOf } from "../kinds/live-organization.ts";
import { canonicalJson } from "../model/json/canonical-json.ts";
import { compareNaturally } from "../model/compare-text.ts";
import { isJsonArray, withValueAt, type Json, type Value, type ValueObject } from "../model/json/json.ts";
import { kinds } from "../kinds/registry.ts";
import { listedId, ONLY_HERE } from "./project-ids.ts";
import type { ExportSession } from "./session.ts";
import type { ExportedOrganization, ExportedResource } from "./types.ts";

/** What can be named in a scope. */
export type NameSource = (to: Referred) => readonly NamedObject[];

/** The organization with names. A project that is not exported may have the name of one that is. */
export function namedOrganization(exported: ExportedOrganization, session: ExportSession): ExportedOrganization {
  const { organization, resources, projects } = exported;
  const listed = projectsOf(organization.live) ?? [];
  const others = listed.filter(({ id }) => !projects.some((one) => one.id === id));
  const named: NameSource = (to) =>
    to === "project"
      ? [
          ...projects.map(({ id, key, name }) => ({ id, names: [key, name] })),
          ...others.map(({ name }) => ({ names: ["", name] })),
        ]
      : exportedObjects(resources, to);
  return { ...exported, resources: resources.map((resource) => namedResource(resource, named, session)) };
}

/** The objects of a kind among those that are written. */
export function exportedObjects(resources: readonly ExportedResource[], to: Referred): readonly NamedObject[] {
  const mine = resources.filter(({ kind }) => kind === to);
  return mine.map(({ live, name, kind, fields }) => ({
    id: live.id,
    names: [name, ...kinds[kind].identity.declaredKeys(fields, name)],
  }));
}

/** A resource with names. */
export function namedResource(resource: ExportedResource, named: NameSource, session: ExportSession): ExportedResource {
  const { kind, fields } = resource;
  if (!refers(kind)) return resource;
  const comments = [session.comments.get(fields)];
  const entries = Object.entries(fields).flatMap(([field, value]): [string, Value][] => {
    const withNames = mapReferencesAt(kind, [field], value as Json, (one) => nameAmong(one, named(one.to)));
    if (!isJsonArray(withNames) || withNames.length === 0 || referencesIn(kind, { [field]: withNames }).length === 0)
      return [[field, value]];
    const ordered = withNames.toSorted((a, b) => compareNaturally(canonicalJson(a), canonicalJson(b)));
    const kept = session.ids
      ? ordered
      : ordered.flatMap((item, index) => portableItem(resource, item, [field, index], session));
    if (kept.length < withNames.length)
      comments.push(`${field}: ${kept.length === 0 ? "" : "partly "}left out, because ${ONLY_HERE}`);
    return kept.length === 0 ? [] : [[field, kept]];
  });
  const written: ValueObject = Object.fromEntries(entries);
  const text = comments.filter((one) => one !== undefined).join("\n");
  if (text !== "") session.comments.set(written, text);
  return { ...resource, fields: written };
}

/** An element of a list as it means the same elsewhere: with variables in the places of ids, or nothing if it has any. */
function portableItem(
  { kind, address }: ExportedResource,
  item: Json,
  [field, index]: readonly [string, number],
  session: ExportSession,
): readonly Value[] {
  const ids = referencesIn(kind, { [field]: [item] }).filter(({ isId }) => isId);
  return ids.reduce<readonly Value[]>(
    (written, { to, text, keys: [, , ...below] }) => {
      const reference = { what: to, id: text, keys: [field, String(index), ...below] };
      const variable = listedId(reference, text, address, session);
      return variable === undefined ? [] : written.map((one) => withValueAt(one, below, variable));
    },
    [item],
  );
}
