import { expect, it } from "vitest";
import {
  type AccessContext,
  type AccessRows,
  accessSettings,
  peopleWithAccess,
  undeclaredLookAlikes,
} from "../../../../src/kinds/people/access-review.ts";
import type { AccessPerson } from "../../../../src/model/access.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";

const CONTEXT: AccessContext = {
  domains: [],
  declared: undefined,
  takenOut: new Map(),
  commitOf: () => "unknown",
  since: undefined,
};
const OTHERS = ["ada@acme.com", "bob@acme.com", "carol@acme.com"];

/** The row of an address that is invited, beside three members of acme.com. */
function invited(email: string, rows: AccessRows, domains: readonly string[] = []): AccessPerson | undefined {
  const members = OTHERS.map((member) => ({ id: member, level: 1, user: { email: member } }));
  const invites = [{ id: "i", level: 1, target_email: email, is_expired: false }];
  const people = peopleWithAccess(
    { "members.list": members, "invites.list": invites, ...rows },
    { ...CONTEXT, domains },
  );
  return people.find(({ person }) => person === email);
}

const READ = { "domains.list": [{ id: "d", domain: "ACME.com", is_verified: true }] };
const ROGUE = { "domains.list": [...READ["domains.list"], { id: "e", domain: "acrne.com", is_verified: true }] };
const NONE = { "domains.list": [] };

it.each<[string, string | null, string, AccessRows, readonly string[]]>([
  ["of a domain of the organization", "own", "eve@acme.com", READ, []],
  ["of a declared domain", "own", "eve@partner.example", READ, ["partner.example"]],
  ["of an undeclared domain beside a declared one", "outside", "eve@acme.com", READ, ["partner.example"]],
  ["of a domain that is not verified", null, "eve@eu.example", { "domains.list": [{ domain: "eu.example" }] }, []],
  ["of a look-alike that somebody added", "looks like acme.com", "eve@acrne.com", ROGUE, ["acme.com"]],
  ["of a declared domain while the others could not be read", "own", "eve@acme.com", {}, ["acme.com"]],
  ["of another domain", "outside", "eve@partner.example", READ, []],
  ["of a part of a domain", "outside", "eve@eu.acme.com", READ, []],
  ["of another domain while the domains could not be read", "unknown", "eve@partner.example", {}, ["acme.com"]],
  ["in an organization without a domain", null, "eve@partner.example", NONE, []],
  ["that looks like one of the others", "looks like acme.com", "eve@acrne.com", READ, []],
  ["that looks like one of the others without a domain", "looks like acme.com", "eve@acrne.com", NONE, []],
  ["that is read like the one of another person", "looks like carol@acme.com", "caro1@acme.com", READ, []],
  [
    "that is read like another one while the domains could not be read",
    "looks like bob@acme.com",
    "b0b@acme.com",
    {},
    [],
  ],
  ["that looks like one of the others, and is of a domain", "own", "eve@acrne.com", READ, ["acrne.com"]],
])("knows an address %s", (_name, expected, email, rows, domains) => {
  expect(invited(email, rows, domains)?.address_domain).toBe(expected);
});

it.each<[invite: string, access: JsonObject[string]]>([
  ["open", null],
  ["open", []],
  [
    "open with access to private project 2 (admin) and 5 (member)",
    [
      { id: 2, level: "admin" },
      { id: 5, level: 1 },
    ],
  ],
])("says %s of an invite to the private projects %j", (said, access) => {
  const row = { target_email: "eve@acme.com", level: 1, is_expired: false, private_project_access: access };
  expect(invited("eve@acme.com", { "invites.list": [row] })?.invite).toBe(said);
});

it("names an undeclared domain that looks like the usual one", () => {
  const said = (domains: readonly string[], scope?: string) => {
    const people = peopleWithAccess(
      { "members.list": OTHERS.map((email) => ({ level: 1, user: { email } })) },
      { ...CONTEXT, domains },
    );
    return undeclaredLookAlikes(ROGUE, { people, domains, scope }).map(({ code, address }) => [code, address]);
  };
  expect(said(["acme.com"], "acme")).toEqual([["look_alike", "acme/domains/id=e"]]);
  expect(said([])).toEqual([["look_alike", undefined]]);
  expect(said(["acme.com", "acrne.com"], "acme")).toEqual([]);
});

it.each<[string, readonly JsonObject[], Pick<AccessPerson, "level" | "invite">]>([
  ["of somebody who is only invited", [{ level: 8 }], { level: "admin", invite: "open" }],
  [
    "of several invites the highest",
    [{ level: 1, is_expired: true }, { level: 8 }],
    { level: "admin", invite: "open, expired (as member)" },
  ],
  ["of an invite that does not show it", [{}], { level: "unknown", invite: "open" }],
])("has the level %s, who stands among those of that level", (_name, invites, expected) => {
  const rows = invites.map((one, id) => ({ id, target_email: "new@acme.com", is_expired: false, ...one }));
  const people = peopleWithAccess(
    { "members.list": [rowOf("zoe@acme.com", 15), rowOf("bob@acme.com", 1)], "invites.list": rows },
    CONTEXT,
  );
  expect(people.find(({ person }) => person === "new@acme.com")).toMatchObject({ ...expected, joined: null });
  expect(people.at(-1)?.person).toBe("bob@acme.com");
});

it("says the level of a member's invite where it is another one", () => {
  const invites = [8, 1].map((level, id) => ({ id, target_email: "bob@acme.com", is_expired: false, level }));
  const people = peopleWithAccess({ "members.list": [rowOf("bob@acme.com", 1)], "invites.list": invites }, CONTEXT);
  expect(people).toMatchObject([{ level: "member", invite: "open (as admin), open" }]);
});

function rowOf(email: string, level: number): JsonObject {
  return { id: email, level, user: { email } };
}

it.each([
  [{ enforce_2fa: true, enforce_verified_domains: false }, ["yes", "no", "unknown"]],
  [{ enforce_2fa: null, members_can_use_personal_api_keys: true }, ["no", "unknown", "yes"]],
  [{}, ["unknown", "unknown", "unknown"]],
])("a setting is on, off, or not shown: %j", (values, expected) => {
  const { sso_enforcement: enforcing, ...settings } = accessSettings(values, {});
  expect([Object.values(settings), enforcing]).toEqual([expected, null]);
});

it("a domain that enforces a sign-in is named if it is verified", () => {
  const rows = [
    { domain: "ACME.com", is_verified: true, sso_enforcement: "saml" },
    { domain: "open.example", is_verified: true, sso_enforcement: "" },
    { domain: "new.example", is_verified: false, sso_enforcement: "saml" },
    { domain: "hidden.example", is_verified: true },
  ];
  expect(accessSettings({}, { "domains.list": rows }).sso_enforcement).toEqual([
    { domain: "acme.com", method: "saml" },
    { domain: "hidden.example", method: "unknown" },
  ]);
});
