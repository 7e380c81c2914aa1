/**
 * The ids of `pulumi import`, of reads, and of states of other tools.
 *
 * Premise: an id alone rarely shows where an object is, so it begins with its place.
 */
import type { Kind } from "../../kinds/kind.ts";
import { withArticle } from "../../model/text/plural.ts";
import { isUuid } from "../../model/uuid.ts";
import { parseDeclared, type Properties } from "../properties/properties.ts";
import type { KindProvider } from "../provider/kind-provider.ts";
import { isLocatable } from "../provider/find-organization.ts";
import type { PlacedId } from "../provider/calls.ts";
import { scopesOfKind, isKeyedByEmail } from "../../kinds/registry.ts";

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
export async function parseImportId(kind: Kind, typed: string, locate: KindProvider["locate"]): Promise<PlacedId> {
  const id = typed.trim();
  if (findPlace(kind, typed) !== undefined || !isLocatable(kind, id)) return parsePlacedId(kind, typed);
  const placed = await locate(id);
  if (placed !== undefined) return placed;
  throw new Error(
    `${JSON.stringify(typed)} is not the id of ${withArticle(kind.name)} in an organization that the key sees. ${formHint(kind)}`,
  );
}

function formHint(kind: Kind): string {
  const forms = scopesOfKind(kind.name).map(
    (scope) => `${scope.toUpperCase()}_ID/${isKeyedByEmail(kind.name) ? "E-MAIL" : "ID"}`,
  );
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
  if (scopesOfKind(kind.name).includes("service")) return { id: typed, place: {} };
  const [, before = "", id = ""] = /^([^/]+)\/(.+)$/s.exec(typed.trim()) ?? [];
  const place = parentOf(kind, before);
  if (place === undefined) return undefined;
  return { id, place: isKeyedByEmail(kind.name) && id.includes("@") ? { ...place, email: id } : place };
}

function parentOf(kind: Kind, place: string): Properties | undefined {
  if (isUuid(place) && scopesOfKind(kind.name).includes("organization")) return { organizationId: place };
  if (!/^[1-9]\d*$/.test(place) || !scopesOfKind(kind.name).includes("project")) return undefined;
  return { projectId: Number.isSafeInteger(Number(place)) ? Number(place) : place };
}
