import { denied } from "../../http/errors.ts";
import { membershipOf, type Member } from "./record.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Guard } from "../../http/route.ts";

const ADMIN = 8;
const OWNER = 15;

/** On deployed servers, members who are not admins may only read what this guards. */
export const requireAdminToWrite: Guard = ({ service, user, method }, organization) => {
  const level = membershipOf(service, organization.id, user)?.level ?? 0;
  if (service.isRealServer && method !== "GET" && level < ADMIN) {
    throw denied("Your organization access level is insufficient.");
  }
};

/**
 * Checks a change of level on deployed servers. Only admins and owners may change levels, but never their own, never
 * those of a member above them, and only owners may make an owner.
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
 * Checks a removal on deployed servers. All members may remove themselves. Admins may remove members up to their own
 * level.
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
