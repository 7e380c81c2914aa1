/**
 * Objects that a state does not hold yet: their ids, and the inputs of an import.
 *
 * Premise: an id alone rarely shows where an object is, so the id of an import begins with its place. The inputs of an import
 * become a program, so they are what an export would write: without values that the service never shows, without secrets, and
 * without defaults. They pass the same checks as the inputs of a program, so that the next preview shows no change.
 */
import { withArticle } from "../../model/plural.ts";
import { exportResources } from "../../export/resources.ts";
import { CONFIGURATION_SECRETS, ExportSession } from "../../export/session.ts";
import { toDeclaration, withoutAdopt } from "../../export/pulumi/declaration.ts";
import type { ExportedResource } from "../../export/types.ts";
import { declarableFields } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Json } from "../../model/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { isUuid } from "../../model/uuid.ts";
import { outputs } from "../properties/outputs.ts";
import { MARK, parseDeclared, type Properties } from "../properties/properties.ts";
import { isLocatable } from "../provider/find-organization.ts";
import type { FoundObject, PlacedId, Provider, ReadResult } from "../provider/provider.ts";

/**
 * Reads an id as people type it: `2/5` is the object 5 of project 2, and a UUID before the slash is an organization.
 *
 * @throws Error with the form, if the place is missing or of another kind
 */
function parsePlacedId(kind: Kind, typed: string): PlacedId {
  const placed = findPlace(kind, typed);
  if (placed !== undefined) return placed;
  throw new Error(`${JSON.stringify(typed)} does not show where the ${kind.name} is. ${formHint(kind)}`);
}

/**
 * Reads the id of an import. The place of an id that can have only one is looked up.
 *
 * @throws Error with the form, if the place is missing or of another kind
 */
export async function parseImportId(kind: Kind, typed: string, locate: Provider["locate"]): Promise<PlacedId> {
  const id = typed.trim();
  if (findPlace(kind, typed) !== undefined || !isLocatable(kind, id)) return parsePlacedId(kind, typed);
  const found = await locate(id);
  if (found !== undefined) return found;
  throw new Error(
    `${JSON.stringify(typed)} is not the id of ${withArticle(kind.name)} in an organization that the key sees. ${formHint(kind)}`,
  );
}

function formHint(kind: Kind): string {
  const forms = kind.scopes.map((scope) => `${scope.toUpperCase()}_ID/${kind.keyedBy === undefined ? "ID" : "E-MAIL"}`);
  return `Write its id as ${forms.join(" or ")}`;
}

/**
 * Reads an id beside properties, which usually show the place.
 *
 * @throws Error if the properties name another place than the id, or if neither names one
 */
export function parseIdBeside(kind: Kind, typed: string, props: Properties): PlacedId {
  const placed = findPlace(kind, typed);
  const { scope } = parseDeclared(kind, props);
  if (scope === "") return placed ?? parsePlacedId(kind, typed);
  if (placed === undefined) return { id: typed, place: {} };
  if (parseDeclared(kind, placed.place).scope === scope) return placed;
  throw new Error(`the id ${JSON.stringify(typed)} names another place than the properties of the ${kind.name}`);
}

function findPlace(kind: Kind, typed: string): PlacedId | undefined {
  if (kind.scopes.includes("service")) return { id: typed, place: {} };
  const [, before = "", id = ""] = /^([^/]+)\/(.+)$/s.exec(typed.trim()) ?? [];
  const place = placeOf(kind, before);
  if (place === undefined) return undefined;
  return { id, place: kind.keyedBy !== undefined && id.includes("@") ? { ...place, email: id } : place };
}

function placeOf(kind: Kind, place: string): Properties | undefined {
  if (isUuid(place) && kind.scopes.includes("organization")) return { organizationId: place };
  if (!/^[1-9]\d*$/.test(place) || !kind.scopes.includes("project")) return undefined;
  return { projectId: Number.isSafeInteger(Number(place)) ? Number(place) : place };
}

/**
 * The inputs and outputs of an imported resource.
 *
 * @throws Error if no program could declare it
 */
export function importState(kind: Kind, found: FoundObject, place: Properties): ReadResult {
  const { declaration, reasons } = declare(kind, found, place);
  if (declaration === undefined)
    throw new Error(`the ${kind.name} ${found.live.id} cannot be imported: ${reasons.join("; ")}`);
  const inputs = withoutAdopt(declaration.inputs);
  // The mark lets a resource that is later renamed in the program keep its object.
  return { id: declaration.id, inputs, props: outputs(kind, inputs, found.row, { [MARK]: "imported" }) };
}

/** The inputs that an import of the object would have. Undefined if no program could declare it. */
export function importInputs(kind: Kind, found: FoundObject, place: Properties): Properties | undefined {
  const { declaration } = declare(kind, found, place);
  return declaration && withoutAdopt(declaration.inputs);
}

/** The object as a program would declare it, or why none could. */
function declare(kind: Kind, { live, isSecret }: FoundObject, place: Properties) {
  const session = new ExportSession({ ids: true, isSecret }, { ...CONFIGURATION_SECRETS, addsRequired: true });
  const { scope } = parseDeclared(kind, place);
  const exported =
    kind.keyedBy === undefined ? exportResources([live], scope, session)[0] : exportPerson(kind, live, scope);
  const placeName = Object.keys(place).find((name) => name !== "email");
  const parent =
    placeName === undefined
      ? undefined
      : { property: placeName, variable: placeName, id: place[placeName] as string | number };
  return {
    declaration: exported === undefined ? undefined : toDeclaration(exported, parent, session, "packaged"),
    reasons: session.diagnostics.map(({ message }) => message),
  };
}

/** A resource that an e-mail identifies. It has no name, and its fields are levels. */
function exportPerson(kind: Kind, live: LiveObject, address: string): ExportedResource {
  const fields = declarableFields(kind.name).flatMap((field): [string, Json][] => {
    const value = live.values[field] ?? null;
    return value === null ? [] : [[field, value]];
  });
  return { live, kind: kind.name, name: live.keys[0] ?? live.id, address, fields: Object.fromEntries(fields) };
}
