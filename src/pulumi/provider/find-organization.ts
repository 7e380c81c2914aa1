/**
 * The place of an object whose id comes without one, as in the state of another tool.
 *
 * Premise: a service gives a UUID to one row only, so at most one organization has it. The UUID of a person is no such id, because
 * a person may be in several organizations.
 */
import { asText } from "../../kinds/keys.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isUuid } from "../../model/uuid.ts";
import { parseDeclared } from "../properties/properties.ts";
import { listOrganizations, readOwnList, requireWholeList } from "./scope-read.ts";
import type { PlacedId } from "./calls.ts";
import type { ReadSession } from "./session.ts";
import { scopesOfKind, isDerived } from "../../kinds/registry.ts";

/** Whether an id can have only one place, which the lists of the organizations show. */
export function isLocatable(kind: Kind, id: string): boolean {
  return isUuid(id) && !isDerived(kind) && scopesOfKind(kind.name).every((scope) => scope === "organization");
}

/**
 * Finds the organization of an object in the lists of all organizations that the key sees.
 *
 * @param id an id that {@link isLocatable}
 * @returns undefined if no list has it
 * @throws Error if none of those that can be read has it, but not all of them can be read completely
 */
export async function locate(session: ReadSession, kind: Kind, id: string): Promise<PlacedId | undefined> {
  const organizations = await listOrganizations(session);
  const searches = await Promise.allSettled(
    [...organizations.byId.values()].map((organization) => search(session, kind, organization.id, id)),
  );
  const placed = searches.flatMap((one) => (one.status === "fulfilled" && one.value !== undefined ? [one.value] : []));
  if (placed.length > 1) throw new Error(`several organizations have the ${kind.name} ${id}`);
  if (placed[0] !== undefined) return placed[0];
  const failed = searches.find((one) => one.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return undefined;
}

async function search(
  session: ReadSession,
  kind: Kind,
  organizationId: string,
  id: string,
): Promise<PlacedId | undefined> {
  const place = { organizationId };
  const declared = parseDeclared(kind, place);
  const live = await readOwnList(session, declared);
  const object = live.objects.find((one) => asText(live.row(one.id)?.["id"])?.toLowerCase() === id.toLowerCase());
  if (object !== undefined) return { id: object.id, place };
  await requireWholeList(session, declared, live);
  return undefined;
}
