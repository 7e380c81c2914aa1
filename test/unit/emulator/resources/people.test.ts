import { describe, expect, test } from "vitest";
import { clock, idOf, memberOf, ORG, rows, start, UNKNOWN } from "../harness.ts";

const INVITES = `/api/organizations/${ORG}/invites/`;
const MEMBERS = `/api/organizations/${ORG}/members/`;
const DAY = 24 * 60 * 60 * 1000;

describe("invites", () => {
  test("create returns defaults and embeds the caller as author", async () => {
    const { send } = await start({ now: clock().now });
    const reply = await send("POST", INVITES, { target_email: "New@Example.com" });
    expect(reply.status).toBe(201);
    expect(reply.json).toEqual({
      id: expect.any(String),
      target_email: "New@Example.com",
      first_name: "",
      emailing_attempt_made: false,
      level: 1,
      is_expired: false,
      created_by: expect.objectContaining({ email: "owner@example.com", uuid: expect.any(String) }),
      created_at: "2030-01-01T00:00:00Z",
      updated_at: "2030-01-01T00:00:00Z",
      message: null,
    });
  });

  test("a second invite for an address is kept beside the first", async () => {
    const { send } = await start();
    for (const level of [1, 8]) await send("POST", INVITES, { target_email: "a@b.example", level });
    expect(rows(await send("GET", INVITES)).map((row) => row["level"])).toEqual([8, 1]);
  });

  test.each([
    ["no address", {}, "required", "target_email"],
    ["a bad address", { target_email: "nope" }, "invalid_input", "target_email"],
    ["an unknown level", { target_email: "a@b.example", level: 3 }, "invalid_choice", "level"],
    ["a member's address", { target_email: "MIA@example.com" }, "invalid_input", null],
  ])("create with %s is 400", async (_case, body, code, attr) => {
    const { send } = await start();
    const reply = await send("POST", INVITES, body);
    expect([reply.status, reply.json["code"], reply.json["attr"]]).toEqual([400, code, attr]);
  });

  test("an invite expires after three days and stays in the list", async () => {
    const time = clock();
    const { send } = await start({ now: time.now });
    await send("POST", INVITES, { target_email: "a@b.example" });
    time.pass(3 * DAY);
    expect(rows(await send("GET", INVITES))[0]?.["is_expired"]).toBe(false);
    time.pass(1);
    expect(rows(await send("GET", INVITES))[0]?.["is_expired"]).toBe(true);
  });

  test("expireInvite expires an invite immediately", async () => {
    const { emulator, send } = await start();
    const { json } = await send("POST", INVITES, { target_email: "a@b.example" });
    emulator.expireInvite(idOf(json));
    expect(rows(await send("GET", INVITES))[0]?.["is_expired"]).toBe(true);
  });

  test("bulk accepts one invite or a list of invites", async () => {
    const { send } = await start();
    const one = await send("POST", `${INVITES}bulk/`, { target_email: "a@b.example" });
    const many = await send("POST", `${INVITES}bulk/`, [
      { target_email: "c@b.example" },
      { target_email: "d@b.example" },
    ]);
    expect([one.status, many.status]).toEqual([200, 200]);
    expect(rows(await send("GET", INVITES)).length).toBe(3);
  });

  test("bulk creates no invite if one is invalid", async () => {
    const { emulator, send } = await start();
    const reply = await send("POST", `${INVITES}bulk/`, [{ target_email: "c@b.example" }, { target_email: "bad" }]);
    expect([reply.status, emulator.find("invite")]).toEqual([400, []]);
  });
});

describe("members", () => {
  test("a member's level is changed by the uuid of the user", async () => {
    const { emulator, send } = await start();
    const { id, uuid } = memberOf(emulator, "mia@example.com");
    const reply = await send("PATCH", `${MEMBERS}${uuid}/`, { level: 8 });
    expect([reply.status, reply.json["level"]]).toEqual([200, 8]);
    expect((await send("PATCH", `${MEMBERS}${id}/`, { level: 8 })).status).toBe(404);
  });

  test("an unknown user is 404 and a single member cannot be read", async () => {
    const { send } = await start();
    const replies = [
      await send("PATCH", `${MEMBERS}${UNKNOWN}/`, { level: 1 }),
      await send("GET", `${MEMBERS}${UNKNOWN}/`),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([404, 405]);
  });
});
