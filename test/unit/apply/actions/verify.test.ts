import { describe, expect, it } from "vitest";
import type { Change } from "../../../../src/model/change.ts";
import type { Json, JsonObject } from "../../../../src/model/json/json.ts";
import { listKey, type LiveObject } from "../../../../src/model/live.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, INSIGHTS, lost, NO_OP, ORGANIZATION, removal, world, type World } from "../support.ts";
import { EXPORT, only, updating, updatingDomain } from "../written.ts";

describe("verifying a write", () => {
  it("a create that drops fields is repaired by one PATCH of what is missing", async () => {
    const given = world();
    given.on("domains.create", () => ({
      status: 201,
      body: given.add("domains", { domain: "a.com", sso_enforcement: "" }),
    }));
    given.on("domains.update", (serve, { body }) => {
      expect(body).toEqual({ sso_enforcement: "saml" });
      return serve();
    });
    expect(await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }))).toMatchObject({
      status: "applied",
      requests: 2,
    });
  });

  it("a field that stays ignored is unverified with its path, after one repair and one more read", async () => {
    const given = world();
    given.on("domains.create", () => ({
      status: 201,
      body: given.add("domains", { domain: "a.com", sso_enforcement: "" }),
    }));
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
    const outcome = await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }));
    expect(outcome).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: {
        code: "ignored_by_service",
        message: expect.stringContaining("set sso_enforcement") as string,
        paths: ["/sso_enforcement"],
      },
    });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(given.log).toEqual(["domains.create", "domains.update domains-1", "domains.get domains-1"]);
  });

  it("a key that the service adds to a query is unverified with its path, unless a declared one was not set", async () => {
    for (const [kept, code, paths] of [
      [1, "added_by_service", ["/query/b"]],
      [2, "ignored_by_service", ["/query/a"]],
    ] as const) {
      const given = world();
      given.on("insights.create", () => {
        return { status: 201, body: given.add("insights", { name: "I", query: { a: kept, b: 2 } }) };
      });
      given.on("insights.update", () => ({ status: 200, body: given.rows.get("insights")?.[0] }));
      const outcome = await only(given, change("insight", { name: "I", query: { a: 1 } }, INSIGHTS));
      expect(outcome).toMatchObject({ status: "unverified", id: "insights-1", error: { code, paths } });
    }
  });

  it("a repair that is refused leaves a create unverified, with the id of what is there", async () => {
    const given = world();
    given.on("domains.create", () => ({
      status: 201,
      body: given.add("domains", { domain: "a.com", sso_enforcement: "" }),
    }));
    given.on("domains.update", () =>
      Promise.reject(apiError("domains.update", { kind: "invalid", status: 400, tookEffect: "no", code: "nope" })),
    );
    expect(await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }))).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "nope" },
    });
  });

  it("a kind that cannot be changed is not repaired, but read once more from the list", async () => {
    const given = world();
    given.add("invites", { target_email: "bob@acme.com", level: 8 });
    const invite = change("invite", { target_email: "eve@acme.com", level: 8 });
    given.on("invites.create", (serve) => ({ ...serve(), body: { id: "invites-2", target_email: "eve@acme.com" } }));
    expect(await only(given, invite)).toMatchObject({ status: "applied", id: "invites-2" });
    expect(given.log).toEqual(["invites.create", "invites.list", "members.list"]);
  });

  it("a kind that cannot be changed is unverified if the list shows another value", async () => {
    const given = world();
    const invite = change("invite", { target_email: "eve@acme.com", level: 8 });
    given.on("invites.create", () => ({
      status: 201,
      body: given.add("invites", { target_email: "eve@acme.com", level: 1 }),
    }));
    const outcome = await only(given, invite);
    expect(outcome).toMatchObject({
      status: "unverified",
      id: "invites-1",
      error: { code: "ignored_by_service", paths: ["/level"] },
    });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("a kind that cannot be changed is unverified if the list does not show it", async () => {
    const given = world();
    given.add("invites", { target_email: "bob@acme.com", level: 8 });
    const invite = change("invite", { target_email: "eve@acme.com", level: 8 });
    given.on("invites.create", () => ({ status: 201, body: { id: "invites-9", target_email: "eve@acme.com" } }));
    expect(await only(given, invite)).toMatchObject({
      status: "unverified",
      id: "invites-9",
      error: { code: "not_shown" },
    });
  });

  it("an update is not repaired: the object is read once more", async () => {
    const { given, update } = updatingDomain();
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
    expect(await only(given, update)).toMatchObject({ status: "unverified" });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1", "domains.get domains-1"]);
  });

  it("an answer of another shape is read again", async () => {
    const { given, update } = updatingDomain();
    given.on("domains.update", (serve) => {
      serve();
      return { status: 200, body: undefined };
    });
    expect(await only(given, update)).toMatchObject({ status: "applied", requests: 3 });
  });

  it("an update that was accepted but cannot be read back is unverified, not failed and not unknown", async () => {
    const { given, update } = updatingDomain();
    given.on("domains.update", (serve) => {
      serve();
      given.on("domains.get", () => Promise.reject(apiError("domains.get", {})));
      return { status: 200, body: undefined };
    });
    expect(await only(given, update)).toMatchObject({ status: "unverified" });
  });

  it.each<[string, string, boolean]>([
    ["about another object is not used", "other", true],
    ["whose id is written in other letters is about the object", "DOMAINS-1", false],
    ["that has an id of other letters and more is about another", "DOMAINS-10", true],
  ])("an answer %s", async (_name, id, isRead) => {
    const { given, update } = updatingDomain();
    given.on("domains.update", (serve) => ({ status: 200, body: { ...(serve().body as JsonObject), id } }));
    expect(await only(given, update)).toMatchObject({ status: "applied", requests: isRead ? 3 : 2 });
  });

  it("fields under lifecycle.ignore are not compared, and do not make an object stale", async () => {
    const lifecycle = { ignore: ["description"] };
    const { given, update } = updating(
      "insight",
      { name: "I", description: "theirs", favorited: false },
      { name: "I", description: "ours", favorited: true },
      { ...INSIGHTS, lifecycle },
    );
    expect(await only(given, update)).toMatchObject({ status: "applied" });
    expect(given.rows.get("insights")).toMatchObject([{ description: "theirs", favorited: true }]);
  });
});

describe("a written value that is compared whole", () => {
  const QUERY = { kind: "DataTableNode", source: { kind: "EventsQuery", select: ["*"] } };

  /** Creates an insight on a service that stores these values beside, or instead of, those that were sent. */
  async function create(stored: JsonObject): Promise<Outcome> {
    const given = world();
    given.on("insights.create", (_serve, { body }) => ({
      status: 201,
      body: given.add("insights", { ...body, ...stored }),
    }));
    given.on("insights.update", "always", (serve) => {
      serve();
      Object.assign(given.rows.get("insights")?.[0] ?? {}, stored);
      return { status: 200, body: given.rows.get("insights")?.[0] };
    });
    return only(given, change("insight", { name: "I", description: "d", query: QUERY }, INSIGHTS));
  }

  it("is unverified with the paths of the keys that the service added", async () => {
    const outcome = await create({ query: { ...QUERY, full: true, source: { ...QUERY.source, limit: 100 } } });
    expect(outcome).toMatchObject({ status: "unverified", id: "insights-1", error: { code: "added_by_service" } });
    expect(outcome.error?.paths?.toSorted()).toEqual(["/query/full", "/query/source/limit"]);
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("is unverified with the ignored fields only if the service also ignored some", async () => {
    const outcome = await create({ query: { ...QUERY, full: true }, description: "" });
    expect(outcome).toMatchObject({
      status: "unverified",
      error: { code: "ignored_by_service", paths: ["/description"] },
    });
  });
});

describe("a written value that is returned in another notation", () => {
  const FILTERS = { insight: "TRENDS", events: [{ id: "$pageview" }] };
  /** A service that shows a query instead. */
  const SERIES = [{ kind: "EventsNode", event: "$pageview" }];
  const RESTATED = { filters: {}, query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: SERIES } } };

  /** Updates an insight on a service that returns everything in the other notation. */
  async function update(row: JsonObject, values: JsonObject): Promise<Outcome> {
    const given = world();
    given.add("insights", row);
    const [live] = given.live("insight", INSIGHTS.scope);
    given.on("insights.update", (serve) => {
      const answer = serve();
      const shown = { ...(answer.body as JsonObject), ...RESTATED };
      given.rows.set("insights", [shown]);
      return { ...answer, body: shown };
    });
    return only(given, change("insight", values, { ...INSIGHTS, live }));
  }

  it("is unverified if it cannot be compared", async () => {
    const outcome = await update({ name: "I", filters: {}, query: null }, { name: "I", filters: FILTERS });
    expect(outcome).toMatchObject({
      status: "unverified",
      id: "insights-1",
      error: { code: "not_comparable", paths: ["/filters"] },
    });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });
});

describe("a restore", () => {
  const restoring = (): { readonly given: World; readonly restore: Change } => {
    const given = world();
    given.add("insights", { name: "I", description: "old", deleted: true });
    const [live] = given.live("insight", INSIGHTS.scope);
    return { given, restore: change("insight", { name: "I", description: "new" }, { ...INSIGHTS, live }) };
  };

  it("brings the object back under its id and patches what differs", async () => {
    const { given, restore } = restoring();
    expect(await only(given, restore)).toMatchObject({ action: "restore", status: "applied", id: "insights-1" });
    const writes = ["insights.update insights-1", "insights.update insights-1"];
    expect(given.log).toEqual(["insights.get insights-1", ...writes]);
    expect(given.rows.get("insights")).toMatchObject([{ deleted: false, description: "new" }]);
  });

  it("of an object that somebody else has restored since sends nothing", async () => {
    const { given, restore } = restoring();
    given.rows.set("insights", [{ id: "insights-1", name: "I", description: "theirs", deleted: false }]);
    expect(await only(given, restore)).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(given.log).toEqual(["insights.get insights-1"]);
  });

  it("fails if the object does not exist", async () => {
    const { given, restore } = restoring();
    given.rows.set("insights", []);
    expect(await only(given, restore)).toMatchObject({ status: "failed" });
  });

  it("whose answer was lost depends on what the service shows", async () => {
    for (const lands of [true, false]) {
      const { given, restore } = restoring();
      given.on("insights.update", (serve) => {
        if (lands) serve();
        throw lost("insights.update");
      });
      expect(await only(given, restore)).toMatchObject({ status: lands ? "applied" : "unknown" });
    }
  });

  it.each(["7", "aBc"])("of a pinned object that no list shows uses its id, here %s", async (id) => {
    const given = world();
    const made = change("insight", { name: "I" }, INSIGHTS);
    const { live: _live, ...work } = made.work ?? { scope: "", body: {}, key: null };
    given.on("insights.update", () => ({ status: 200, body: { id: 7, short_id: "aBc", name: "I" } }));
    expect(await only(given, { ...made, action: "restore", id, work })).toMatchObject({ status: "applied", id: "7" });
    expect(given.log).toEqual([`insights.get ${id}`, `insights.update ${id}`]);
  });

  it.each<[string, JsonObject | undefined]>([
    ["is empty", undefined],
    ["is about another object", { id: "other", name: "I" }],
  ])("whose answer %s reads the object once more", async (_name, body) => {
    const given = world();
    given.add("insights", { name: "I", deleted: true });
    const [live] = given.live("insight", INSIGHTS.scope);
    given.on("insights.update", (serve) => {
      serve();
      return { status: 200, body };
    });
    expect(await only(given, change("insight", { name: "I" }, { ...INSIGHTS, live }))).toMatchObject({
      status: "applied",
      id: "insights-1",
    });
    const [get, update] = ["insights.get insights-1", "insights.update insights-1"];
    expect(given.log).toEqual([get, update, get]);
  });
});

describe("a field that not every service has", () => {
  const declared = { name: "E", interval: "day", destination: NO_OP, timezone: "Europe/Berlin" };

  /** Creates an export on a service that keeps this row, whatever it is sent. */
  async function creating(row: JsonObject): Promise<Outcome> {
    const given = world();
    const kept = { name: "E", interval: "day", paused: false, destination: NO_OP, ...row };
    given.on("batch_exports.create", () => ({ status: 201, body: given.add("batch_exports", kept) }));
    given.on("batch_exports.update", () => ({ status: 200, body: given.rows.get("batch_exports")?.[0] }));
    return only(given, change("batch_export", declared));
  }

  it("is not missed in a row without it", async () => {
    expect(await creating({})).toMatchObject({ status: "applied", requests: 1 });
  });

  it.each<[string, JsonObject, readonly string[]]>([
    ["is missed in a row that has another value", { timezone: "UTC" }, ["/timezone"]],
    ["does not hide another field that was not set", { interval: "hour" }, ["/interval"]],
  ])("%s", async (_where, row, paths) => {
    expect(await creating(row)).toMatchObject({ error: { code: "ignored_by_service", paths } });
  });
});

describe("an insight that the service shows in another form", () => {
  const FILTERS = { insight: "TRENDS", interval: "week" };
  const QUERY = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [], interval: "day" } };

  /** Creates an insight, and shows this row from then on. */
  async function creating(values: JsonObject, row: JsonObject): Promise<Outcome> {
    const given = world();
    given.on("insights.create", () => ({ status: 201, body: given.add("insights", row) }));
    given.on("insights.update", () => ({ status: 200, body: given.rows.get("insights")?.[0] }));
    return only(given, change("insight", values, INSIGHTS));
  }

  it("is to be declared by the query that it shows", async () => {
    const outcome = await creating({ name: "I", filters: FILTERS }, { name: "I", filters: {}, query: QUERY });
    expect(outcome).toMatchObject({ error: { code: "not_comparable", paths: ["/filters"] } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("but a field beside the filters may need another right", async () => {
    const row = { name: "I", description: "", filters: FILTERS, query: null };
    const outcome = await creating({ name: "I", description: "new", filters: FILTERS }, row);
    expect(outcome).toMatchObject({ error: { code: "ignored_by_service", paths: ["/description"] } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("refers to what does not exist if a read by id leaves a variable out", async () => {
    const query = (variables: JsonObject): JsonObject => ({ kind: "HogQLQuery", query: "select 1", variables });
    const variable = { code_name: "plan", variableId: "v1", value: 1 };
    const given = world();
    const shown = { name: "I", short_id: "abcdefgh", query: query({ v1: variable }) };
    given.on("insights.create", () => {
      return { status: 201, body: { ...given.add("insights", shown), query: query({}) } };
    });
    given.on("insights.get", "always", (serve) => {
      const { body } = serve();
      return { status: 200, body: { ...(body as JsonObject), query: query({}) } };
    });
    given.on("insights.update", (serve) => ({ ...serve(), body: { id: "insights-1", ...shown, query: query({}) } }));
    const outcome = await only(given, change("insight", { name: "I", query: query({ v1: variable }) }, INSIGHTS));
    expect(outcome).toMatchObject({ error: { code: "reference_missing", paths: ["/query/variables/v1"] } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });
});

describe("a field of a domain that the service sets only once it is verified", () => {
  const JIT = "jit_provisioning_enabled";
  const UNVERIFIED = { domain: "a.com", [JIT]: false, is_verified: false };

  /** Creates a domain, of which the service keeps this row. @param members what the organization shows: a number on a deployed server */
  async function creating(row: JsonObject, members: unknown): Promise<readonly [Outcome, World]> {
    const given = world();
    given.add("organizations", { id: ORGANIZATION, name: "Acme", member_count: members as number });
    given.lists.set(listKey("", "organization"), { status: "known", objects: given.live("organization", "") });
    given.on("domains.create", () => ({ status: 201, body: given.add("domains", row) }));
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
    return [await only(given, change("domain", { domain: "a.com", [JIT]: true })), given];
  }

  it("waits for that on a deployed server, which is sent nothing", async () => {
    const [outcome, given] = await creating(UNVERIFIED, 3);
    expect(outcome).toMatchObject({ status: "unverified", id: "domains-2", error: { code: "verification_required" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(given.log).toEqual(["domains.create"]);
  });

  it.each<[string, JsonObject, unknown]>([
    ["of another service", UNVERIFIED, "3"],
    ["that is verified", { ...UNVERIFIED, is_verified: true }, 3],
  ])("is sent to a domain %s", async (_name, row, members) => {
    const [outcome, given] = await creating(row, members);
    expect(outcome).toMatchObject({ status: "unverified", error: { code: "ignored_by_service" } });
    expect(given.log).toContain("domains.update domains-2");
  });
});

describe("a field that the service does not show", () => {
  const FILTERS = { insight: "TRENDS" };

  it("is said if it was written", async () => {
    const given = world();
    given.on("insights.create", () => ({ status: 201, body: given.add("insights", { name: "I" }) }));
    given.on("insights.update", () => ({ status: 200, body: given.rows.get("insights")?.[0] }));
    const outcome = await only(given, change("insight", { name: "I", filters: FILTERS }, INSIGHTS));
    expect(outcome).toMatchObject({ status: "unverified", error: { code: "not_comparable", paths: ["/filters"] } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("is not if another one was", async () => {
    const values = { name: "I", description: "new", filters: FILTERS };
    const { given, update } = updating("insight", { name: "I", description: "old" }, values, INSIGHTS);
    expect(await only(given, update)).toMatchObject({ status: "applied" });
  });

  it("may not be known to the service if it stands in extra_fields", async () => {
    const given = world();
    given.on("domains.create", () => ({ status: 201, body: given.add("domains", { domain: "a.com" }) }));
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
    const outcome = await only(given, change("domain", { domain: "a.com", colour: "red" }));
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });
});

it("what somebody has made of declared filters stays, and the rest of a create is put right", async () => {
  const given = world();
  const query = { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [] } };
  const row = { name: "I", description: "", filters: {}, query };
  given.on("insights.create", () => ({ status: 201, body: given.add("insights", row) }));
  const sent: unknown[] = [];
  given.on("insights.update", (serve, { body }) => {
    sent.push(body);
    return serve();
  });
  await only(given, change("insight", { name: "I", description: "d", filters: { insight: "TRENDS" } }, INSIGHTS));
  expect(sent).toEqual([{ description: "d" }]);
});

describe("what a service stored otherwise, or cannot do yet, keeps no removal from being made", () => {
  const sql = (variables: JsonObject): JsonObject => ({ kind: "HogQLQuery", query: "select 1", variables });
  const variables = { v1: { code_name: "plan", variableId: "v1", value: 1 } };
  const [QUERY, JIT] = [{ a: 1 }, "jit_provisioning_enabled"];

  it.each<[code: string, change: Change, row: JsonObject, shown?: JsonObject]>([
    ["ignored_by_service", change("insight", { name: "I", description: "d" }, INSIGHTS), { name: "I" }],
    [
      "added_by_service",
      change("insight", { name: "I", query: QUERY }, INSIGHTS),
      { name: "I", query: { a: 1, b: 2 } },
    ],
    ["not_comparable", change("insight", { name: "I", filters: { insight: "TRENDS" } }, INSIGHTS), { name: "I" }],
    [
      "reference_missing",
      change("insight", { name: "I", query: sql(variables) }, INSIGHTS),
      { name: "I", short_id: "abcdefgh", query: sql(variables) },
      { query: sql({}) },
    ],
    [
      "verification_required",
      change("domain", { domain: "a.com", [JIT]: true }),
      { domain: "a.com", [JIT]: false, is_verified: false },
    ],
  ])("%s", async (code, create, row, shown) => {
    const given = world();
    given.add("organizations", { id: ORGANIZATION, name: "Acme", member_count: 3 });
    given.lists.set(listKey("", "organization"), { status: "known", objects: given.live("organization", "") });
    given.add("batch_exports", { ...EXPORT });
    const [live] = given.live("batch_export");
    const family = create.kind === "domain" ? "domains" : "insights";
    const read = (id: Json): { status: number; body: JsonObject } => ({
      status: 200,
      body: { ...row, ...shown, id: id ?? "" },
    });
    given.on(`${family}.create`, () => read(given.add(family, row)["id"] ?? null));
    for (const verb of ["get", "update"])
      given.on(`${family}.${verb}`, "always", (_serve, { path }) => read(path["id"] ?? null));
    const outcomes = await given.apply(create, removal("batch_export", { name: "E" }, live as LiveObject));
    expect(outcomes.map(({ status, error }) => [status, error?.code])).toEqual([
      ["unverified", code],
      ["applied", undefined],
    ]);
  });
});
