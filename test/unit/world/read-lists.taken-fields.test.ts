/** What the rows of a list show about the fields that a service takes, whichever way the list is read. */
import { expect, it } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { operations } from "../../../src/api/operations/index.ts";
import type { ListRead } from "../../../src/kinds/world.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { LookupKeys } from "../../../src/model/live.ts";
import { listProblems } from "../../../src/world/list-problems.ts";
import { readOrganizations } from "../../../src/world/organizations.ts";
import { readLists } from "../../../src/world/read-lists.ts";

const LISTING: ListRead = {
  what: "objects",
  scope: "acme",
  kind: "domain",
  isFull: false,
  path: { organization_id: "o" },
};
function refusal(): ApiError {
  const { method } = operations["organizations.list"];
  const about = { kind: "scope", status: 403, code: null, attr: null, tookEffect: "no", path: "/", hint: "-" } as const;
  return new ApiError({ ...about, operation: "organizations.list", method, message: "refused" });
}
const NOTHING: LookupKeys = { keys: new Set(), pins: new Map(), fields: new Set() };

function clientOf(rows: readonly JsonObject[]): Client {
  const client: Partial<Client> = {
    list: () => Promise.resolve({ rows, pages: 1 }),
    listReduced: (_operation, _path, _query, reduce) => Promise.resolve({ rows: reduce(rows), pages: 1 }),
  };
  return client as Client;
}

async function taken(
  rows: readonly JsonObject[],
  listings: readonly ListRead[],
): Promise<readonly string[] | undefined> {
  const { lists } = await readLists(clientOf(rows), listings);
  const list = lists.get("acme domain");
  return list?.status === "known" && list.taken !== undefined ? [...list.taken] : undefined;
}

it.each<[string, readonly ListRead[]]>([
  ["alone", [LISTING]],
  ["with other rows than the wanted ones reduced", [{ ...LISTING, lookupKeys: NOTHING }]],
  ["for two kinds", [LISTING, { ...LISTING }]],
])("a list that is read %s shows what at least one row has", async (_name, listings) => {
  expect(await taken([{ id: "1" }, { id: "2", saml_entity_id: null }], listings)).toEqual(["/saml_entity_id"]);
  expect(await taken([{ id: "1" }], listings)).toEqual([]);
  expect(await taken([], listings)).toBeUndefined();
});

it("the organizations show it as well", async () => {
  const { list } = await readOrganizations(clientOf([{ id: "o", members_can_invite: null }]), []);
  expect(list).toMatchObject({ taken: new Set(["/members_can_invite"]) });
});

it("organizations that are read by their ids show it too, but not what the list would", async () => {
  const row = { id: "0190aa11-0000-4000-8000-00000000000a", members_can_invite: null };
  const client: Partial<Client> = { ...clientOf([]), request: () => Promise.resolve({ status: 200, body: row }) };
  const { list } = await readOrganizations(client as Client, [row.id]);
  expect(list).toMatchObject({ status: "known", taken: new Set(["/members_can_invite"]) });
  const refused = { ...client, list: () => Promise.reject(refusal()), listReduced: () => Promise.reject(refusal()) };
  const { list: unknown } = await readOrganizations(refused as Client, [row.id]);
  expect(unknown).toMatchObject({ status: "unknown", objects: [{ id: row.id }] });
  expect(unknown).not.toHaveProperty("taken");
});

it.each(["list", "get"])("a mistake in the program is no unreadable %s", async (where) => {
  const mistake = (): Promise<never> => Promise.reject(new TypeError("a mistake"));
  const client: Partial<Client> =
    where === "list" ? { list: mistake, listReduced: mistake } : { ...clientOf([]), request: mistake };
  const listing = where === "list" ? LISTING : { ...LISTING, pins: [{ field: "id", value: "gone" }] };
  await expect(readLists(client as Client, [listing])).rejects.toThrow(TypeError);
});

it("members that stand for accepted invites show nothing about invites", async () => {
  const member = {
    id: "m",
    user: { uuid: "u-1", email: "bob@acme.com", first_name: "Bob" },
    level: 1,
    joined_at: "2026-01-01",
  };
  const lists: Readonly<Record<string, readonly JsonObject[]>> = { "members.list": [member], "invites.list": [] };
  const client: Partial<Client> = {
    list: (operation) => Promise.resolve({ rows: lists[operation] ?? [], pages: 1 }),
    listReduced: (operation, _path, _query, reduce) =>
      Promise.resolve({ rows: reduce(lists[operation] ?? []), pages: 1 }),
  };
  const reading = await readLists(client as Client, [{ ...LISTING, kind: "invite" }]);
  const list = reading.lists.get("acme invite");
  expect(list).toMatchObject({ status: "known", objects: [{ state: "placeholder" }] });
  expect(list).not.toHaveProperty("taken");
});

it.each([
  ["scope", "access_denied"],
  ["auth", "access_denied"],
  ["server", "unreadable"],
] as const)("a list that is refused for %s is %s", async (kind, code) => {
  const { method } = operations["domains.list"];
  const about = { status: 403, code: null, attr: null, tookEffect: "no", path: "/", hint: "-", message: "no" } as const;
  const refuse = (): Promise<never> =>
    Promise.reject(new ApiError({ ...about, kind, operation: "domains.list", method }));
  const { lists } = await readLists({ list: refuse, listReduced: refuse } as Partial<Client> as Client, [LISTING]);
  const diagnostics = listProblems(lists.values());
  expect(diagnostics).toMatchObject([{ code }]);
  expect(lists.get("acme domain")).toMatchObject({ status: "unknown", isDenied: code === "access_denied" });
});

it("a 404 of a list that is only at one place says nothing about its route", async () => {
  const operation = "identity_provider_configs.list";
  const { method } = operations[operation];
  const about = { status: 404, code: null, attr: null, tookEffect: "no", path: "/", hint: "-", message: "no" } as const;
  const refuse = (): Promise<never> => Promise.reject(new ApiError({ ...about, kind: "not_found", operation, method }));
  const listing: ListRead = { ...LISTING, kind: "identity_provider_config" };
  const { lists } = await readLists({ list: refuse, listReduced: refuse } as Partial<Client> as Client, [listing]);
  expect(lists.get("acme identity_provider_config")).not.toHaveProperty("route");
});
