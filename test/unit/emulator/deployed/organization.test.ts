import { beforeEach, describe, expect, test } from "vitest";
import { idOf, memberOf, ORG, rows, start, UNKNOWN, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const O = `/api/organizations/${ORG}`;
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  ({ emulator, send } = await start({
    dialect: "deployed",
    keys: [
      { key: "owner", scopes: ["*"] },
      { key: "member", scopes: ["*"], user: "mia@example.com" },
      { key: "admin", scopes: ["*"], user: "ada@example.com" },
      { key: "legacy" },
    ],
  }));
});

const uuid = (email: string): string => memberOf(emulator, email).uuid;

// A number in a test name is that of the observation of a real server which the test repeats.
describe("deployed: organizations", () => {
  test("24 create trims the name and derives a slug", async () => {
    const { status, json } = await send("POST", "/api/organizations/", { name: "  New Org! ", slug: "mine" });
    expect([status, json["name"], json["slug"], json["membership_level"]]).toEqual([201, "New Org!", "new-org", 15]);
  });

  test("26 after a create, @current is the new organization; 32 after its deletion, another one", async () => {
    const { json } = await send("POST", "/api/organizations/", { name: "New" });
    expect((await send("GET", "/api/organizations/@current/")).json["id"]).toBe(json["id"]);
    await send("DELETE", `/api/organizations/${idOf(json)}/`);
    expect((await send("GET", "/api/organizations/@current/")).json["id"]).toBe(ORG);
  });

  test("32 without any organization the list is 404", async () => {
    await send("DELETE", `${O}/`);
    expect((await send("GET", "/api/organizations/")).status).toBe(404);
  });

  test("30 an admin may change it, a plain member may not; 31 only an owner may delete it", async () => {
    const patches = [
      await send("PATCH", `${O}/`, { name: "a" }, "member"),
      await send("PATCH", `${O}/`, { name: "b" }, "admin"),
    ];
    const deletes = [await send("DELETE", `${O}/`, undefined, "admin"), await send("DELETE", `${O}/`)];
    expect([...patches, ...deletes].map((reply) => reply.status)).toEqual([403, 200, 403, 204]);
  });

  test("34 `yes` is a boolean, `maybe` is refused", async () => {
    const replies = [
      await send("PATCH", `${O}/`, { enforce_2fa: "yes" }),
      await send("PATCH", `${O}/`, { enforce_2fa: "maybe" }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 400]);
    expect(replies[0]?.json["enforce_2fa"]).toBe(true);
  });

  test("member_count is a number and metadata an object", async () => {
    expect((await send("GET", `${O}/`)).json).toMatchObject({ member_count: 3, metadata: { instance_tag: "none" } });
  });
});

describe("deployed: domains", () => {
  const D = `${O}/domains/`;

  test("41 create drops jit, sso and all read-only fields", async () => {
    const body = {
      domain: "a.example.com",
      jit_provisioning_enabled: true,
      sso_enforcement: "saml",
      verified_at: "2020-01-01T00:00:00Z",
    };
    const { status, json } = await send("POST", D, body);
    expect([status, json["jit_provisioning_enabled"], json["sso_enforcement"], json["verified_at"]]).toEqual([
      201,
      false,
      "",
      null,
    ]);
  });

  test.each(["B.Example.com", "test@x.com", "--alpha.com", "one.two.c"])("43 %s is not a domain", async (domain) => {
    const reply = await send("POST", D, { domain });
    expect([reply.status, reply.json["attr"]]).toEqual([400, "domain"]);
  });

  test("44 a domain is trimmed; 45 129 characters are too long", async () => {
    expect((await send("POST", D, { domain: "  c.example.com " })).json["domain"]).toBe("c.example.com");
    expect((await send("POST", D, { domain: `${"x".repeat(125)}.com` })).json["code"]).toBe("max_length");
  });

  test.each([
    ["sso_enforcement", "saml"],
    ["sso_enforcement", ""],
    ["jit_provisioning_enabled", false],
  ])("46, 47 %s = %j is refused before verification, even unchanged", async (field, value) => {
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example.com" });
    const reply = await send("PATCH", `${D}${id}/`, { [field]: value });
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, "verification_required", field]);
  });

  test("a verified domain accepts them", async () => {
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example.com", is_verified: true });
    expect((await send("PATCH", `${D}${id}/`, { sso_enforcement: "saml" })).json["sso_enforcement"]).toBe("saml");
  });

  test("50 without the DNS record the domain stays unverified; a verified domain is 400", async () => {
    const { id } = emulator.insert("domain", { organization: ORG }, { domain: "a.example.com" });
    const first = await send("POST", `${D}${id}/verify/`, {}, "legacy");
    emulator.edit("domain", id, { is_verified: true });
    const second = await send("POST", `${D}${id}/verify/`, {}, "legacy");
    expect([first.json["is_verified"], second.status, second.json["code"]]).toEqual([false, 400, "already_verified"]);
  });

  test("51 a plain member may read but not write", async () => {
    const replies = [
      await send("GET", D, undefined, "member"),
      await send("POST", D, { domain: "m.example.com" }, "member"),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 403]);
  });
});

describe("deployed: invites", () => {
  const I = `${O}/invites/`;

  test("55 the address is converted to lower case", async () => {
    expect((await send("POST", I, { target_email: "New@Example.COM" })).json["target_email"]).toBe("new@example.com");
  });

  test("56 a second invite for an address replaces the first", async () => {
    const first = await send("POST", I, { target_email: "a@b.example", level: 8 });
    const second = await send("POST", I, { target_email: "A@b.example" });
    expect([second.status, second.json["id"] === first.json["id"]]).toEqual([201, false]);
    expect(rows(await send("GET", I))).toMatchObject([{ id: second.json["id"], level: 1 }]);
  });

  test("58 an invite above the caller's own level is refused", async () => {
    expect((await send("POST", I, { target_email: "h@b.example", level: 8 }, "member")).status).toBe(403);
  });

  test.each([
    ["60 an object", { target_email: "z@b.example" }, 400, "invalid_input"],
    [
      "63 twenty-one invites",
      Array.from({ length: 21 }, (_, index) => ({ target_email: `q${index}@b.example` })),
      400,
      "max_length",
    ],
    ["64 one bad invite", [{ target_email: "z@b.example" }, { target_email: "bad" }], 400, "{}"],
  ])("bulk: %s is refused and creates nothing", async (_case, body, status, code) => {
    const reply = await send("POST", `${I}bulk/`, body);
    expect([reply.status, reply.json["code"], emulator.find("invite")]).toEqual([status, code, []]);
  });

  test("61, 62 bulk answers 201 with an array, even if it is empty", async () => {
    const replies = [
      await send("POST", `${I}bulk/`, [{ target_email: "z@b.example" }]),
      await send("POST", `${I}bulk/`, []),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([201, 201]);
    expect(replies[0]?.json).toMatchObject([{ target_email: "z@b.example" }]);
  });

  test("65 a plain member may delete an invite; a malformed id is 404", async () => {
    const { id } = emulator.insert("invite", { organization: ORG }, { target_email: "a@b.example" });
    const replies = [await send("DELETE", `${I}${id}/`, undefined, "member"), await send("DELETE", `${I}zz/`)];
    expect(replies.map((reply) => reply.status)).toEqual([204, 404]);
  });
});

describe("deployed: members", () => {
  const M = `${O}/members/`;

  test.each([
    ["69 an owner makes a member an admin", "owner", "mia@example.com", { level: 8 }, 200],
    ["69 a level may be text", "owner", "mia@example.com", { level: "8" }, 200],
    ["69 an empty body changes nothing", "owner", "mia@example.com", {}, 200],
    ["70 members cannot change their own level", "owner", "owner@example.com", { level: 8 }, 403],
    ["71 a plain member cannot change other members", "member", "owner@example.com", { level: 1 }, 403],
    ["72 an admin cannot make an owner", "admin", "mia@example.com", { level: 15 }, 403],
    ["73 an owner makes a second owner", "owner", "mia@example.com", { level: 15 }, 200],
    ["an admin cannot lower the level of an owner", "admin", "owner@example.com", { level: 1 }, 403],
  ])("%s", async (_case, key, email, body, status) => {
    expect((await send("PATCH", `${M}${uuid(email)}/`, body, key)).status).toBe(status);
  });

  test("74 an unknown uuid is 404, a malformed one 500", async () => {
    const replies = [
      await send("PATCH", `${M}${UNKNOWN}/`, { level: 8 }),
      await send("PATCH", `${M}zz/`, { level: 8 }),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([404, 500]);
  });

  test("75 @me is the caller, who may leave; only an admin may remove others", async () => {
    const path = `${M}${uuid("mia@example.com")}/`;
    expect((await send("PATCH", `${M}@me/`, { level: 1 })).status).toBe(403);
    expect((await send("DELETE", `${M}${uuid("ada@example.com")}/`, undefined, "member")).status).toBe(403);
    expect((await send("DELETE", path, undefined, "admin")).status).toBe(204);
    expect((await send("DELETE", `${M}@me/`, undefined, "admin")).status).toBe(204);
  });

  test("76 the list can be filtered by e-mail address", async () => {
    expect(rows(await send("GET", `${M}?email=ada@example.com`))).toMatchObject([{ level: 8 }]);
  });

  test("an unknown order is 500", async () => {
    expect((await send("GET", `${M}?order=nope`)).status).toBe(500);
  });
});
