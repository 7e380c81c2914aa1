import { ensureUser } from "../records/user.ts";
import { INVITE_LIFETIME_MS } from "../records/invite.ts";
import { makeMember } from "../records/member.ts";
import { stamp } from "../store/time.ts";
import { toObject } from "./kinds.ts";
import type { Invite } from "../records/invite.ts";
import type { Service } from "../service.ts";
import type { StoredObject } from "./kinds.ts";

/**
 * Has the invited person accept: the invite is gone, and with it other invites for the same address, and the person is
 * a member at its level.
 * @returns the member
 * @throws Error where there is no such invite
 */
export function acceptInvite(service: Service, id: string): StoredObject {
  const invite = inviteOf(service, id);
  const address = invite.target_email.toLowerCase();
  const user = ensureUser(service, { email: invite.target_email, first_name: invite.first_name });
  for (const row of service.store.invites.within(invite.organization_id)) {
    if (row.target_email.toLowerCase() === address) service.store.invites.remove(row.id);
  }
  return toObject(makeMember(service, invite.organization_id, { user, level: invite.level }));
}

/**
 * Lets an invite grow so old that it is expired.
 * @throws Error where there is no such invite
 */
export function expireInvite(service: Service, id: string): StoredObject {
  const invite = inviteOf(service, id);
  const created_at = stamp(new Date(service.now().getTime() - INVITE_LIFETIME_MS - 1000));
  return toObject(service.store.invites.put({ ...invite, created_at }));
}

function inviteOf(service: Service, id: string): Invite {
  const invite = service.store.invites.get(id);
  if (invite === undefined) throw new Error(`There is no invite "${id}".`);
  return invite;
}
