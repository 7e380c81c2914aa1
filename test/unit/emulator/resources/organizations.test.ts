import { describe, expect, test } from "vitest";
import { FOREIGN, ORG, rows, start } from "../harness.ts";

describe("organizations", () => {
  test("create adds a default project and makes the caller an owner", async () => {
    const { send } = await start();
    const reply = await send("POST", "/api/organizations/", { name: "New" });
    expect(reply.status).toBe(201);
    expect(reply.json).toMatchObject({
      name: "New",
      enforce_2fa: null,
      is_member_join_email_enabled: true,
      membership_level: 15,
      member_count: "1",
      teams: [{ name: "Default project", id: expect.any(Number) }],
    });
  });

  test("the list shows only the caller's organizations", async () => {
    const { send } = await start();
    expect(rows(await send("GET", "/api/organizations/")).map((row) => row["name"])).toEqual(["Acme"]);
  });

  test("a foreign organization is not found", async () => {
    const { send } = await start();
    expect((await send("GET", `/api/organizations/${FOREIGN}/`)).status).toBe(404);
  });

  test.each([
    ["without a name", {}, "required"],
    ["with a blank name", { name: " " }, "blank"],
    ["with a name of another type", { name: 7 }, "invalid_input"],
    ["with null for a name", { name: null }, "null"],
    ["with a name of 65 characters", { name: "x".repeat(65) }, "max_length"],
  ])("create %s is 400", async (_case, body, code) => {
    const { send } = await start();
    const reply = await send("POST", "/api/organizations/", body);
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, code, "name"]);
  });

  test("a boolean as text is 400 in this dialect", async () => {
    const { send } = await start();
    const reply = await send("PATCH", `/api/organizations/${ORG}/`, { enforce_2fa: "yes" });
    expect([reply.status, reply.json["attr"]]).toEqual([400, "enforce_2fa"]);
  });

  test("read-only and unknown fields are ignored", async () => {
    const { send } = await start();
    const before = await send("GET", `/api/organizations/${ORG}/`);
    const after = await send("PATCH", `/api/organizations/${ORG}/`, { slug: "x", member_count: "9", nothing: 1 });
    expect([after.status, after.json["slug"], after.json["member_count"]]).toEqual([200, before.json["slug"], "3"]);
  });

  test("a deleted organization is removed with all its contents", async () => {
    const { emulator, send } = await start();
    emulator.insert("domain", { organization: ORG }, { domain: "a.example" });
    emulator.insert("insight", { project: 2 }, { name: "i" });
    expect((await send("DELETE", `/api/organizations/${ORG}/`)).status).toBe(204);
    expect((await send("GET", `/api/organizations/${ORG}/`)).status).toBe(404);
    expect([...emulator.find("domain"), ...emulator.find("insight")]).toEqual([]);
  });
});
