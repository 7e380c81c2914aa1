import { denied } from "../../http/errors.ts";
import { membershipOf } from "./record.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Member } from "./record.ts";

const ADMIN = 8;
const OWNER = 15;

/**
 * Who may change whose level on a deployed server: admins and up, never their own, never above themselves.
 * @throws ApiError 403
 */
export function checkChange(call: Authenticated, member: Member, level: number | undefined): void {
  const own = ownLevel(call, member);
  if (member.user.id === call.user.id) {
    if (level !== undefined) throw denied("You can't change your own access level.");
    return;
  }
  if (own < ADMIN) throw denied("You can only edit others if you are an admin.");
  if (level === OWNER && own < OWNER) {
    throw denied("You can only make another member owner if you're this organization's owner.");
  }
  if (member.level > own) throw denied("You can only edit others with level lower or equal to you.");
}

/**
 * Who may remove whom on a deployed server: everybody themselves, admins others up to their own level.
 * @throws ApiError 403
 */
export function checkRemoval(call: Authenticated, member: Member): void {
  if (member.user.id === call.user.id) return;
  const own = ownLevel(call, member);
  if (own < ADMIN || member.level > own) throw denied("You do not have admin access to this resource.");
}

function ownLevel({ service, user }: Authenticated, member: Member): number {
  return membershipOf(service, member.organization_id, user)?.level ?? 0;
}
