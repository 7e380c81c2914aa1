import { describe, expect, it } from "vitest";
import { applyPlan } from "../../../src/apply/apply.ts";
import { ChangeError } from "../../../src/apply/context.ts";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { apiError, change, INSIGHTS, lost, world, type World } from "./support.ts";

const EXPORT = { name: "E", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
const SAML = { domain: "a.com", sso_enforcement: "saml" };
const refused = (operation: string, code = "nope") =>
  apiError(operation, { kind: "invalid", status: 400, effect: "no", code });

async function only(given: World, one: Change): Promise<Outcome> {
  const [outcome] = await given.apply(one);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

/** A world with a domain in it, and the update of that. */
function updating(row: JsonObject = { domain: "a.com", sso_enforcement: "" }) {
  const given = world();
  given.add("domains", row);
  const [live] = given.live("domain");
  return { given, update: change("domain", SAML, { live }) };
}

describe("a transition", () => {
  /** Creates an export whose create is answered with `shown`, and whose unpausing is answered with `moved`. */
  async function create(shown: JsonObject, moved?: JsonObject, values: JsonObject = EXPORT) {
    const given = world();
    given.on("batch_exports.create", (serve) => {
      const { status } = serve();
      const row = { ...given.rows.get("batch_exports")?.[0], ...shown };
      const told = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
      return { status, body: told };
    });
    if (moved !== undefined)
      given.on("batch_exports.unpause", (serve) => {
        serve();
        return { status: 200, body: moved };
      });
    return { outcome: await only(given, change("batch_export", values)), log: given.log };
  }
  const [CREATE, UNPAUSE, GET] = [
    "batch_exports.create",
    "batch_exports.unpause batch_exports-1",
    "batch_exports.get batch_exports-1",
  ];

  it.each<[string, Parameters<typeof create>, readonly string[]]>([
    ["follows the answer to the create", [{}], [CREATE, UNPAUSE]],
    ["is not needed where that shows it as declared", [{ paused: false }], [CREATE]],
    ["asks where that does not show the field", [{ paused: null }], [CREATE, GET, UNPAUSE]],
    ["asks where its own answer does not show the field", [{}, { id: "batch_exports-1" }], [CREATE, UNPAUSE, GET]],
    ["asks where its own answer shows the other value", [{}, { paused: true }], [CREATE, UNPAUSE, GET]],
    ["is nobody's wish where the field is not declared", [{}, {}, { ...EXPORT, paused: null }], [CREATE]],
  ])("%s", async (_name, given, log) => {
    const made = await create(...given);
    expect(made).toMatchObject({ outcome: { status: "applied" }, log });
  });

  it("asks no more than once where it is done by then", async () => {
    const given = world();
    given.on("batch_exports.create", (serve) => {
      const answer = serve();
      given.rows.set("batch_exports", [{ id: "batch_exports-1", ...EXPORT }]);
      const { paused: _paused, ...told } = answer.body as JsonObject;
      return { ...answer, body: told };
    });
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
    expect(given.log).toEqual([CREATE, GET]);
  });

  it("is not moved by PATCH where the refusal is about something else than the key", async () => {
    const given = world();
    given.on("batch_exports.unpause", () => Promise.reject(refused("batch_exports.unpause")));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "unverified" });
    expect(given.log.filter((one) => one.includes("update"))).toEqual([]);
  });
});

describe("a write of which no clear answer came", () => {
  it("is not called failed after an error of the gateway, though that has a code", async () => {
    const { given, update } = updating();
    given.on("domains.update", () => Promise.reject(apiError("domains.update", { status: 502, code: "error" })));
    expect(await only(given, update)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
  });

  it("is not looked for where it certainly did nothing", async () => {
    const { given, update } = updating();
    given.on("domains.update", () => Promise.reject(refused("domains.update")));
    expect(await only(given, update)).toMatchObject({ status: "failed", error: { code: "nope" } });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1"]);
  });
});

describe("a mistake of our own", () => {
  it("after a write that was taken is still called by its name", async () => {
    const given = world();
    given.on("batch_exports.unpause", () => Promise.reject(new TypeError("x is not a function")));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({
      status: "unknown",
      error: { code: "defect", message: "x is not a function" },
    });
  });

  it("before anything was sent is a failure, and asks to be reported", async () => {
    const { given, update } = updating();
    Object.assign(given.client, { request: () => Promise.reject(new TypeError("x is not a function")) });
    expect(await only(given, update)).toMatchObject({
      status: "failed",
      id: "domains-1",
      error: {
        code: "defect",
        message: "x is not a function",
        hint: "This should not happen. Please report it, with what you ran; run plan to see what the service holds.",
      },
      requests: 0,
    });
  });

  it.each(["text", 7])("that is no error but %j is told as it is", async (thrown) => {
    const { given, update } = updating();
    given.on("domains.update", () => {
      throw thrown;
    });
    expect(await only(given, update)).toMatchObject({ error: { code: "defect", message: String(thrown) } });
    const other = world();
    Object.assign(other.journal, {
      begin: () => {
        throw thrown;
      },
    });
    const message = `not sent, as its intent could not be journaled: ${String(thrown)}`;
    expect(await only(other, change("domain", SAML))).toMatchObject({ error: { code: "no_journal", message } });
  });

  it("has a name that says where it comes from, where it is one of a change", () => {
    const error = new ChangeError("failed", "code", "message", "hint");
    expect([String(error), error.id]).toEqual(["ChangeError: message", null]);
  });
});

describe("what waits for something outside of the service", () => {
  const CHALLENGE = { domain: "a.com", sso_enforcement: "", verification_challenge: "abc" };
  const HINT = expect.stringContaining('TXT _posthog-challenge.a.com "abc"') as string;
  const waiting = refused("domains.update", "verification_required");

  it("says what, by what the plan saw, where the object cannot be read", async () => {
    const { given, update } = updating(CHALLENGE);
    given.on("domains.update", () => {
      given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
      throw waiting;
    });
    expect(await only(given, update)).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "verification_required", message: "domains.update failed", hint: HINT },
    });
  });

  it("says what, by what the service shows now, where it was created just before", async () => {
    const given = world();
    given.on("domains.create", () => ({ status: 201, body: given.add("domains", CHALLENGE) }));
    given.on("domains.update", () => Promise.reject(waiting));
    expect(await only(given, change("domain", SAML))).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "verification_required", hint: HINT },
    });
  });

  it("is a plain failure where there is no object to read it from", async () => {
    const given = world();
    given.on("domains.create", () =>
      Promise.reject(
        apiError("domains.create", { kind: "invalid", status: 400, effect: "no", code: "verification_required" }),
      ),
    );
    expect(await only(given, change("domain", SAML))).toMatchObject({ status: "failed", error: { hint: "hint" } });
    expect(given.log).toEqual(["domains.create"]);
  });

  it("is nothing that other refusals are taken for", async () => {
    const { given, update } = updating(CHALLENGE);
    given.on("domains.update", () => Promise.reject(refused("domains.update")));
    expect(await only(given, update)).toMatchObject({ status: "failed", error: { code: "nope", hint: "hint" } });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1"]);
  });
});

describe("what was written and is shown in another notation", () => {
  const FILTERS = { insight: "TRENDS", events: [{ id: "$pageview" }], compare: true };
  /** A service that keeps a query instead, and tells nothing of `compare`. */
  const SERIES = [{ kind: "EventsNode", event: "$pageview" }];
  const RESTATED = { filters: {}, query: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: SERIES } } };

  /** Updates an insight at a service that restates whatever is written. */
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

  it("is not called verified where it cannot be told, and says so", async () => {
    expect(await update({ name: "I", filters: {}, query: null }, { name: "I", filters: FILTERS })).toMatchObject({
      status: "unverified",
      id: "insights-1",
      error: {
        code: "not_comparable",
        message: "the service shows /filters/compare in another notation, in which it cannot be found",
        hint: "It was taken, but whether as it was declared nobody can tell: declare the query that the service shows.",
      },
    });
  });

  it("is nothing that stands in the way of another field", async () => {
    expect(await update({ name: "I", ...RESTATED }, { name: "J", filters: FILTERS })).toMatchObject({
      status: "applied",
      fields: [{ path: "/name" }],
    });
  });
});

describe("a restore", () => {
  it("of a pinned object that no list shows goes by its id", async () => {
    const given = world();
    given.add("insights", { name: "I", deleted: true });
    const made = change("insight", { name: "I" }, INSIGHTS);
    const { live: _live, ...work } = made.work ?? { scope: "", body: {}, key: null };
    const restore: Change = { ...made, action: "restore", id: "insights-1", work };
    expect(await only(given, restore)).toMatchObject({ status: "applied", id: "insights-1" });
    expect(given.log).toEqual(["insights.update insights-1"]);
  });

  it("whose answer shows nothing is read once more", async () => {
    const given = world();
    given.add("insights", { name: "I", deleted: true });
    const [live] = given.live("insight", INSIGHTS.scope);
    given.on("insights.update", (serve) => {
      serve();
      return { status: 200, body: undefined };
    });
    expect(await only(given, change("insight", { name: "I" }, { ...INSIGHTS, live }))).toMatchObject({
      status: "applied",
      id: "insights-1",
    });
    expect(given.log).toEqual(["insights.update insights-1", "insights.get insights-1"]);
  });
});

describe("a run that is watched", () => {
  it("tells at any moment how every change stands", async () => {
    const given = world();
    given.add("insights", { name: "same" });
    const [live] = given.live("insight", INSIGHTS.scope);
    const seen: string[][] = [];
    let now: () => readonly Outcome[] = () => [];
    const look = (): void => void seen.push(now().map(({ status, requests }) => `${status} ${String(requests)}`));
    given.on("domains.create", (serve) => {
      look();
      return serve();
    });
    const changes = [change("domain", { domain: "a.com" }), change("insight", { name: "same" }, { ...INSIGHTS, live })];
    for (const list of ["acme domain", "acme/projects/web insight"])
      given.lists.set(list, { status: "known", objects: [] });
    const plan = {
      summary: {} as never,
      options: { prune: false, only: [], rotate: [] },
      changes,
      unmanaged: [],
      diagnostics: [],
    };
    await applyPlan(plan, {
      ...given.context(),
      onBegin: (soFar) => {
        now = soFar;
        look();
      },
    });
    look();
    expect(seen).toEqual([
      ["skipped 0", "applied 0"],
      ["unknown 2", "applied 0"],
      ["applied 2", "applied 0"],
    ]);
  });

  it("waits so that an interruption can end it", async () => {
    const given = world();
    const signals: unknown[] = [];
    const { clock } = given;
    const sleep = clock.sleep.bind(clock);
    clock.sleep = (ms, signal) => {
      signals.push(signal);
      return sleep(ms);
    };
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    await given.apply(change("domain", { domain: "a.com" }));
    expect(signals.length).toBeGreaterThan(5);
    expect(new Set(signals)).toEqual(new Set([given.abort.signal]));
  });
});
