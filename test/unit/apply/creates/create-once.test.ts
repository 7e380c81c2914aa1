import { describe, expect, it } from "vitest";
import { Secret } from "../../../../src/model/json/json.ts";
import { listKey } from "../../../../src/model/live.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, INSIGHTS, intentOf, loses, lost, world, type World } from "../support.ts";

const DOMAIN = change("domain", { domain: "a.com" });
const SETTLE_TIME = 60_000;

async function create(given: World): Promise<Outcome | undefined> {
  return (await given.apply(DOMAIN))[0];
}

describe("a create", () => {
  it("is journaled before it is sent, and settled with the id of the answer", async () => {
    const given = world();
    const records: (readonly string[])[] = [];
    given.on("domains.create", (serve) => {
      records.push([...given.journal.records]);
      return serve();
    });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-1", requests: 1 });
    expect(records).toEqual([["begin a.com"]]);
    expect(given.journal.records).toEqual(["begin a.com", "settle domains-1"]);
  });

  it("sends the value of a secret and journals its expression only", async () => {
    const given = world();
    given.on("domains.create", (serve, { body }) => {
      expect(body["saml_entity_id"]).toBe("value of ${secret:X}");
      return serve();
    });
    const [outcome] = await given.apply(
      change("domain", { domain: "a.com", saml_entity_id: new Secret("${secret:X}") }),
    );
    expect(outcome).toMatchObject({ status: "applied" });
  });

  it("is not sent if its intent cannot be journaled, and neither are the others", async () => {
    const given = world();
    Object.assign(given.journal, { begin: () => Promise.reject(new Error("ENOSPC: no space left on device")) });
    const outcomes = await given.apply(DOMAIN, change("domain", { domain: "b.com" }));
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({
        status: "failed",
        error: { code: "no_journal", message: expect.stringContaining("ENOSPC") as string },
      });
    }
    expect(given.log).toEqual([]);
  });

  it.each([
    ["a refusal", apiError("domains.create", { kind: "invalid", status: 400, tookEffect: "no", code: "unique" })],
    ["a missing scope", apiError("domains.create", { kind: "scope", status: 403, tookEffect: "no" })],
    [
      "too many requests, past the deadline",
      apiError("domains.create", { kind: "throttled", status: 429, tookEffect: "no" }),
    ],
    [
      "a connection that was refused",
      apiError("domains.create", { kind: "network", status: null, tookEffect: "no", code: "ECONNREFUSED" }),
    ],
  ])("fails plainly after %s: no probe, nothing open, not sent again", async (_name, error) => {
    const given = world();
    given.on("domains.create", () => Promise.reject(error));
    expect(await create(given)).toMatchObject({ status: "failed", id: null, requests: 1 });
    expect(given.log).toEqual(["domains.create"]);
    expect(given.journal.records).toEqual(["begin a.com", "settle not created"]);
  });

  it("is skipped if an interruption comes before it is sent", async () => {
    const given = world();
    given.on("domains.create", () =>
      Promise.reject(apiError("domains.create", { kind: "interrupted", status: null, tookEffect: "no" })),
    );
    expect(await create(given)).toMatchObject({ status: "skipped" });
    expect(given.journal.open()).toEqual([]);
  });
});

describe("the check before the first create of a kind", () => {
  /** A plan that saw nothing. */
  const unseen = (): World => {
    const given = world();
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    return given;
  };

  it("finds an object that a faster run has created: nothing is sent, the change is stale", async () => {
    const given = unseen();
    given.add("domains", { domain: "a.com" });
    expect(await create(given)).toMatchObject({ status: "skipped", id: "domains-1", error: { code: "stale" } });
    expect([given.log, given.journal.records]).toEqual([["domains.list"], []]);
  });

  it("ignores objects that the plan saw in the list of a sibling kind", async () => {
    const given = world();
    given.add("pipeline_frontend_apps", { name: "P", plugin_type: "source" });
    const [outcome] = await given.apply(change("pipeline_destination", { name: "P", plugin_type: "source" }));
    expect(outcome).toMatchObject({ status: "applied", id: "pipeline_destinations-2" });
  });

  it("is one list for all creates", async () => {
    const given = unseen();
    await given.apply(DOMAIN, change("domain", { domain: "b.com" }), change("domain", { domain: "c.com" }));
    expect(given.log.filter((one) => one === "domains.list")).toHaveLength(1);
  });

  it("fails without creating anything, and nothing is unknown", async () => {
    const given = unseen();
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    expect(await create(given)).toMatchObject({ status: "failed" });
    expect(given.log).toEqual(["domains.list"]);
  });

  it("is read anew for a later create if it failed for the first one", async () => {
    const given = unseen();
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    const { lists } = given.task("domain");
    await expect(lists.first()).rejects.toThrow("domains.list failed");
    expect(await lists.first()).toEqual([]);
    await lists.first();
    expect(given.log).toEqual(["domains.list", "domains.list"]);
  });

  it("is not needed in an organization that was just created", async () => {
    const given = world();
    given.scopes.set("beta", { status: "absent" });
    const parent = change("organization", { name: "beta" }, { scope: "", name: "beta", lifecycle: { create: true } });
    const child = change("domain", { domain: "a.com" }, { scope: "beta" });
    given.lists.set(listKey("", "organization"), { status: "known", objects: [] });
    const { executePlan } = await import("../../../../src/apply/execute-plan.ts");
    const options = { prune: false, only: [], rotate: [] };
    const plan = { summary: {} as never, options, changes: [parent, child], unmanaged: [], diagnostics: [] };
    expect((await executePlan(plan, given.context())).map(({ status }) => status)).toEqual(["applied", "applied"]);
    expect(given.log).toEqual(["organizations.list", "organizations.create", "domains.create"]);
  });
});

describe("an ambiguous create", () => {
  it.each([
    ["a broken connection", lost("domains.create")],
    ["a gateway's error", apiError("domains.create", { status: 502 })],
    ["half a body", apiError("domains.create", { kind: "protocol", status: 201, code: "invalid_json" })],
    ["an error of the service itself", apiError("domains.create", { status: 500, code: "error" })],
  ])("is adopted if it is found after %s, and not sent again", async (_name, error) => {
    const given = world();
    given.on("domains.create", (serve) => {
      serve();
      throw error;
    });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(given.log).toEqual(["domains.create", "domains.list"]);
    expect(given.journal.records).toEqual(["begin a.com", "settle domains-1"]);
  });

  it.each([
    ["no body at all", undefined],
    ["an array", [{ id: "domains-1" }]],
    ["an object without an id", { domain: "a.com" }],
  ])("also if a success shows %s", async (_name, body) => {
    const given = world();
    given.on("domains.create", (serve) => {
      serve();
      return { status: 201, body };
    });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(given.rows.get("domains")).toHaveLength(1);
  });

  it("is patched if the found object lacks a field", async () => {
    const given = world();
    given.on("domains.create", () => {
      given.add("domains", { domain: "a.com", sso_enforcement: "" });
      throw lost("domains.create");
    });
    const [outcome] = await given.apply(change("domain", { domain: "a.com", sso_enforcement: "saml" }));
    expect(outcome).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["domains.create", "domains.list", "domains.update domains-1"]);
  });

  it("is found by its natural key among new objects, even if all else differs", async () => {
    const given = world();
    given.add("domains", { domain: "old.com" });
    given.on("domains.create", () => {
      given.add("domains", { domain: "other.com" });
      given.add("domains", { domain: " a.com ", anything: "else" });
      throw lost("domains.create");
    });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-3" });
  });

  it("is sent again only after two empty lists in a row after the settle time", async () => {
    const given = world();
    const start = given.clock.time;
    const lists: number[] = [];
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    given.on("domains.list", "always", (serve) => {
      lists.push(given.clock.time - start);
      return serve();
    });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(given.log.filter((one) => one === "domains.create")).toHaveLength(2);
    expect(lists.filter((at) => at >= SETTLE_TIME)).toHaveLength(2);
    expect(given.journal.records).toEqual(["begin a.com", "settle not created", "begin a.com", "settle domains-1"]);
  });

  it("counts the settle time from when the answer was given up, not from when it was sent", async () => {
    const given = world();
    given.on("domains.create", () => {
      given.clock.time += SETTLE_TIME;
      throw lost("domains.create");
    });
    await create(given);
    expect(given.clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(SETTLE_TIME);
  });

  it("that lands late is found while the settle time lasts", async () => {
    const given = world();
    given.on("domains.create", () => {
      given.on("domains.list", "always", (serve) => {
        if (given.clock.slept.length === 5) given.add("domains", { domain: "a.com" });
        return serve();
      });
      throw lost("domains.create");
    });
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(given.rows.get("domains")).toHaveLength(1);
  });

  it("is not sent again on the strength of one stale list beyond the settle time", async () => {
    const given = world({ settleAfterMs: 1 });
    let stale = 1;
    given.on("domains.create", loses("domains.create"));
    given.on("domains.list", "always", (serve) => {
      given.clock.time += 10;
      return stale-- > 0 ? { status: 200, body: [] } : serve();
    });
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(given.rows.get("domains")).toHaveLength(1);
  });

  it("adopts none of several candidates, and the outcome names them", async () => {
    const given = world();
    given.on("domains.create", () => {
      given.add("domains", { domain: "a.com" });
      given.add("domains", { domain: "a.com" });
      throw lost("domains.create");
    });
    const outcome = await create(given);
    const message = expect.stringMatching(/\bdomains-1\b.*\bdomains-2\b/) as string;
    expect(outcome).toMatchObject({ status: "unknown", id: null, error: { code: "outcome_unknown", message } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(given.journal.open()).toHaveLength(1);
    expect(given.log).toEqual(["domains.create", "domains.list"]);
  });

  it("leaves an object to the stack of Pulumi that has begun it, and sends none", async () => {
    const given = world({ intents: [intentOf({ owner: "urn:pulumi:dev::acme" })] });
    given.on("domains.list", (serve) => {
      given.add("domains", { domain: "a.com" });
      return serve();
    });
    expect(await create(given)).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(given.log).not.toContain("domains.create");
    expect(given.journal.open()).toHaveLength(1);
  });

  it("lists again if the first list fails like the create, and finds it", async () => {
    const given = world();
    given.on("domains.create", loses("domains.create"));
    const fail = (): never => {
      throw apiError("domains.list", { status: 502 });
    };
    given.on("domains.list", fail, fail, fail);
    expect(await create(given)).toMatchObject({ status: "applied" });
  });

  it.each([
    ["cannot be read", "maybe", 502, 4],
    ["is refused", "no", 403, 1],
  ] as const)("is unknown if the list %s, and its intent stays open", async (_name, tookEffect, status, lists) => {
    const given = world();
    given.on("domains.create", loses("domains.create"));
    given.on("domains.list", "always", () =>
      Promise.reject(apiError("domains.list", { status, tookEffect, kind: status === 403 ? "scope" : "server" })),
    );
    const outcome = await create(given);
    expect(outcome).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(given.journal.open()).toHaveLength(1);
    expect(given.log.filter((one) => one === "domains.list")).toHaveLength(lists);
  });

  it("is unknown if an interruption ends the waiting", async () => {
    const given = world();
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    given.on("domains.list", "always", (serve) => {
      given.abort.abort();
      return serve();
    });
    const outcome = await create(given);
    expect(outcome).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(given.journal.open()).toHaveLength(1);
  });

  it("fails, not created, after three tries that never took effect", async () => {
    const given = world();
    given.on("domains.create", "always", () => Promise.reject(lost("domains.create")));
    expect(await create(given)).toMatchObject({ status: "failed", error: { code: "not_created" } });
    expect(given.log.filter((one) => one === "domains.create")).toHaveLength(3);
    expect(given.journal.open()).toEqual([]);
  });

  it("is not sent a third time if the service itself answers 500 twice", async () => {
    const given = world();
    given.on("domains.create", "always", () =>
      Promise.reject(apiError("domains.create", { status: 500, code: "error" })),
    );
    expect(await create(given)).toMatchObject({ status: "failed", error: { code: "error" } });
    expect(given.log.filter((one) => one === "domains.create")).toHaveLength(2);
  });

  it("is not sent again if deployed servers always answer 500: only a lagging list is awaited", async () => {
    const given = world();
    given.on("batch_exports.create", "always", () =>
      Promise.reject(apiError("batch_exports.create", { status: 500, code: "error" })),
    );
    const [outcome] = await given.apply(
      change("batch_export", { name: "E", interval: "hour", destination: { type: "NoOp", config: {} } }),
    );
    expect(outcome).toMatchObject({ status: "failed" });
    expect(given.log.filter((one) => one === "batch_exports.create")).toHaveLength(1);
    expect(given.clock.slept).toEqual([500, 1000, 1500, 500]);
  });

  it("is adopted if a 500 came after the commit and the first lists lag behind", async () => {
    const given = world();
    const values = { name: "E", interval: "hour", destination: { type: "NoOp", config: {} }, paused: true };
    const lagging = () => ({ status: 200, body: [] });
    given.on("batch_exports.create", (serve) => {
      given.on("batch_exports.list", lagging, lagging);
      serve();
      throw apiError("batch_exports.create", { status: 500, code: "error" });
    });
    const [outcome] = await given.apply(change("batch_export", values));
    expect(outcome).toMatchObject({ status: "applied" });
  });

  it("lets other changes go on while it waits, however many wait", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("domains.create", "always", () => Promise.reject(lost("domains.create")));
    const stuck = Array.from({ length: 12 }, (_, index) => change("domain", { domain: `${String(index)}.com` }));
    let at = Infinity;
    given.on("insights.create", (serve) => {
      at = given.clock.slept.length;
      return serve();
    });
    await given.apply(...stuck, change("insight", { name: "I" }, INSIGHTS));
    expect(at).toBeLessThanOrEqual(12);
  });

  it("of a plugin is found if the service has moved it to another group", async () => {
    const given = world();
    given.add("pipeline_frontend_apps", { name: "Old" });
    given.on("pipeline_destinations.create", () => {
      given.add("pipeline_frontend_apps", { name: "P", plugin_type: "source", description: "" });
      throw lost("pipeline_destinations.create");
    });
    const [outcome] = await given.apply(
      change("pipeline_destination", { name: "P", plugin_type: "source", description: "d" }),
    );
    expect(outcome).toMatchObject({ status: "applied", id: "pipeline_frontend_apps-2" });
    expect(given.log.filter((one) => one.endsWith("create"))).toHaveLength(1);
    expect(given.log).toContain("pipeline_frontend_apps.update pipeline_frontend_apps-2");
  });

  it("of a membership is found among invites, and among members once it was accepted", async () => {
    for (const accepted of [false, true]) {
      const given = world();
      given.on("invites.create", () => {
        if (accepted) given.add("members", { level: 8, user: { uuid: "u-1", email: "Eve@acme.com" } });
        else given.add("invites", { target_email: "eve@acme.com", level: 8 });
        throw lost("invites.create");
      });
      const [outcome] = await given.apply(change("membership", { level: 8 }, { name: "eve@acme.com" }));
      expect(outcome).toMatchObject({ status: "applied", id: accepted ? "u-1" : "invites-1" });
      expect(given.log.filter((one) => one.endsWith("create"))).toHaveLength(1);
    }
  });
});
