import { afterEach, describe, expect, test } from "vitest";
import { defineResource, type ResourceDefinition } from "../../../../src/emulator/resource.ts";
import { defineTable, type Row } from "../../../../src/emulator/store/table.ts";
import { notFound } from "../../../../src/emulator/http/errors.ts";
import { objectBody } from "../../../../src/emulator/http/body.ts";
import { organizationOf, textId } from "../../../../src/emulator/resources/scope.ts";
import { organizationRoute } from "../../../../src/emulator/http/route.ts";
import { ORG, rows, sender, UNKNOWN, type Send } from "../harness.ts";
import { page } from "../../../../src/emulator/http/page.ts";
import { readFields, required, text } from "../../../../src/emulator/http/fields.ts";
import { RESOURCES } from "../../../../src/emulator/resources/registry.ts";
import { startEmulatorWith } from "../../../../src/emulator/emulator.ts";
import type { Authenticated } from "../../../../src/emulator/http/call.ts";
import type { Emulator, EmulatorOptions } from "../../../../src/emulator/index.ts";
import type { Organization } from "../../../../src/emulator/resources/organization/record.ts";

interface Toy extends Row {
  readonly id: string;
  readonly organization_id: string;
  readonly name: string;
}

const FIELDS = { name: required(text()) };
const toyTable = defineTable<Toy>((row) => row.organization_id);

function target({ service, params }: Authenticated, owner: Organization): Toy {
  const row = toyTable(service).get(params["id"] ?? "");
  if (row === undefined || row.organization_id !== owner.id) throw notFound();
  return row;
}

/** A complete resource that only this file defines, with routes and a seed. */
const toy = defineResource({
  name: "toy",
  table: toyTable,
  livesIn: "organization",
  controlled: true,
  requests: { budget: "insights", unauthenticated: 403 },
  routes: [
    organizationRoute("toys", {
      GET: {
        scope: "toy:read",
        run: (call, owner) => page(call, toyTable(call.service).within(owner.id), (row) => row),
      },
      POST: {
        scope: "toy:write",
        run(call, owner) {
          const { name = "" } = readFields(objectBody(call), FIELDS, { lenient: false, partial: false });
          const body = toyTable(call.service).put({ id: call.service.ids.uuid(), organization_id: owner.id, name });
          return { status: 201, body };
        },
      },
    }),
    organizationRoute("toys/:id", {
      GET: { scope: "toy:read", run: (call, owner) => ({ status: 200, body: target(call, owner) }) },
      PATCH: {
        scope: "toy:write",
        run(call, owner) {
          const values = readFields(objectBody(call), FIELDS, { lenient: false, partial: true });
          return { status: 200, body: toyTable(call.service).put({ ...target(call, owner), ...values }) };
        },
      },
      DELETE: {
        scope: "toy:write",
        run(call, owner) {
          toyTable(call.service).remove(target(call, owner).id);
          return { status: 204 };
        },
      },
    }),
  ],
  insert: (service, scope, values) =>
    toyTable(service).put({
      id: service.ids.uuid(),
      ...textId(values),
      organization_id: organizationOf(service, scope),
      name: "toy",
    }),
  seed: { list: "toys", within: ["organization"], needed: ["name"] },
}) satisfies ResourceDefinition;

const SEED = { organizations: [{ id: ORG, name: "Acme", toys: [{ id: "t1", name: "Bear" }] }] };
const BASE = `/api/organizations/${ORG}/toys/`;
const running: Emulator[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map((emulator) => emulator.close()));
});

async function start(options: EmulatorOptions = {}): Promise<{ emulator: Emulator; send: Send }> {
  const emulator = await startEmulatorWith([...RESOURCES, toy], { seed: SEED, controlPort: 0, ...options });
  running.push(emulator);
  return { emulator, send: sender(emulator) };
}

/** Sends a request to the control port. */
async function control({ controlUrl = "" }: Emulator, method: string, path: string, body?: object): Promise<unknown> {
  const response = await fetch(`${controlUrl}${path}`, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.text();
  return answer === "" ? response.status : JSON.parse(answer);
}

describe("a resource that only its own definition names", () => {
  test("is created, listed, read, changed and deleted over HTTP", async () => {
    const { send } = await start({ seed: { organizations: [{ id: ORG, name: "Acme" }] } });
    const made = await send("POST", BASE, { name: "Ball" });
    expect(made.status).toBe(201);
    const [row] = rows(await send("GET", BASE));
    expect(row).toEqual(made.json);
    const path = `${BASE}${JSON.parse(JSON.stringify(made.json["id"]))}/`;
    expect((await send("GET", path)).json).toEqual(made.json);
    expect((await send("PATCH", path, { name: "Kite" })).json).toEqual({ ...made.json, name: "Kite" });
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).status).toBe(404);
    expect(rows(await send("GET", BASE))).toEqual([]);
  });

  test("checks fields, methods, scopes and the parent", async () => {
    const { send } = await start({ keys: [{ key: "all" }, { key: "reader", scopes: ["toy:read"] }] });
    expect((await send("POST", BASE, {})).json).toMatchObject({ code: "required", attr: "name" });
    expect((await send("PUT", BASE, {})).status).toBe(405);
    expect((await send("GET", BASE, undefined, "reader")).status).toBe(200);
    expect((await send("POST", BASE, { name: "x" }, "reader")).status).toBe(403);
    expect((await send("GET", `/api/organizations/${UNKNOWN}/toys/`)).status).toBe(404);
  });

  test("has its own request rules: the budget and the answer to a missing key", async () => {
    const { send } = await start({ dialect: "deployed", rateLimits: { general: 100, insights: 1 } });
    expect((await send("GET", BASE, undefined, null)).status).toBe(403);
    expect((await send("GET", BASE)).status).toBe(200);
    expect((await send("GET", BASE)).status).toBe(429);
    expect((await send("GET", `/api/organizations/${ORG}/domains/`)).status).toBe(200);
  });

  test("is planted from a seed, and seeds are checked for it", async () => {
    const { send } = await start();
    expect(rows(await send("GET", BASE))).toEqual([{ id: "t1", organization_id: ORG, name: "Bear" }]);
    const wrong = { organizations: [{ name: "Acme", toys: [{}] }] };
    await expect(start({ seed: wrong })).rejects.toThrow("/organizations/0/toys/0/name: a text is needed here.");
  });

  test("is unknown to an emulator without its definition", async () => {
    await expect(startEmulatorWith(RESOURCES, { seed: SEED })).rejects.toThrow(
      "/organizations/0/toys: there is no such field",
    );
  });

  test("is a kind of the control interface, and part of a dump", async () => {
    const { emulator } = await start();
    const scope = { organization: ORG };
    expect(await control(emulator, "POST", "/objects/toy", { scope, values: { id: "t2", name: "Car" } })).toEqual({
      id: "t2",
      organization_id: ORG,
      name: "Car",
    });
    expect(await control(emulator, "PATCH", "/objects/toy/t2", { name: "Van" })).toMatchObject({ name: "Van" });
    expect(await control(emulator, "DELETE", "/objects/toy/t1")).toBe(204);
    const left = [{ id: "t2", organization_id: ORG, name: "Van" }];
    expect(await control(emulator, "GET", "/objects/toy")).toEqual(left);
    expect(await control(emulator, "GET", "/dump")).toMatchObject({ toy: left });
  });

  test("is removed together with its organization", async () => {
    const { emulator } = await start();
    emulator.remove("organization", ORG);
    expect(await control(emulator, "GET", "/objects/toy")).toEqual([]);
  });

  test("a stale read shows it as before the last write", async () => {
    const { emulator, send } = await start();
    await send("POST", BASE, { name: "Ball" });
    emulator.faults.add({ path: "/toys", fault: { type: "stale-read" } });
    expect(rows(await send("GET", BASE))).toHaveLength(1);
  });
});
