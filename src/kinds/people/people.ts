import type { Diagnostic } from "../../model/diagnostic.ts";
import { isJsonObject, type JsonObject, type Value, type ValueObject } from "../../model/json/json.ts";
import type { KindName } from "../../model/kind-name.ts";
import { levelsOf, wordOfLevel } from "../../model/levels.ts";
import type { LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { Hints, Identity, Rows } from "../kind.ts";
import { caselessKey, asText } from "../keys.ts";
import { modifiedOf } from "../rows.ts";
import { enforcesDomains, takesQuietInvites } from "../service-signs.ts";

/** The operations that list the members of an organization, and its invites. */
export const MEMBERS = "members.list";
export const INVITES = "invites.list";

/** What the kinds about people have in common: a person is identified by the e-mail address alone. */
export const PERSON = {
  idSpace: "people",
  of: (live: LiveObject): string => [live.scope, live.keys[0]].join(" "),
  keyFields: [],
  declaredKeys: (_values, name) => caselessKey(name),
} as const satisfies Identity;

/** The error about two resources of one person. They contradict each other even if pinned. @param other address and position of the first */
export function declaredTwice(email: string, other: string): Pick<Diagnostic, "code" | "message" | "hint"> {
  return {
    code: "duplicate_email",
    message: `${email} is declared twice, first as ${other}`,
    hint: "Declare each e-mail address only once in memberships, members and invites.",
  };
}

/** The creator of an organization is its first member. */
export const CREATOR = "the key's user, who creates it, becomes a member at once and gets no e-mail";

export const PERSON_HINTS = {
  errorHint: ({ message }, email) =>
    /change your own access level/iu.test(message)
      ? `The API key belongs to ${email}, and a user cannot change their own level. Declare the present level of ${email}, remove ${email} from the configuration, or use the key of another owner. Declare service.self: ${email} to protect this user.`
      : undefined,
} as const satisfies Hints;

export const INVITE_HINTS: Hints = {
  ...PERSON_HINTS,
  createReason: ({ level = MEMBER }) => `invite as ${levelWord(level)}`,
  note: (action, body, live) => (action === "create" ? emailNote(body, live) : undefined),
};

/** Whether an invite sends an e-mail. Only the rows of a service show whether it can be told not to. */
function emailNote({ send_email: isSent }: ValueObject, live?: LiveObject): string {
  if (isSent !== false) return "sends an e-mail";
  return live?.silentFields === undefined
    ? "asks for no e-mail"
    : "sends no e-mail, and the link in the earlier one no longer works";
}

/** What the replacement of an invite sends, so that the person gets no second e-mail. */
export function quietInvite(row: JsonObject): Pick<LiveObject, "silentFields"> {
  return takesQuietInvites(row) ? { silentFields: { send_email: false } } : {};
}

/** It can no longer be accepted, so that its level gives no rights. */
export const EXPIRED_INVITE = {
  state: "expired",
  note: "the invite has expired",
  about: { is_expired: true },
} as const satisfies Partial<LiveObject>;

/** The level of an invite that declares none. */
const MEMBER = 1;

/** A level in a word, as reports write it; a number that has none as it is. Several invites of one person may have several levels. */
export function levelWord(level: Value | undefined): string {
  if (Array.isArray(level)) return level.map(levelWord).join(" or ");
  const isText = typeof level === "string" || typeof level === "number";
  return isText ? (wordOfLevel("member", level) ?? String(level)) : "unknown";
}

/** The same as a configuration writes it. */
export function levelText(level: Value | undefined): string {
  return levelWord(level).toLowerCase();
}

/** The highest level of rights. */
export const OWNER = 15;

/** The level from which on people administer the organization. */
export const ADMIN = 8;

/** Whether an e-mail address is one of a domain. Both are in lower case. */
export function isOfDomain(email: string, domain: string): boolean {
  return email.endsWith(`@${domain}`);
}

/** Whether a live domain lets people with an address in, where an organization enforces its verified domains. */
export function admits({ values, keys: [name] }: LiveObject, email: string): boolean {
  return values["is_verified"] === true && name !== undefined && isOfDomain(email, name);
}

/**
 * Why the lists of people lack some: plain members may see only themselves and the people of their projects. Undefined if they are whole.
 * If some are lacking, no person counts as missing, and driftline invites and removes no person. Current service 133.
 */
export function membersGap(organization: JsonObject): string | undefined {
  const { members_can_see_org_members: seesAll, membership_level: level } = organization;
  const isWhole = seesAll !== false || (typeof level === "number" && level >= ADMIN);
  return isWhole ? undefined : "the API key sees only a part of the members: use the key of an admin";
}

/**
 * Somebody may have delegated the set-up of the product, which sends an invite as an admin. Such an invite looks like any other, so an
 * undeclared invite of an admin is never pruned. Only services with the newer settings have such invites. Current service 157.
 */
export function mayBeDelegated(
  { values: { level }, parts, state }: LiveObject,
  organization: JsonObject,
): string | undefined {
  const isOlder = Object.hasOwn(organization, "name") && !enforcesDomains(organization);
  const isOpen = parts?.member === undefined && state !== "expired";
  return level === ADMIN && isOpen && !isOlder ? "declare it with lifecycle.state: absent if it is to go" : undefined;
}

/** Whether a live object is a person who has joined. An open invite gives no rights yet. */
export function isMember({ kind, parts }: Pick<LiveObject, "kind" | "parts">): boolean {
  return kind === "member" || parts?.member !== undefined;
}

/** Whether the objects of a kind are people, invited ones as well: their addresses alone identify them. */
export function isPerson(kind: KindName): boolean {
  return levelsOf(kind) !== undefined;
}

export function levelOf({ values }: LiveObject): Value | undefined {
  return values["level"];
}

/** A level as a number: one that is not known may be the highest. So whoever is below a level is so for sure. */
export function rightsOf(level: Value | undefined): number {
  return typeof level === "number" ? level : Infinity;
}

/** What people are sorted by, those first who may most. 0 for everything else. */
export function rightsOfPerson(live: LiveObject): number {
  return isMember(live) ? rightsOf(live.values["level"]) : 0;
}

/** A member, as listed. Interface: Members. */
export interface MemberRow {
  readonly email: string;
  /** The id of the membership. */
  readonly id: string;
  readonly row: JsonObject;
  /** What its object has, whichever kind shows it. Its operations take the uuid of the user, so that is its id. */
  readonly shown: Pick<LiveObject, "id" | "keys" | "person" | "about" | "onDifference" | "modified">;
}

/** Returns the members in the rows. Rows without a user or uuid are skipped, because no operation can address them. */
export function membersIn(rows: Rows): readonly MemberRow[] {
  return (rows[MEMBERS] ?? []).flatMap((row) => {
    const user = row["user"];
    if (!isJsonObject(user)) return [];
    const uuid = asText(user["uuid"]);
    const [email] = caselessKey(user["email"]);
    if (uuid === undefined || email === undefined) return [];
    const names = [asText(user["first_name"]), asText(user["last_name"])].filter((name) => name !== undefined);
    const about = filterKeys(row, (field) => ["level", "is_2fa_enabled", "joined_at"].includes(field));
    const { has_social_auth: isSocial } = row;
    const hasSocialSignIn = typeof isSocial === "boolean" ? isSocial : undefined;
    const person = { name: names.join(" ") || undefined, hasSocialSignIn };
    const shown = {
      id: uuid,
      keys: [email],
      onDifference: "update",
      modified: modifiedOf(row),
      person,
      about,
    } as const;
    return [{ email, id: asText(row["id"]) ?? uuid, row, shown }];
  });
}
