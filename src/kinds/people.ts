import { isJsonObject, type JsonObject } from "../model/json.ts";
import type { LiveObject } from "../model/live.ts";
import type { Rows } from "./kind.ts";
import { caselessKey, text } from "./helpers.ts";

/** The list operations that tell who is in an organization, and who is invited to it. */
export const MEMBERS = "members.list";
export const INVITES = "invites.list";

/** What the kinds that speak of the same people have in common: whoever has the e-mail is that person. */
export const PEOPLE = {
  idSpace: "people",
  identity: (live: LiveObject): string => [live.scope, live.keys[0]].join(" "),
} as const;

/** A member as its row shows it; its operations take the uuid of the user. Interface: Members. */
export interface MemberRow {
  readonly email: string;
  readonly uuid: string;
  readonly id: string;
  readonly row: JsonObject;
}

/** The members in the rows; one without user or uuid cannot be acted on. */
export function membersIn(rows: Rows): readonly MemberRow[] {
  return (rows[MEMBERS] ?? []).flatMap((row) => {
    const user = row["user"];
    if (!isJsonObject(user)) return [];
    const uuid = text(user["uuid"]);
    const [email] = caselessKey(user["email"]);
    if (uuid === undefined || email === undefined) return [];
    return [{ email, uuid, id: text(row["id"]) ?? uuid, row }];
  });
}

/** The highest level; an organization needs somebody who has it. */
export const OWNER = 15;
