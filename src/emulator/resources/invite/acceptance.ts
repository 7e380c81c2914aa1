import { ensureUser } from "../../records/user.ts";
import { INVITE_LIFETIME_MS, inviteTable, type Invite } from "./record.ts";
import { makeMember } from "../member/record.ts";
import { stamp } from "../../store/time.ts";
import { toObject, type StoredObject } from "../../store/object.ts";
import type { Service } from "../../service.ts";

/**
 * Accepts an invite on behalf of the invited person. The person becomes a member at the level of the invite. All
 * invites for the same e-mail address are removed.
 * @returns the member
 * @throws Error if the invite does not exist
 */
export function acceptInvite(service: Service, id: string): StoredObject {
  const invite = requireInvite(service, id);
  const address = invite.target_email.toLowerCase();
  const user = ensureUser(service, { email: invite.target_email, first_name: invite.first_name });
  for (const row of inviteTable(service).within(invite.organization_id)) {
    if (row.target_email.toLowerCase() === address) inviteTable(service).remove(row.id);
  }
  return toObject(makeMember(service, invite.organization_id, { user, level: invite.level }));
}

/**
 * Changes the creation time of an invite so that it is expired.
 * @throws Error if the invite does not exist
 */
export function expireInvite(service: Service, id: string): StoredObject {
  const invite = requireInvite(service, id);
  const created_at = stamp(new Date(service.now().getTime() - INVITE_LIFETIME_MS - 1000));
  return toObject(inviteTable(service).put({ ...invite, created_at }));
}

function requireInvite(service: Service, id: string): Invite {
  const invite = inviteTable(service).get(id);
  if (invite === undefined) throw new Error(`There is no invite "${id}".`);
  return invite;
}
