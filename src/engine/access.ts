/** Reads who has access to an organization. Sends GET only: for the organization, and at most three lists of it. */
import type { Client } from "../api/client.ts";
import { ACCESS_KINDS, type AccessRows, membersGap, PEOPLE_KIND } from "../kinds/people/index.ts";
import { CODES } from "../model/diagnostic-codes.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { engineError } from "../model/engine-error.ts";
import { firstOf, MAX_NAMES } from "../model/text/plural.ts";
import type { ValueObject } from "../model/json/json.ts";
import { isUuid } from "../model/uuid.ts";
import { listKey } from "../model/live.ts";
import { quoted, visible } from "../model/text/quote.ts";
import type { DesiredGraph, Resource } from "../model/resource.ts";
import { resolveScopes } from "../plan/resolve-scopes.ts";
import { organizationsOf } from "../plan/scopes-from-pins.ts";
import { listProblems } from "../world/list-problems.ts";
import type { OnRows } from "../world/list-reader.ts";
import { readLists } from "../world/read-lists.ts";
import { readObject } from "../world/read-object.ts";
import { findOrganizations } from "./export/export.ts";
import type { SelectedOrganization } from "./export/selection.ts";

/** An organization, and the lists of it that could be read. */
export interface OrganizationAccess {
  readonly id: string;
  readonly name: string | null;
  /** The address under which the configuration declares it. */
  readonly address: string | undefined;
  /** Its fields; none if it could not be read. */
  readonly values: ValueObject;
  /** Undefined if its members could not be read. */
  readonly rows: AccessRows | undefined;
  readonly diagnostics: readonly Diagnostic[];
}

/**
 * Reads the lists of one organization.
 *
 * @param wanted its id, its name, or its key in the configuration; undefined: the only one that is declared, or that the key sees
 * @throws EngineError `failed` if it does not exist; `invalid` if there are several
 */
export async function readAccess(
  client: Client,
  graph: DesiredGraph | undefined,
  wanted: string | undefined,
): Promise<OrganizationAccess> {
  const declared = graph === undefined ? [] : organizationsOf(graph);
  const asked = wantedOrganizations(declared, wanted);
  const { organizations, diagnostics } = await findAsked(client, asked);
  const addresses = addressesOf(organizations, graph);
  const isDeclared = ({ organization: { id } }: FoundOrganization): boolean => addresses.has(id);
  const among = asked === undefined && declared.length > 0 ? organizations.filter(isDeclared) : organizations;
  const [only, ...others] = among;
  if (only === undefined && diagnostics.length > 0)
    return { id: "", name: null, address: undefined, values: {}, rows: undefined, diagnostics };
  if (only === undefined || others.length > 0) throw oneOrganization(among);
  const { organization, idOnly } = only;
  const { rows, problems } = await readAccessRows(client, organization.id);
  const gap = idOnly ? UNKNOWN_GAP : membersGap(organization.values);
  return {
    id: organization.id,
    name: organization.keys[0] ?? null,
    address: addresses.get(organization.id),
    values: organization.values,
    rows,
    diagnostics: [...problems, ...(rows === undefined || gap === undefined ? [] : [unreadableDiagnostic(gap, idOnly)])],
  };
}

type FoundOrganization = Pick<SelectedOrganization, "organization" | "idOnly">;

interface FoundOrganizations {
  readonly organizations: readonly FoundOrganization[];
  readonly diagnostics: readonly Diagnostic[];
}

/** The organizations with these ids or names. One that is asked for by its id alone needs no list. */
async function findAsked(client: Client, asked: readonly string[] | undefined): Promise<FoundOrganizations> {
  const [id = "", ...more] = asked ?? [];
  if (more.length === 0 && isUuid(id)) {
    const organization = await readObject(client, { kind: "organization", scope: "", id: id.toLowerCase() }, {});
    if (organization !== undefined) return { organizations: [{ organization, idOnly: false }], diagnostics: [] };
  }
  const { organizations, diagnostics } = await findOrganizations(client, { organization: asked });
  return { organizations, diagnostics };
}

/** Whether an organization that cannot be read lists all its members. */
const UNKNOWN_GAP = "the API key may see only a part of the members, because it may not read the organization";

function unreadableDiagnostic(message: string, isDenied: boolean): Diagnostic {
  if (!isDenied) return { severity: "error", code: "unreadable", message };
  const hint = "Give the API key the scope organization:read.";
  return { severity: "error", code: CODES.accessDenied, message, hint };
}

/** The ids and names to look for; undefined if all organizations have to be read to find the one. */
function wantedOrganizations(declared: readonly Resource[], wanted: string | undefined): readonly string[] | undefined {
  const named = wanted === undefined ? declared : declared.filter(({ address }) => address === wanted);
  const ids = named.map(
    ({ pin, values, name }) => pin?.value ?? (wanted === undefined ? undefined : (values["name"] ?? name)),
  );
  const known = ids.filter((id) => typeof id === "string");
  if (known.length > 0 && known.length === named.length) return known;
  return wanted === undefined ? undefined : [wanted];
}

/** The addresses under which organizations are declared, by id. */
function addressesOf(
  organizations: readonly FoundOrganization[],
  graph: DesiredGraph | undefined,
): ReadonlyMap<string, string> {
  const list = { status: "known", objects: organizations.map(({ organization }) => organization) } as const;
  const scopes = graph === undefined ? [] : [...resolveScopes({ ...graph, projects: [] }, list).scopes];
  return new Map(
    scopes.flatMap(([address, scope]) => {
      const id = scope.status === "known" ? scope.path["organization_id"] : undefined;
      return id === undefined ? [] : [[id, address]];
    }),
  );
}

function oneOrganization(organizations: readonly FoundOrganization[]): Error {
  if (organizations.length === 0)
    return engineError(
      "failed",
      "not_found",
      "none of the declared organizations was found",
      "Name one that the key sees with --organization, by its id or name.",
    );
  const names = organizations.map(({ organization: { keys, id } }) => `${quoted(keys[0] ?? "")} (id ${visible(id)})`);
  const hint = `Name one with --organization: ${firstOf(names, MAX_NAMES)}.`;
  return engineError(
    "invalid",
    "usage",
    `there are ${String(organizations.length)} organizations, and a review is of one`,
    hint,
  );
}

async function readAccessRows(
  client: Client,
  id: string,
): Promise<{ readonly rows: AccessRows | undefined; readonly problems: readonly Diagnostic[] }> {
  let collected: AccessRows = {};
  const onRows: OnRows = (rows) => {
    collected = { ...collected, ...rows };
  };
  const place = { what: "objects", scope: id, path: { organization_id: id }, isFull: false } as const;
  const { lists } = await readLists(
    client,
    ACCESS_KINDS.map((kind) => ({ ...place, kind })),
    { onRows },
  );
  const isKnown = lists.get(listKey(id, PEOPLE_KIND))?.status === "known";
  return { rows: isKnown ? collected : undefined, problems: listProblems(lists.values()) };
}
