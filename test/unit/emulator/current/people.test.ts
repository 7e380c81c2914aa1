import { beforeEach, describe, expect, test } from "vitest";
import { idOf, memberOf, ORG, rows, start, type Reply, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const I = `/api/organizations/${ORG}/invites/`;
const M = `/api/organizations/${ORG}/members/`;
const KEYS = [
  { key: "owner" },
  { key: "ada", user: "ada@example.com" },
  { key: "mia", user: "mia@example.com" },
  { key: "reader", scopes: ["organization:read"] },
];
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({ dialect: "current", keys: KEYS }));
});

const shown = ({ status, json }: Reply): unknown[] => [status, json["code"], json["attr"]];

// A number in a test name is that of the fact about today's service.
describe("current: invites", () => {
  test("150 has the fields of today, and hides the two that are only written", async () => {
    const { status, json } = await send("POST", I, {
      target_email: "Bob@Example.com",
      send_email: true,
      combine_pending_invites: false,
    });
    const names =
      "created_at created_by emailing_attempt_made first_name id is_expired level message private_project_access target_email updated_at";
    expect([status, Object.keys(json).toSorted()]).toEqual([201, names.split(" ")]);
    expect(json).toMatchObject({ target_email: "bob@example.com", level: 1, private_project_access: null });
  });

  test("151 an older invite is replaced, or merged into the new one", async () => {
    const access = [{ id: 2, level: "admin" }];
    const sent = { target_email: "b@example.com", level: 8, private_project_access: access };
    const first = await send("POST", I, sent);
    const second = await send("POST", I, { target_email: "B@example.com", combine_pending_invites: true });
    expect(second.json["id"]).not.toBe(first.json["id"]);
    expect(second.json).toMatchObject({ level: 8, private_project_access: access });
    const third = await send("POST", I, { target_email: "b@example.com" });
    expect(third.json).toMatchObject({ level: 1, private_project_access: null });
    expect(rows(await send("GET", I))).toHaveLength(1);
  });

  test("152 an invite that sends nothing says so", async () => {
    const quiet = await send("POST", I, { target_email: "a@example.org", send_email: false });
    const loud = await send("POST", I, { target_email: "b@example.org" });
    expect([quiet, loud].map(({ json }) => json["emailing_attempt_made"])).toEqual([false, true]);
  });

  test("153 members and higher levels are refused", async () => {
    expect(shown(await send("POST", I, { target_email: "mia@example.com" }))).toEqual([400, "invalid_input", null]);
    expect((await send("POST", I, { target_email: "b@example.org", level: 15 }, "ada")).status).toBe(403);
  });

  test.each([
    ["another level", [{ id: 2, level: "editor" }], 'The "level" field must be a valid access level.'],
    ["another project", [{ id: 9, level: "member" }], "Project does not exist on this organization"],
  ])("154 access with %s is refused", async (_case, access, detail) => {
    const refused = await send("POST", I, { target_email: "b@example.org", private_project_access: access });
    expect(shown(refused)).toEqual([400, "invalid_input", "private_project_access"]);
    expect(refused.json["detail"]).toContain(detail);
  });

  test("154 a higher level than one's own is refused, and an empty list is null", async () => {
    const access = [{ id: 2, level: "admin" }];
    const body = { target_email: "b@example.org", private_project_access: access };
    expect((await send("POST", I, body, "mia")).json["detail"]).toContain("higher level than your own");
    const empty = await send("POST", I, { target_email: "b@example.org", private_project_access: [] });
    expect(empty.json["private_project_access"]).toBeNull();
  });

  test("155 an address outside the enforced domains is refused", async () => {
    emulator.insert("domain", { organization: ORG }, { domain: "example.com", is_verified: true });
    emulator.edit("organization", ORG, { enforce_verified_domains: true });
    expect(shown(await send("POST", I, { target_email: "b@else.example" }))[0]).toBe(400);
    expect((await send("POST", `${I}delegate/`, { target_email: "b@else.example" })).status).toBe(400);
    expect((await send("POST", `${I}bulk/`, [{ target_email: "b@else.example" }])).status).toBe(400);
    expect((await send("POST", I, { target_email: "b@example.com" })).status).toBe(201);
  });

  test("156 an address with a plus sign is refused, unless that is switched off", async () => {
    expect((await send("POST", I, { target_email: "b+1@example.org" })).status).toBe(400);
    emulator.setSwitches({ plus_addresses_refused: false });
    expect((await send("POST", I, { target_email: "b+1@example.org" })).status).toBe(201);
  });

  test("157 bulk takes 20, and a delegated invite is one of an admin", async () => {
    const many = Array.from({ length: 21 }, (_, index) => ({ target_email: `b${index}@example.org` }));
    expect(shown(await send("POST", `${I}bulk/`, many))).toEqual([400, "max_length", null]);
    const { status, json } = await send("POST", `${I}delegate/`, { target_email: "B@example.org", message: "hi" });
    expect([status, json["level"], json["target_email"]]).toEqual([201, 8, "b@example.org"]);
    const long = { target_email: "c@example.org", message: "x".repeat(1001) };
    expect((await send("POST", `${I}delegate/`, long)).status).toBe(400);
  });

  test("158 only admins delete", async () => {
    const id = idOf((await send("POST", I, { target_email: "b@example.org" })).json);
    expect((await send("DELETE", I + id, undefined, "mia")).status).toBe(403);
    expect((await send("DELETE", I + id, undefined, "ada")).status).toBe(204);
  });

  test("159 members may be kept from inviting, if the plan has that", async () => {
    emulator.edit("organization", ORG, { members_can_invite: false });
    expect((await send("POST", I, { target_email: "b@example.org" }, "mia")).status).toBe(403);
    expect((await send("POST", I, { target_email: "b@example.org" }, "ada")).status).toBe(201);
    emulator.setSwitches({ plan_limits: true });
    expect((await send("POST", I, { target_email: "c@example.org" }, "mia")).status).toBe(201);
  });

  test("160 create and delete check no scope, bulk does", async () => {
    const made = await send("POST", I, { target_email: "b@example.org" }, "reader");
    expect(made.status).toBe(201);
    expect((await send("POST", `${I}bulk/`, [], "reader")).status).toBe(403);
    expect((await send("DELETE", I + idOf(made.json), undefined, "reader")).status).toBe(204);
  });

  test("161 there is no single invite, the newest comes first, and expired ones are listed", async () => {
    const first = idOf((await send("POST", I, { target_email: "a@example.org" })).json);
    const second = idOf((await send("POST", I, { target_email: "b@example.org" })).json);
    emulator.expireInvite(first);
    expect(rows(await send("GET", I)).map((row) => [idOf(row), row["is_expired"]])).toEqual([
      [second, false],
      [first, true],
    ]);
    expect((await send("GET", I + first)).status).toBe(405);
  });
});

describe("current: members", () => {
  const emails = (reply: Reply): unknown[] => rows(reply).map((row) => row["user"]?.["email"]);

  test("162 has the fields of today", async () => {
    const [row] = rows(await send("GET", M));
    const names =
      "has_social_auth id is_2fa_enabled joined_at last_login level search_match_type updated_at user".split(" ");
    expect(Object.keys(row ?? {}).toSorted()).toEqual(names);
    const user =
      "distinct_id email first_name hedgehog_config id is_email_verified last_name role_at_organization uuid".split(
        " ",
      );
    expect(Object.keys(row?.["user"] ?? {}).toSorted()).toEqual(user);
  });

  test("163 only joined_at orders", async () => {
    emulator.edit("member", memberOf(emulator, "mia@example.com").id, { joined_at: "2020-01-01T00:00:00Z" });
    expect(emails(await send("GET", `${M}?order=joined_at`))[0]).toBe("mia@example.com");
    expect(emails(await send("GET", M)).at(-1)).toBe("mia@example.com");
    expect(emails(await send("GET", `${M}?order=level`)).at(-1)).toBe("mia@example.com");
  });

  test.each([
    ["email=mia@example.com", 1],
    ["email_domain=example.com", 3],
    ["email_domain=else.example", 0],
    ["levels=1,8", 2],
    ["updated_after=2000-01-01T00:00:00Z", 3],
    ["updated_after=2100-01-01T00:00:00Z", 0],
    ["outside_verified_domains=true", 3],
  ])("163 the list by %s has %d", async (query, count) => {
    expect(rows(await send("GET", `${M}?${query}`))).toHaveLength(count);
  });

  test("163 outside_verified_domains leaves out people inside", async () => {
    emulator.insert("domain", { organization: ORG }, { domain: "example.com", is_verified: true });
    expect(rows(await send("GET", `${M}?outside_verified_domains=true`))).toEqual([]);
  });

  test("163 a search prefers exact matches, and has a limit", async () => {
    const exact = rows(await send("GET", `${M}?search=mia`));
    expect(exact.map((row) => row["search_match_type"])).toEqual(["exact"]);
    expect(rows(await send("GET", `${M}?search=miaow`)).map((row) => row["search_match_type"])).toEqual(["similar"]);
    expect(shown(await send("GET", `${M}?search=${"x".repeat(201)}`))).toEqual([400, "invalid_input", "search"]);
  });

  test("164 levels and removal are as before", async () => {
    const { uuid } = memberOf(emulator, "mia@example.com");
    expect((await send("PATCH", M + uuid, { level: 8 })).json["level"]).toBe(8);
    expect((await send("PATCH", `${M}@me/`, { level: 1 })).status).toBe(403);
    expect((await send("DELETE", M + uuid)).status).toBe(204);
  });
});
