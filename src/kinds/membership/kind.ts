import type { Json, JsonObject } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { Assembly, Kind } from "../kind.ts";
import type { Call } from "../kind-parts.ts";
import { PEOPLE_CHECKS } from "../people/checks.ts";
import { expiredInvite } from "../people/left-invites.ts";
import { EXPIRED_INVITE, INVITE_HINTS, INVITES, MEMBERS, membersIn, PERSON, quietInvite } from "../people/people.ts";
import { caselessKey, asText } from "../keys.ts";
import { modifiedOf, declarableValues } from "../rows.ts";
import { refusedAddress } from "../people/invite-review.ts";
import { resentInvite } from "../people/resend.ts";
import { isUnknownField } from "../unknown-fields.ts";

/**
 * "E-mail E has level L in organization O", whether E has joined or is still invited. A member is patched, a pending
 * invite of another level is replaced, and no person is invited twice. Interface: Invites and Members, together.
 */
export const membership: Kind = {
  name: "membership",
  identity: PERSON,
  lists: { operations: () => [MEMBERS, INVITES], assemble, derived: "is neither a member nor invited" },
  writes: {
    onePerKey: true,
    expires: true,
    create: (_scope, body, key) => ({ operation: "invites.create", body: { ...body, target_email: key } }),
    target: (_scope, { parts }) => {
      const uuid = parts?.member;
      const member = uuid === undefined ? undefined : { user__uuid: uuid };
      const invites = (parts?.invites ?? []).map((id): Call => ({ operation: "invites.delete", path: { id } }));
      if (member === undefined) return { remove: invites };
      return {
        update: (body) => ({ operation: "members.update", path: member, body }),
        remove: [{ operation: "members.delete", path: member }, ...invites],
      };
    },
  },
  hints: INVITE_HINTS,
  exportRules: { asksComplete: true },
  checks: [...PEOPLE_CHECKS, refusedAddress, resentInvite, expiredInvite],
};

/** Makes one object per e-mail address from its member and its invites. */
function assemble({ scope, rows }: Assembly): readonly LiveObject[] {
  const invites = invitesByEmail(rows[INVITES] ?? []);
  const members = new Map(membersIn(rows).map((found) => [found.email, found]));
  const emails = new Set([...members.keys(), ...invites.keys()]);
  return [...emails].map((email) => {
    const found = members.get(email);
    const openInvites = invites.get(email) ?? [];
    const ids = openInvites.flatMap((row) => asText(row["id"]) ?? []);
    const common = { kind: "membership" as const, scope, pins: {}, keys: [email] };
    if (found !== undefined) {
      const { row, shown } = found;
      return { ...common, ...shown, values: valuesOf("member", row), parts: { member: shown.id, invites: ids } };
    }
    return {
      ...common,
      ...invited(openInvites),
      id: ids[0] ?? "",
      onDifference: "replace" as const,
      parts: { invites: ids },
    };
  });
}

function invitesByEmail(rows: readonly JsonObject[]): ReadonlyMap<string, readonly JsonObject[]> {
  const found = new Map<string, JsonObject[]>();
  for (const row of rows) {
    for (const email of caselessKey(row["target_email"])) found.set(email, [...(found.get(email) ?? []), row]);
  }
  return found;
}

/** What an invite in the place of another one takes over. */
const CARRIED = ["first_name", "message", "private_project_access"];

/** Combines the invites of one address. Pending ones take precedence over expired ones, and must agree on the level. */
function invited(
  rows: readonly JsonObject[],
): Pick<LiveObject, "values" | "about" | "carried" | "silentFields" | "createdAt" | "note" | "state" | "modified"> {
  const pending = rows.filter((row) => row["is_expired"] !== true);
  const counted = pending.length > 0 ? pending : rows;
  const all = counted.map((row) => valuesOf("invite", row));
  const levels = new Set<Json | undefined>(all.map(({ level }) => level));
  const common = Object.fromEntries(all.toReversed().flatMap((one) => Object.entries(one)));
  // What is shown as the live level has to say which there are.
  const several = [...levels].flatMap((level) => level ?? []).toSorted((a, b) => Number(a) - Number(b));
  const values = levels.size === 1 ? common : { ...common, level: several };
  const modified = counted.length === 1 && counted[0] !== undefined ? modifiedOf(counted[0]) : undefined;
  const carried = Object.fromEntries(
    CARRIED.flatMap((field) => {
      const value = counted[0]?.[field] ?? "";
      return value === "" || (Array.isArray(value) && value.length === 0) ? [] : [[field, value] as const];
    }),
  );
  const found = {
    values,
    about: filterKeys(values, (field) => field === "level"),
    carried,
    ...quietInvite({ ...counted[0] }),
    createdAt: newestCreatedAt(counted),
    modified,
  };
  return pending.length > 0 ? { ...found, note: "not yet accepted" } : { ...found, ...EXPIRED_INVITE };
}

/** The level, and the fields of a member or an invite that driftline has no name for. */
function valuesOf(kind: "member" | "invite", row: JsonObject): JsonObject {
  return filterKeys(declarableValues(kind, row), (field) => field === "level" || isUnknownField(kind, field));
}

function newestCreatedAt(rows: readonly JsonObject[]): string | undefined {
  return rows.flatMap((row) => asText(row["created_at"]) ?? []).toSorted((a, b) => Date.parse(b) - Date.parse(a))[0];
}
