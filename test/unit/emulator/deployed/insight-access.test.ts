import { beforeEach, describe, expect, test } from "vitest";
import { controlSender } from "../control/client.ts";
import { idOf, rows, start, type Send } from "../harness.ts";
import type { Emulator } from "../../../../src/emulator/index.ts";

const I = "/api/projects/2/insights/";
const OWNER = "owner@example.com";
let emulator: Emulator;
let send: Send;

beforeEach(async () => {
  const keys = [{ key: "k" }, { key: "ada", user: "ada@example.com" }];
  ({ emulator, send } = await start({ dialect: "deployed", keys, controlPort: 0 }));
  for (const name of ["seen", "hidden"]) emulator.insert("insight", { project: 2 }, { name });
  emulator.setAccess(2, OWNER, "none");
});

const names = async (key: string): Promise<readonly unknown[]> =>
  rows(await send("GET", `${I}?order=id`, undefined, key)).map((row) => row["name"]);

describe("deployed: an insight that is hidden from a user", () => {
  test("237 is left out of the lists of that user, and counts for nobody there", async () => {
    expect([await names("k"), await names("ada")]).toEqual([["seen"], ["seen", "hidden"]]);
    expect((await send("GET", I)).json["count"]).toBe(1);
  });

  test.each<[string, string, string, unknown]>([
    ["a read", "GET", "viewer", undefined],
    ["an update", "PATCH", "editor", { name: "mine" }],
    ["a restore", "PATCH", "editor", { deleted: false }],
  ])("237 %s is 403 for that user, and for nobody else", async (_name, method, level, body) => {
    const { status, json } = await send(method, `${I}2/`, body);
    expect([status, json["detail"]]).toEqual([403, `You do not have ${level} access to this resource.`]);
    expect((await send(method, `${I}2/`, body, "ada")).status).toBe(200);
  });

  test("237 a deleted one is 404 for everybody", async () => {
    emulator.edit("insight", 2, { deleted: true });
    for (const key of ["k", "ada"]) expect((await send("GET", `${I}2/`, undefined, key)).status).toBe(404);
  });

  test("is seen again if the user gets access, which the control port gives as well", async () => {
    const control = controlSender(emulator);
    expect((await control("POST", "/access/2", { user: OWNER, level: "editor" })).status).toBe(204);
    expect(await names("k")).toEqual(["seen", "hidden"]);
    expect((await control("POST", "/access/2", { user: OWNER, level: "some" })).status).toBe(400);
    expect((await control("POST", "/access/9", { user: OWNER, level: "none" })).status).toBe(400);
  });

  test("may have the name of a new one: names are not unique", async () => {
    const made = await send("POST", I, { name: "hidden" });
    expect([made.status, idOf(made.json)]).toEqual([201, "3"]);
  });
});

test("the document knows no access control of objects", async () => {
  const { emulator: other, send: ask } = await start();
  other.insert("insight", { project: 2 }, { name: "a" });
  other.setAccess(1, OWNER, "none");
  expect((await ask("GET", `${I}1/`)).status).toBe(200);
});
