/** Who has access to an organization, from the rows of its lists: pure. What a row does not show is unknown, never "no". */
import { compareText } from "../../model/compare-text.ts";
import type { AccessPerson, AccessSettings, Shown } from "../../model/access.ts";
import type { Diagnostic, Position } from "../../model/diagnostic.ts";
import { groupBy } from "../../model/group-by.ts";
import {
  isJsonArray,
  isJsonObject,
  type Json,
  type JsonObject,
  type Value,
  type ValueObject,
} from "../../model/json/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveObject } from "../../model/live.ts";
import { undeclaredAddress } from "../../model/plan.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { SHUTTING } from "../entrances.ts";
import { asText, caselessKey } from "../keys.ts";
import { addressDomain, comparedWith, lookAlike, lookAlikeDomains } from "./look-alikes.ts";
import { ownDomains } from "./own-domains.ts";
import { INVITES, isOfDomain, isPerson, levelText, MEMBERS, rightsOf } from "./people.ts";
import { declaredKeys } from "../registry.ts";

/** The kinds whose lists are read: three lists. */
export const ACCESS_KINDS = ["member", "invite", "domain"] as const satisfies readonly KindName[];

/** The kind whose list names the people: without it there is no report. */
export const PEOPLE_KIND = "member";

const DOMAINS = "domains.list";

/** The rows of lists, by operation. A list that could not be read is missing. */
export type AccessRows = Readonly<Record<string, readonly JsonObject[] | undefined>>;

/** Where a person is declared. */
export interface DeclaredPerson {
  readonly position: Position;
  /** The declared level. */
  readonly level: string;
  /** Whether the declaration says that the person is to go. */
  readonly isAbsent: boolean;
}

/** The people whom the files declare in an organization, by e-mail address. @param scope the address of the organization */
export function declaredPeople({ resources }: DesiredGraph, scope: string): ReadonlyMap<string, DeclaredPerson> {
  const people = resources.filter((one) => one.scope === scope && isPerson(one.kind) && !one.lifecycle.forget);
  return new Map(
    people.flatMap((person) => {
      const { values, position, lifecycle } = person;
      const declared = { position, level: levelText(values["level"]), isAbsent: lifecycle.state === "absent" };
      return declaredKeys(person).map((email) => [email, declared] as const);
    }),
  );
}

/** @param values those of the organization */
export function accessSettings(values: ValueObject, rows: AccessRows): AccessSettings {
  const { enforce_2fa: asked, enforce_verified_domains: gated, members_can_use_personal_api_keys: keys } = values;
  const enforcing = rows[DOMAINS]?.flatMap((row) => {
    const [domain = ""] = caselessKey(row["domain"]);
    const method = enforcement(`@${domain}`, [row]);
    return method === "no" ? [] : [{ domain, method }];
  });
  return {
    // A setting that is null was never turned on.
    enforce_2fa: shown(asked === null ? false : asked),
    enforce_verified_domains: shown(gated),
    members_can_use_personal_api_keys: shown(keys),
    sso_enforcement: enforcing ?? null,
  };
}

/** What the rows are compared with. */
export interface AccessContext {
  /** The declared domains. */
  readonly domains: readonly string[];
  /** Undefined if no configuration was read. */
  readonly declared: ReadonlyMap<string, DeclaredPerson> | undefined;
  /** The commits that took people out of the files lately, by e-mail address. */
  readonly takenOut: ReadonlyMap<string, string>;
  /** The commit of the line of a declaration. */
  readonly commitOf: (position: Position) => string;
  /** Milliseconds since 1970; undefined if nothing is to be marked. */
  readonly since: number | undefined;
}

/** Everybody in an organization, and everybody who is invited to it: owners and admins first. */
export function peopleWithAccess(rows: AccessRows, context: AccessContext): readonly AccessPerson[] {
  const invites = rows[INVITES];
  const byEmail = groupBy(invites ?? [], (row) => emailOf(row["target_email"], row));
  const members = (rows[MEMBERS] ?? []).map((row) =>
    memberPerson(row, invites === undefined ? undefined : (byEmail.get(memberEmail(row)) ?? [])),
  );
  const joined = new Set(members.map(({ fields }) => fields.person));
  const onlyInvited = [...byEmail].flatMap(([person, invited]) =>
    joined.has(person) ? [] : invitedPerson(person, invited),
  );
  const all = [...members, ...onlyInvited];
  const domainOf = addressDomains(
    all.map(({ fields }) => fields),
    rows[DOMAINS],
    context,
  );
  return all
    .toSorted((a, b) => b.rank - a.rank || compareText(a.fields.person, b.fields.person))
    .map((one) => ({ ...withOtherSources(one, rows[DOMAINS], context), address_domain: domainOf(one.fields.person) }));
}

/** A person, as the row of a member or the invites of somebody say it. */
interface FoundPerson {
  /** Who has more rights comes first. */
  readonly rank: number;
  readonly fields: OwnFields;
  /** Undefined if they could not be read. */
  readonly invites: readonly JsonObject[] | undefined;
  /** When something about the person changed. */
  readonly times: readonly (Json | undefined)[];
}

function memberPerson(row: JsonObject, invites: readonly JsonObject[] | undefined): FoundPerson {
  const fields = {
    person: memberEmail(row),
    level: levelText(row["level"]),
    second_factor: shown(row["is_2fa_enabled"]),
    social_sign_in: shown(row["has_social_auth"]),
    joined: timeText(row["joined_at"]),
    last_changed: timeText(row["updated_at"]),
  };
  const times = [row["joined_at"], row["updated_at"], ...(invites ?? [undefined]).map(inviteTime)];
  return { rank: rightsOf(row["level"]), fields, invites, times };
}

function invitedPerson(person: string, invites: readonly JsonObject[]): FoundPerson {
  // Of several invites the one that gives most.
  const [highest] = invites.toSorted((a, b) => rightsOf(b["level"]) - rightsOf(a["level"]));
  const level = highest?.["level"];
  const times = invites.map(inviteTime);
  const fields = {
    person,
    level: levelText(level),
    second_factor: "unknown",
    social_sign_in: "unknown",
    joined: null,
    last_changed: newest(times),
  } as const;
  return { rank: rightsOf(level), fields, invites, times };
}

type OwnFields = Pick<
  AccessPerson,
  "person" | "level" | "second_factor" | "social_sign_in" | "joined" | "last_changed"
>;

/** Adds what other lists and the files say. */
function withOtherSources(
  { fields, invites, times }: FoundPerson,
  domains: readonly JsonObject[] | undefined,
  { declared, takenOut, commitOf, since }: AccessContext,
): Omit<AccessPerson, "address_domain"> {
  const { person, level } = fields;
  const declaration = declared?.get(person);
  const undeclared = declared === undefined ? "unknown" : null;
  return {
    ...fields,
    enforced_by_domain: enforcement(person, domains),
    declared_in:
      declaration === undefined
        ? undeclared
        : (declaration.position.file ?? "unknown") + declaredOtherwise(declaration, level),
    since_commit: declaration === undefined ? (takenOut.get(person) ?? undeclared) : commitOf(declaration.position),
    invite: inviteText(invites, level),
    ...(since === undefined ? {} : { changed: changedSince(times, since) }),
  };
}

/** What the file says about a person that is not so. */
function declaredOtherwise({ isAbsent, level: declared }: DeclaredPerson, level: string): string {
  if (isAbsent) return " (absent)";
  return [level, declared].includes("unknown") ? "" : otherLevel(declared, level);
}

function otherLevel(level: string, of: string): string {
  return level === of ? "" : ` (as ${level})`;
}

function memberEmail(row: JsonObject): string {
  const user = row["user"];
  return emailOf(isJsonObject(user) ? user["email"] : undefined, row);
}

/** Somebody without an address is not left out. */
function emailOf(value: Json | undefined, row: JsonObject): string {
  return caselessKey(value)[0] ?? `unknown (id ${asText(row["id"]) ?? "unknown"})`;
}

function shown(value: Value | undefined): Shown {
  return value === true ? "yes" : value === false ? "no" : "unknown";
}

/** ISO 8601. What `Date.parse` takes may hold a remark of any length. */
const TIME = /^\d{4}-\d\d-\d\d(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/u;

function timeText(value: Json | undefined): string {
  return typeof value === "string" && TIME.test(value) && !Number.isNaN(Date.parse(value)) ? value : "unknown";
}

function inviteTime(row: JsonObject | undefined): Json | undefined {
  return row?.["updated_at"] ?? row?.["created_at"];
}

function newest(times: readonly (Json | undefined)[]): string {
  const known = times.map(timeText).filter((text) => text !== "unknown");
  return known.toSorted((a, b) => Date.parse(b) - Date.parse(a))[0] ?? "unknown";
}

function changedSince(times: readonly (Json | undefined)[], since: number): Shown {
  const texts = times.map(timeText);
  if (texts.some((text) => Date.parse(text) >= since)) return "yes";
  return texts.includes("unknown") ? "unknown" : "no";
}

/** How the verified domain of an address makes people sign in. */
function enforcement(email: string, domains: readonly JsonObject[] | undefined): string {
  if (domains === undefined) return "unknown";
  const ofAddress = domains.filter((row) => caselessKey(row["domain"]).some((domain) => isOfDomain(email, domain)));
  const methods = ofAddress.map((row): string => {
    const { is_verified: isVerified, [SHUTTING]: method } = row;
    if (isVerified === false || method === "" || method === null) return "no";
    return isVerified === true && typeof method === "string" ? method : "unknown";
  });
  return (
    methods.find((text) => text !== "no" && text !== "unknown") ?? (methods.includes("unknown") ? "unknown" : "no")
  );
}

/**
 * Says what the domain of an address is to the organization: its own, one that is read as another, or one outside.
 * A declared person was reviewed, and is not compared with other people.
 *
 * @param rows the live domains; undefined if they could not be read
 */
function addressDomains(
  people: readonly Pick<AccessPerson, "person" | "joined">[],
  rows: readonly JsonObject[] | undefined,
  { domains, declared }: Pick<AccessContext, "domains" | "declared">,
): (person: string) => string | null {
  const ours = ownDomains(domains, (rows ?? []).map(domainIn));
  const isReviewed = (person: string): boolean => declared?.has(person) === true;
  const all = people.map(({ person, joined }) => ({
    email: person,
    isUnchanged: isReviewed(person),
    isNew: joined === null,
  }));
  const { otherOf, ...compared } = comparedWith(ours, all);
  return (person) => {
    const kindOfDomain = addressDomain(person, { ...compared, otherOf: isReviewed(person) ? undefined : otherOf });
    const isUnknown = kindOfDomain === null || kindOfDomain === "outside";
    return isUnknown && (rows === undefined || !person.includes("@")) ? "unknown" : kindOfDomain;
  };
}

function domainIn(row: JsonObject): Pick<LiveObject, "id" | "keys" | "values"> {
  return { id: asText(row["id"]) ?? "", keys: caselessKey(row["domain"]), values: row };
}

/**
 * A warning for each undeclared domain that looks like the one of most people.
 *
 * @param scope the address of the organization, if it is declared
 */
export function undeclaredLookAlikes(
  rows: AccessRows,
  {
    people,
    domains,
    scope,
  }: { people: readonly AccessPerson[]; domains: readonly string[]; scope: string | undefined },
): readonly Diagnostic[] {
  const usualOf = lookAlikeDomains(people.map(({ person }) => person));
  return (rows[DOMAINS] ?? []).map(domainIn).flatMap(({ id, keys: [domain = ""] }) => {
    const usual = domains.includes(domain) ? undefined : usualOf(domain);
    const address = scope === undefined ? undefined : undeclaredAddress({ scope, kind: "domain", id });
    return usual === undefined ? [] : [lookAlike(domain, usual, { address })];
  });
}

/** @param level that of the person */
function inviteText(invites: readonly JsonObject[] | undefined, level: string): string | null {
  if (invites === undefined) return "unknown";
  const states: Readonly<Record<Shown, string>> = { no: "open", yes: "expired", unknown: "open or expired" };
  const texts = invites.map(
    (row) => states[shown(row["is_expired"])] + otherLevel(levelText(row["level"]), level) + projectsText(row),
  );
  return texts.length === 0 ? null : [...new Set(texts)].toSorted((a, b) => compareText(b, a)).join(", ");
}

/** The private projects that an invite opens, such as ` with access to private project 2 (admin)`. */
function projectsText({ private_project_access: access }: JsonObject): string {
  const rows = isJsonArray(access) ? access.filter(isJsonObject) : [];
  const names = rows.map(({ id, level }) => `${asText(id) ?? "unknown"} (${levelText(level)})`);
  return names.length === 0 ? "" : ` with access to private project ${names.join(" and ")}`;
}
