/** What a plan says of people who get more rights, or are invited (src/kinds/people/promotions.ts). */
import { expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { declare, live, plan } from "../../plan/world.ts";

const ACME = { id: "d", domain: "acme.com", is_verified: true };

/** The reason of a change of one person. */
function reasonOf(email: string, level: number, rows: readonly JsonObject[], domains: readonly JsonObject[] = [ACME]) {
  const members = rows.filter(({ user }) => user !== undefined);
  const invites = rows.filter(({ user }) => user === undefined);
  const world = live({ "members.list": members, "invites.list": invites, "domains.list": domains });
  const { changes } = plan([declare(`acme/memberships/${email}`, { level })], world);
  return changes[0]?.reason;
}

const member = (email: string, level: number | null, more: JsonObject = {}) => ({
  id: email,
  level,
  user: { uuid: email, email },
  ...more,
});
const invite = (email: string, level: number) => ({ id: "i", target_email: email, level, is_expired: false });

it.each<[string, number, number, boolean | undefined, boolean]>([
  ["who becomes an admin", 1, 8, false, true],
  ["who becomes an owner", 8, 15, false, true],
  ["who has one", 1, 8, true, false],
  ["of whom that is not shown", 1, 8, undefined, false],
  ["who becomes an admin and was an owner", 15, 8, false, false],
  ["who becomes a member", 8, 1, false, false],
])("a second factor is missing: a person %s", (_name, before, after, factor, isSaid) => {
  const row = member("ada@acme.com", before, factor === undefined ? {} : { is_2fa_enabled: factor });
  expect(reasonOf("ada@acme.com", after, [row])?.includes("has no second factor")).toBe(isSaid);
});

it.each<[string, string, number, readonly JsonObject[], readonly JsonObject[], boolean]>([
  ["is invited", "eve@else.com", 1, [], [ACME], true],
  ["is invited, and is no outsider", "eve@acme.com", 1, [], [ACME], false],
  ["is invited where no domain is known", "eve@else.com", 1, [], [], false],
  ["becomes an admin", "eve@else.com", 8, [member("eve@else.com", 1)], [ACME], true],
  ["becomes a member", "eve@else.com", 1, [member("eve@else.com", 8)], [ACME], false],
  ["is invited as an admin now", "eve@else.com", 8, [invite("eve@else.com", 1)], [ACME], true],
  ["is invited as a member now", "eve@else.com", 1, [invite("eve@else.com", 8)], [ACME], false],
  ["stays", "eve@else.com", 8, [member("eve@else.com", 8)], [ACME], false],
])("a person from elsewhere is noted who %s", (_name, email, level, rows, domains, isSaid) => {
  const reason = reasonOf(email, level, rows, domains);
  expect(reason?.includes("outside the domains")).toBe(isSaid);
  expect(reason).not.toMatch(/\bown\b|null/u);
});
