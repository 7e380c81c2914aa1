import { describe, expect, it, vi } from "vitest";
import type { Client } from "../../../src/api/client.ts";
import { ApiError, type ApiErrorFields } from "../../../src/api/errors/errors.ts";
import { operations, type OperationName } from "../../../src/api/operations/index.ts";
import type { ListRead } from "../../../src/kinds/world.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { listKey, type ScopePath } from "../../../src/model/live.ts";
import { listProblems } from "../../../src/world/list-problems.ts";
import { readOrganizations } from "../../../src/world/organizations.ts";
import { readLists } from "../../../src/world/read-lists.ts";

const ACME = { id: "a0000000-0000-4000-8000-000000000001", name: "Acme Inc" };
const BETA = { id: "b0000000-0000-4000-8000-000000000002", name: "Beta" };
const PATHS: Readonly<Record<string, ScopePath>> = {
  acme: { organization_id: ACME.id },
  beta: { organization_id: BETA.id },
  "acme/projects/web": { project_id: "2" },
};

function refused(operation: OperationName, fields: Partial<ApiErrorFields> = {}): ApiError {
  const { method } = operations[operation];
  const common = { kind: "server", status: 500, code: null, attr: null, tookEffect: "maybe", path: "/" } as const;
  return new ApiError({ ...common, operation, method, hint: "Look at it.", message: `${operation} failed`, ...fields });
}

/** A client with fixed lists and objects, or errors instead of them. `asked` lists its requests. */
function clientOf(
  lists: Readonly<Record<string, readonly JsonObject[] | Error>>,
  single: Readonly<Record<string, unknown>> = {},
) {
  const asked: string[] = [];
  const client: Partial<Client> = {
    list: async (operation, path, query = {}) => {
      asked.push(`${operation} ${JSON.stringify({ ...path, ...query })}`);
      await Promise.resolve();
      const rows = lists[operation] ?? [];
      if (rows instanceof Error) throw rows;
      return { rows, pages: 1 };
    },
    listReduced: async (operation, path, query, reduce) => {
      asked.push(`${operation} ${JSON.stringify({ ...path, ...query })}`);
      await Promise.resolve();
      const rows = lists[operation] ?? [];
      if (rows instanceof Error) throw rows;
      return { rows: reduce(rows), pages: 1 };
    },
    request: async (operation, { path = {} } = {}) => {
      asked.push(`${operation} ${JSON.stringify(path)}`);
      await Promise.resolve();
      const found = single[path["id"] ?? ""] ?? refused(operation, { kind: "not_found", status: 404 });
      if (found instanceof Error) throw found;
      return { status: 200, body: found as JsonObject };
    },
  };
  return { client: client as Client, asked };
}

const listing = (scope: string, kind: ListRead["kind"], isFull = false): ListRead => ({
  what: "objects",
  scope,
  kind,
  isFull,
  path: PATHS[scope] ?? {},
});

describe("objects that are read by their ids", () => {
  const rows = { 7: { id: 7, name: "S" }, 8: { id: 8, name: "T" } };
  const chosen = (...ids: readonly string[]) => ({ ...listing("acme/projects/web", "insight"), ids });

  it("need no list, and report how they were read", async () => {
    const { client, asked } = clientOf({}, rows);
    const { lists, stats: notes } = await readLists(client, [chosen("7", "8")]);
    const diagnostics = listProblems(lists.values());
    expect(lists.get("acme/projects/web insight")).toMatchObject({
      status: "known",
      objects: [
        { scope: "acme/projects/web", id: "7", keys: ["S"] },
        { scope: "acme/projects/web", id: "8", keys: ["T"] },
      ],
    });
    expect(asked).toEqual(['insights.get {"project_id":"2","id":"7"}', 'insights.get {"project_id":"2","id":"8"}']);
    expect(notes).toEqual([
      {
        scope: "acme/projects/web",
        operation: "insights.list",
        kinds: ["insight"],
        pages: 0,
        rows: 2,
        isTrimmed: false,
      },
    ]);
    expect(diagnostics).toEqual([]);
  });

  it.each<[string, Readonly<Record<string, unknown>>]>([
    ["is not found, which proves nothing", { 7: rows[7] }],
    ["is another one than was asked for", { ...rows, 8: { id: 9, name: "U" } }],
    ["comes back without an id", { ...rows, 8: { name: "T" } }],
    ["comes back as nothing that can be read", { ...rows, 8: "T" }],
    ["could not be read", { ...rows, 8: refused("insights.get") }],
  ])("are taken from the list if one %s", async (_name, single) => {
    const listed = [rows[7], rows[8]];
    const { client, asked } = clientOf({ "insights.list": listed }, single);
    const { lists, stats: notes } = await readLists(client, [chosen("7", "8")]);
    expect(lists.get("acme/projects/web insight")?.objects.map(({ id }) => id)).toEqual(["7", "8"]);
    expect(asked.at(-1)).toBe('insights.list {"project_id":"2"}');
    expect(notes).toMatchObject([{ operation: "insights.list", pages: 1, rows: 2 }]);
  });

  it("are not the whole list", async () => {
    const { lists } = await readLists(clientOf({}, rows).client, [chosen("7")]);
    expect(lists.get("acme/projects/web insight")).toMatchObject({ isPart: true });
  });

  it("end the run if their read is a defect", async () => {
    const { client } = clientOf({}, { 7: new Error("defect") });
    await expect(readLists(client, [chosen("7")])).rejects.toThrow("defect");
  });

  it("are taken from the list if the kind has no read by id", async () => {
    const { client, asked } = clientOf({ "invites.list": [{ id: "i", target_email: "a@b.c" }] });
    const { lists } = await readLists(client, [{ ...listing("acme", "invite"), ids: ["i"] }]);
    expect(lists.get("acme invite")?.objects.map(({ id }) => id)).toEqual(["i"]);
    expect(asked.map((line) => line.split(" ")[0])).toEqual(["invites.list", "members.list"]);
  });
});

describe("a world", () => {
  it("holds each kind in each scope, made from the rows of its own scope", async () => {
    const { client, asked } = clientOf({
      "domains.list": [{ id: "d", domain: "a.com" }],
      "insights.list": [{ id: 7, name: "S" }],
    });
    const { lists } = await readLists(client, [
      listing("acme", "domain"),
      listing("beta", "domain"),
      listing("acme/projects/web", "insight"),
    ]);
    const diagnostics = listProblems(lists.values());
    expect([...lists.keys()]).toEqual(["acme domain", "beta domain", "acme/projects/web insight"]);
    expect(lists.get("beta domain")).toMatchObject({
      status: "known",
      objects: [{ scope: "beta", id: "d", keys: ["a.com"] }],
    });
    expect(lists.get("acme/projects/web insight")).toMatchObject({
      status: "known",
      objects: [{ id: "7", keys: ["S"] }],
    });
    expect(diagnostics).toEqual([]);
    expect(asked).toEqual([
      `domains.list {"organization_id":"${ACME.id}"}`,
      `domains.list {"organization_id":"${BETA.id}"}`,
      'insights.list {"project_id":"2"}',
    ]);
  });

  it("assembles a kind from all its lists, and reads a shared list once", async () => {
    const { client, asked } = clientOf({
      "members.list": [{ id: "m", level: 15, user: { uuid: "u", email: "ada@acme.com" } }],
      "invites.list": [{ id: "i", target_email: "bob@acme.com", level: 1 }],
    });
    const { lists } = await readLists(client, [
      listing("acme", "membership"),
      listing("acme", "member"),
      listing("acme", "invite"),
    ]);
    const keys = (key: string) => lists.get(key)?.objects.map((live) => live.keys[0]);
    expect(keys("acme membership")).toEqual(["ada@acme.com", "bob@acme.com"]);
    expect(keys("acme member")).toEqual(["ada@acme.com"]);
    expect(asked.map((line) => line.split(" ")[0])).toEqual(["members.list", "invites.list"]);
  });

  it("distinguishes an organization's own plugins from those of others by its id", async () => {
    const rows = [
      { id: 5, name: "Own", organization_id: ACME.id },
      { id: 6, name: "Theirs", organization_id: BETA.id },
    ];
    const { client } = clientOf({ "pipeline_destinations.list": rows });
    const { lists } = await readLists(client, [listing("acme", "pipeline_destination")]);
    expect(lists.get("acme pipeline_destination")?.objects.map(({ id }) => id)).toEqual(["5"]);
  });

  it("requests a full list only if it is needed", async () => {
    const { client, asked } = clientOf({});
    await readLists(client, [listing("acme/projects/web", "insight", true), listing("acme", "domain")]);
    expect(asked).toEqual([
      'insights.list {"project_id":"2","basic":false,"limit":50}',
      `domains.list {"organization_id":"${ACME.id}"}`,
    ]);
  });

  it.each<[string, Partial<ApiErrorFields>, boolean, string]>([
    ["a failure", {}, false, "unreadable"],
    ["a list that is not whole", { kind: "incomplete", status: 200 }, false, "unreadable"],
    ["a 404", { kind: "not_found", status: 404 }, false, "unreadable"],
    ["a key that is not valid", { kind: "auth", status: 401 }, true, "access_denied"],
    ["a key without the scope", { kind: "scope", status: 403 }, true, "access_denied"],
  ])(
    "after %s a kind is unknown with a reason and address, and the others are not affected",
    async (_name, fields, denied, code) => {
      const { client } = clientOf({ "domains.list": refused("domains.list", fields), "invites.list": [] });
      const { lists } = await readLists(client, [listing("acme", "domain"), listing("acme", "invite")]);
      const diagnostics = listProblems(lists.values());
      const message = "domains.list failed";
      expect(lists.get("acme domain")).toMatchObject({
        status: "unknown",
        reason: message,
        isDenied: denied,
        objects: [],
      });
      expect(lists.get("acme invite")).toEqual({ status: "known", objects: [] });
      expect(diagnostics).toEqual([{ severity: "error", code, message, hint: "Look at it.", address: "acme" }]);
    },
  );

  it("reports all scopes that the key lacks as one problem, each once", async () => {
    const lacking = (operation: OperationName, missingPermission: string): ApiError =>
      refused(operation, { kind: "scope", status: 403, missingPermission });
    const { client } = clientOf({
      "invites.list": lacking("invites.list", "organization_member:read"),
      "domains.list": lacking("domains.list", "organization:read"),
      "members.list": lacking("members.list", "organization_member:read"),
    });
    const listings = [listing("acme", "invite"), listing("acme", "domain"), listing("acme", "member")];
    const { lists } = await readLists(client, listings);
    const diagnostics = listProblems(lists.values());
    expect([...lists.values()].map(({ status }) => status)).toEqual(["unknown", "unknown", "unknown"]);
    expect(diagnostics.map(({ code, hint }) => [code, hint])).toEqual([
      ["access_denied", "Give the API key the scopes organization:read and organization_member:read."],
    ]);
  });

  it.each<[string, ApiErrorFields["kind"], ListRead, string | undefined]>([
    [
      "a 404 of an operation that the document lacks",
      "not_found",
      listing("acme/projects/web", "batch_export"),
      "undocumented",
    ],
    ["another failure of such an operation", "server", listing("acme/projects/web", "batch_export"), undefined],
    ["a 404 of an operation that the document shows", "not_found", listing("acme", "batch_export"), undefined],
  ])(
    "marks the route of a list as undocumented only after a 404 of such an operation: %s",
    async (_name, kind, one, route) => {
      const { client } = clientOf({
        "batch_exports.list": refused("batch_exports.list", { kind }),
        "project_batch_exports.list": refused("project_batch_exports.list", { kind }),
      });
      const { lists } = await readLists(client, [one]);
      const list = lists.get(listKey(one.scope, one.kind));
      expect(list).toMatchObject({ status: "unknown" });
      expect(list?.status === "unknown" && list.route).toBe(route);
    },
  );

  it("reports a list that several kinds need once", async () => {
    const { client } = clientOf({ "members.list": refused("members.list") });
    const { lists } = await readLists(client, [listing("acme", "member"), listing("acme", "membership")]);
    const diagnostics = listProblems(lists.values());
    expect([...lists.values()].map(({ status }) => status)).toEqual(["unknown", "unknown"]);
    expect(diagnostics).toHaveLength(1);
  });

  it("reports each list that cannot be read", async () => {
    const { client } = clientOf({
      "domains.list": refused("domains.list"),
      "batch_exports.list": refused("batch_exports.list"),
    });
    const { lists } = await readLists(client, [listing("acme", "domain"), listing("acme", "batch_export")]);
    const diagnostics = listProblems(lists.values());
    expect(diagnostics.map(({ message }) => message)).toEqual(["domains.list failed", "batch_exports.list failed"]);
  });

  it("does not treat a bug as an answer of the service", async () => {
    const { client } = clientOf({ "domains.list": new TypeError("defect") });
    await expect(readLists(client, [listing("acme", "domain")])).rejects.toThrow("defect");
  });

  it.each<[string, [Partial<ApiErrorFields>, Partial<ApiErrorFields>], number]>([
    ["once if it is refused for every list", [{ kind: "auth" }, { kind: "auth" }], 1],
    ["again with another hint", [{ kind: "auth" }, { kind: "auth", hint: "Renew it." }], 2],
    ["besides another failure with its hint", [{ kind: "server" }, { kind: "auth" }], 2],
  ])("reports a key that is not accepted %s", async (_name, [first, second], count) => {
    const { client } = clientOf({
      "domains.list": refused("domains.list", first),
      "batch_exports.list": refused("batch_exports.list", second),
    });
    const listings = [listing("acme", "domain"), listing("acme", "batch_export")];
    const { lists } = await readLists(client, listings);
    const diagnostics = listProblems(lists.values());
    expect(diagnostics).toHaveLength(count);
  });

  it.each([
    [true, true],
    [false, false],
  ])("says to check the id of a list that is not found, if ids were given: %s", async (hasGivenIds, isChecked) => {
    const { client } = clientOf({ "domains.list": refused("domains.list", { kind: "not_found", status: 404 }) });
    const { lists } = await readLists(client, [{ ...listing("acme", "domain"), hasGivenIds }]);
    const diagnostics = listProblems(lists.values());
    expect(diagnostics.map(({ hint }) => hint !== "Look at it.")).toEqual([isChecked]);
  });

  it("requests long lists in pages of the wanted size, and hands over the rows of each list", async () => {
    const rows = { "domains.list": [{ id: "d", domain: "a.com" }], "insights.list": [{ id: 7, name: "S" }] };
    const { client, asked } = clientOf(rows);
    const received: unknown[] = [];
    const { lists } = await readLists(client, [listing("acme", "domain"), listing("acme/projects/web", "insight")], {
      pageSize: 7,
      onRows: (found, { scope, kind }) => void received.push([scope, kind, found]),
    });
    expect(asked).toEqual([
      `domains.list {"organization_id":"${ACME.id}"}`,
      'insights.list {"project_id":"2","limit":7}',
    ]);
    expect(received).toEqual([
      ["acme", "domain", { "domains.list": rows["domains.list"] }],
      ["acme/projects/web", "insight", { "insights.list": rows["insights.list"] }],
    ]);
    expect(lists.get("acme domain")?.objects).toHaveLength(1);
  });

  it("leaves the size of a page to the client", async () => {
    const { client } = clientOf({});
    const list = vi.spyOn(client, "listReduced");
    await readLists(client, [listing("acme", "domain")]);
    expect(list.mock.calls.map(([, , query]) => Object.keys(query ?? {}))).toEqual([[]]);
  });
});

describe("a list with lookup keys", () => {
  const lookupKeys = {
    keys: new Set(["a.com"]),
    pins: new Map<string, ReadonlySet<string>>(),
    fields: new Set<string>(),
  };
  const rows = {
    "domains.list": [
      { id: "1", domain: "a.com", sso_enforcement: "saml" },
      { id: "2", domain: "b.com", sso_enforcement: "saml" },
    ],
    "members.list": [{ id: "m", level: 15, user: { uuid: "u", email: "ada@acme.com" } }],
  };

  it("reduces the other objects to their identity, and reports that", async () => {
    const { client, asked } = clientOf(rows);
    const { lists, stats: notes } = await readLists(client, [{ ...listing("acme", "domain"), lookupKeys }]);
    expect(lists.get("acme domain")?.objects.map(({ id, values }) => [id, values])).toEqual([
      ["1", { domain: "a.com", sso_enforcement: "saml" }],
      ["2", {}],
    ]);
    expect(asked).toEqual([`domains.list {"organization_id":"${ACME.id}"}`]);
    expect(notes).toEqual([
      { scope: "acme", operation: "domains.list", kinds: ["domain"], pages: 1, rows: 2, isTrimmed: true },
    ]);
  });

  it("is kept in full without lookup keys", async () => {
    const { client } = clientOf(rows);
    const { stats: notes } = await readLists(client, [listing("acme", "domain")]);
    expect(notes).toEqual([
      { scope: "acme", operation: "domains.list", kinds: ["domain"], pages: 1, rows: 2, isTrimmed: false },
    ]);
  });

  it("is kept in full, and read once, if several kinds share it or a kind needs several lists", async () => {
    const shared = clientOf(rows);
    const both = [listing("acme", "member"), listing("acme", "membership")].map((one) => ({ ...one, lookupKeys }));
    const { lists, stats: notes } = await readLists(shared.client, both);
    expect(lists.get("acme membership")?.objects).toMatchObject([{ values: { level: 15 } }]);
    expect(lists.get("acme member")?.objects).toMatchObject([{ values: { level: 15 } }]);
    expect(shared.asked.map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      `members.list {"organization_id":"${ACME.id}"}`,
      `invites.list {"organization_id":"${ACME.id}"}`,
    ]);
    expect(notes.map(({ operation, kinds, isTrimmed: reduced }) => [operation, kinds, reduced])).toEqual([
      ["members.list", ["member", "membership"], false],
      ["invites.list", ["membership"], false],
    ]);
    const alone = clientOf(rows);
    const { lists: found } = await readLists(alone.client, [{ ...listing("acme", "membership"), lookupKeys }]);
    expect(found.get("acme membership")?.objects).toMatchObject([{ values: { level: 15 } }]);
  });
});

describe("the organizations", () => {
  const read = async (...given: Parameters<typeof clientOf>) => {
    const { client, asked } = clientOf(...given);
    const ofPins = async (...pins: readonly string[]) => {
      const { list } = await readOrganizations(client, pins);
      const diagnostics = listProblems([list]);
      return { status: list.status, ids: list.objects.map(({ id }) => id), diagnostics, list };
    };
    return { ofPins, asked };
  };

  it("are those that the key can access", async () => {
    const { ofPins, asked } = await read({ "organizations.list": [ACME, BETA] });
    expect(await ofPins()).toMatchObject({ status: "known", ids: [ACME.id, BETA.id], diagnostics: [] });
    expect(asked).toEqual(["organizations.list {}"]);
  });

  it("include pinned ones that the list lacks, each read by id, and no other", async () => {
    const { ofPins, asked } = await read({ "organizations.list": [ACME] }, { [BETA.id]: BETA });
    const found = await ofPins(ACME.id.toUpperCase(), BETA.id);
    expect(found).toMatchObject({ status: "known", ids: [ACME.id, BETA.id], diagnostics: [] });
    expect(found.list.objects[1]).toMatchObject({ kind: "organization", scope: "", keys: ["Beta"] });
    expect(asked).toEqual(["organizations.list {}", `organizations.get {"id":"${BETA.id}"}`]);
  });

  it("report their rows, also of those that are read by id", async () => {
    const { client } = clientOf({ "organizations.list": [ACME] }, { [BETA.id]: BETA });
    const rows: unknown[] = [];
    await readOrganizations(client, [BETA.id], { onRows: (listed) => rows.push(listed["organizations.list"]) });
    expect(rows).toEqual([[ACME], [BETA]]);
  });

  it.each<[string, unknown, boolean | undefined]>([
    ["is not there", undefined, undefined],
    ["cannot be read", refused("organizations.get"), false],
    ["may not be read", refused("organizations.get", { kind: "scope", status: 403 }), true],
    ["is shown as something else", "<html>", false],
  ])(
    "a pinned organization that %s is not included, and hidden unless it is not there",
    async (_name, answer, denied) => {
      const { ofPins } = await read({ "organizations.list": [ACME] }, { [BETA.id]: answer });
      const { list, ...found } = await ofPins(BETA.id);
      expect(found).toMatchObject({ status: "known", ids: [ACME.id], diagnostics: [] });
      expect(list.status === "known" && list.hidden?.get(`id ${BETA.id}`)?.isDenied).toBe(denied);
    },
  );

  it("a bug during a read by id is not an answer", async () => {
    const { ofPins } = await read({ "organizations.list": [] }, { [BETA.id]: new TypeError("defect") });
    await expect(ofPins(BETA.id)).rejects.toThrow("defect");
  });

  it("of a refused list are unknown, and no error is reported if all of them are pinned", async () => {
    const denied = refused("organizations.list", { kind: "scope", status: 403 });
    const { ofPins } = await read({ "organizations.list": denied }, { [BETA.id]: BETA });
    const reported = { code: "access_denied", message: "organizations.list failed", hint: "Look at it." };
    const found = await ofPins(BETA.id);
    expect(found).toMatchObject({ status: "unknown", ids: [BETA.id], diagnostics: [] });
    expect((await ofPins()).diagnostics).toEqual([{ severity: "error", ...reported }]);
    expect(await ofPins(ACME.id, BETA.id)).toMatchObject({
      status: "unknown",
      ids: [BETA.id],
      diagnostics: [reported],
    });
  });

  it("report how they were read", async () => {
    const { client } = clientOf({ "organizations.list": [ACME] });
    expect((await readOrganizations(client, [])).stats).toEqual([
      { scope: "", operation: "organizations.list", kinds: ["organization"], pages: 1, rows: 1, isTrimmed: false },
    ]);
  });
});
