/** "No such route" is certain only if the service has answered for the same scope. Nothing follows for the objects either way. */
import { expect, it } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { ApiError } from "../../../src/api/errors/errors.ts";
import { operations } from "../../../src/api/operations/index.ts";
import type { ListRead } from "../../../src/kinds/world.ts";
import { listKey } from "../../../src/model/live.ts";
import { listProblems } from "../../../src/world/list-problems.ts";
import { readLists } from "../../../src/world/read-lists.ts";

const ACME = "a0000000-0000-4000-8000-000000000001";
const IN_ACME = { what: "objects", scope: "acme", path: { organization_id: ACME }, isFull: false } as const;
const PLUGINS: ListRead = { ...IN_ACME, kind: "pipeline_destination" };
const DOMAINS: ListRead = { ...IN_ACME, kind: "domain" };
const WEB: ListRead = { ...IN_ACME, scope: "acme/projects/web", path: { project_id: "2" }, kind: "insight" };

/** Reads through a client whose operations answer 404 with these details; others answer with nothing in them. */
async function read(listings: readonly ListRead[], details: Readonly<Record<string, string>>) {
  const asked: string[] = [];
  const answer = async (operation: keyof typeof operations, id = ""): Promise<void> => {
    asked.push(operation + id);
    await Promise.resolve();
    const detail = details[operation];
    if (detail === undefined) return;
    const { method } = operations[operation];
    const about = { kind: "not_found", status: 404, code: "not_found", attr: null, hint: "Look at it." } as const;
    throw new ApiError({
      ...about,
      operation,
      method,
      path: "/",
      tookEffect: "no",
      detail,
      message: `${operation} failed`,
    });
  };
  const client: Partial<Client> = {
    list: (operation) => answer(operation).then(() => ({ rows: [], pages: 1 })),
    listReduced: (operation, _path, _query, reduce) => answer(operation).then(() => ({ rows: reduce([]), pages: 1 })),
    request: (operation, { path } = {}) =>
      answer(operation, ` ${String(path?.["id"])}`).then(() => ({ status: 200, body: { id: ACME } })),
  };
  const { lists } = await readLists(client as Client, listings);
  const diagnostics = listProblems(lists.values());
  const list = lists.get(listKey(PLUGINS.scope, PLUGINS.kind));
  return {
    asked,
    list: list?.status === "unknown" ? (list.route ?? "unknown") : list?.status,
    codes: diagnostics.map(({ code }) => code),
  };
}

const NO_ROUTE = "Endpoint not found.";
const PLUGINS_LIST = "pipeline_destinations.list";

it.each<[string, readonly ListRead[], Record<string, string>, string, number]>([
  ["beside another list of the organization", [PLUGINS, DOMAINS], {}, "gone", 0],
  ["alone, in an organization that can be read", [PLUGINS], {}, "gone", 1],
  ["in a scope that nothing shows", [PLUGINS], { "organizations.get": "Not found." }, "missing", 1],
  [
    "beside a refused list, in a scope that nothing shows",
    [PLUGINS, DOMAINS],
    { "domains.list": "Not found.", "organizations.get": "Not found." },
    "missing",
    1,
  ],
  ["beside a list of another scope", [PLUGINS, WEB], { "organizations.get": NO_ROUTE }, "missing", 1],
])("a list without a route, %s", async (_name, listings, details, list, proofs) => {
  const found = await read(listings, { [PLUGINS_LIST]: NO_ROUTE, ...details });
  expect(found.list).toBe(list);
  expect(found.codes.length > 0).toBe(list === "missing");
  expect(found.asked.filter((one) => one.startsWith("organizations.get"))).toHaveLength(proofs);
});

it.each(["Not found.", "Organization not found.", "", "endpoint not found"])(
  "a 404 with the detail %j is no missing route",
  async (detail) => {
    const found = await read([PLUGINS, DOMAINS], { [PLUGINS_LIST]: detail });
    expect(found).toMatchObject({ list: "unknown", codes: ["unreadable"] });
    expect(found.asked.some((one) => one.startsWith("organizations.get"))).toBe(false);
  },
);

it("a project is not looked for in the place of its list: there is no such read", async () => {
  const { asked, codes } = await read([WEB], { "insights.list": NO_ROUTE });
  expect(asked).toEqual(["insights.list"]);
  expect(codes).toEqual(["unreadable"]);
});

it("an organization is read by its own id", async () => {
  const { asked } = await read([PLUGINS], { [PLUGINS_LIST]: NO_ROUTE });
  expect(asked).toEqual([PLUGINS_LIST, `organizations.get ${ACME}`]);
});
