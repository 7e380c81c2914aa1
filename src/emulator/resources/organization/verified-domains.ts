import { isInVerifiedDomain } from "../../current/gates.ts";
import { denied } from "../../http/errors.ts";
import { membershipOf, memberTable } from "../member/record.ts";
import { organizationTable, type Organization } from "./record.ts";
import type { Answer, Authenticated } from "../../http/call.ts";

const ADMIN = 8;
const OWNER = 15;

/** Fact 130: removes everybody outside the verified domains, except owners, and turns the enforcement on. */
export function removeBlockedMembers(call: Authenticated, row: Organization): Answer {
  const { service, user } = call;
  if ((membershipOf(service, row.id, user)?.level ?? 0) < ADMIN) {
    throw denied("Your organization access level is insufficient.");
  }
  const blocked = memberTable(service)
    .within(row.id)
    .filter(({ level, user: { email } }) => level < OWNER && !isInVerifiedDomain(service, row.id, email));
  for (const { id } of blocked) memberTable(service).remove(id);
  organizationTable(service).put({ ...row, enforce_verified_domains: true });
  return { status: 200, body: { success: true, removed_members: blocked.length } };
}
