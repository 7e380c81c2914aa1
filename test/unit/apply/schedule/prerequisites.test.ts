import { describe, expect, it } from "vitest";
import type { Change } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { apiError, change, INSIGHTS, NO_OP, removal, world, type World } from "../support.ts";

const statuses = (outcomes: readonly Outcome[]): readonly string[] => outcomes.map(({ status }) => status);
const refused =
  (operation: string): (() => Promise<never>) =>
  () =>
    Promise.reject(apiError(operation, { kind: "invalid", status: 400, tookEffect: "no" }));

/** An organization that has to be created, and a domain in it. */
function parentAndChild(given: World): readonly [Change, Change] {
  given.scopes.set("beta", { status: "absent" });
  const parent = change("organization", { name: "beta" }, { scope: "", name: "beta", lifecycle: { create: true } });
  return [parent, change("domain", { domain: "a.com" }, { scope: "beta" })];
}

describe("the order of changes", () => {
  it("creates a parent before its children, regardless of their order in the plan", async () => {
    const given = world();
    const [parent, child] = parentAndChild(given);
    expect(statuses(await given.apply(child, parent))).toEqual(["applied", "applied"]);
    expect(given.log).toEqual(["organizations.create", "domains.create"]);
  });

  it("skips the children of a parent that was not created, and nothing else", async () => {
    const given = world();
    given.on("organizations.create", refused("organizations.create"));
    const [parent, child] = parentAndChild(given);
    const outcomes = await given.apply(parent, child, change("domain", { domain: "b.com" }));
    expect(statuses(outcomes)).toEqual(["failed", "skipped", "applied"]);
    expect(outcomes[1]?.error?.code).toBe("parent_failed");
  });

  it("skips the children of a parent that was blocked", async () => {
    const given = world();
    const [parent, child] = parentAndChild(given);
    const blocked = { ...parent, blocked: { rule: "organization_create" as const, lift: "lift" } };
    const outcomes = await given.apply(blocked, child);
    expect(statuses(outcomes)).toEqual(["skipped", "skipped"]);
    expect(outcomes[0]?.error).toMatchObject({ code: "organization_create", hint: "lift" });
    expect(given.log).toEqual([]);
  });

  describe("a rename and a create under the name that it frees", () => {
    const rename = (given: World): readonly [Change, Change] => {
      given.add("insights", { name: "Signups", description: "old" });
      const [live] = given.live("insight", INSIGHTS.scope);
      const renamed = change("insight", { name: "Signups v1" }, { ...INSIGHTS, live });
      return [change("insight", { name: "Signups" }, INSIGHTS), renamed];
    };

    it("the rename comes first", async () => {
      const given = world();
      expect(statuses(await given.apply(...rename(given)))).toEqual(["applied", "applied"]);
      expect(given.log).toEqual(["insights.get insights-1", "insights.update insights-1", "insights.create"]);
    });

    it.each(["failed", "stale", "blocked"])(
      "no second object of the name is created if the rename is %s",
      async (how) => {
        const given = world();
        const [create, renamed] = rename(given);
        if (how === "failed") given.on("insights.update", refused("insights.update"));
        if (how === "stale") given.rows.set("insights", [{ id: "insights-1", name: "Signups, edited" }]);
        const tried = how === "blocked" ? { ...renamed, blocked: { rule: "protect" as const, lift: "l" } } : renamed;
        const [created] = await given.apply(create, tried);
        expect(created).toMatchObject({ status: "skipped", error: { code: "key_taken" } });
        expect(given.log).not.toContain("insights.create");
      },
    );
  });

  describe("a domain that keeps people out, whose provider waits for the replacement of another domain", () => {
    const saml = { name: "Okta", config_scope: "saml", saml_x509_cert: "MIIB" };
    /** The domain, the other one, and the provider. */
    const plan = (given: World, live?: LiveObject): readonly Change[] => {
      given.add("domains", { domain: "old.com" });
      const shut = change("domain", { domain: "a.com", sso_enforcement: "saml" }, { name: "corp", live });
      const old = given.live("domain").find(({ keys }) => keys[0] === "old.com");
      const replaced = old && { ...old, onDifference: "replace" as const };
      const other = change("domain", { domain: "new.com" }, { name: "other", live: replaced });
      const ids = [live?.id ?? shut.address, other.address];
      return [shut, other, change("identity_provider_config", { ...saml, organization_domain_ids: ids })];
    };

    it("is shut after its provider, if it is new", async () => {
      const given = world();
      expect(statuses(await given.apply(...plan(given)))).toEqual(["applied", "applied", "applied"]);
      const writes = given.log.filter((one) => /create|update|delete/u.test(one));
      expect(writes.map((one) => one.split(" ")[0])).toEqual([
        "domains.create",
        "domains.create",
        "domains.delete",
        "identity_provider_configs.create",
        "domains.update",
      ]);
      const [provider] = given.rows.get("identity_provider_configs") ?? [];
      expect(provider?.["organization_domain_ids"]).toEqual(["domains-2", "domains-3"]);
    });

    it("is shut after its provider, if it is there", async () => {
      const given = world();
      given.add("domains", { domain: "a.com", sso_enforcement: "" });
      const changes = plan(given, given.live("domain")[0]);
      expect(changes.map(({ action }) => action)).toEqual(["update", "replace", "create"]);
      expect(statuses(await given.apply(...changes))).toEqual(["applied", "applied", "applied"]);
      expect(given.log.at(-1)).toMatch(/domains.(update|get)/u);
    });

    it("stays open if the run is interrupted before", async () => {
      const given = world();
      given.on("identity_provider_configs.create", (serve) => {
        given.abort.abort();
        return serve();
      });
      const outcomes = await given.apply(...plan(given));
      expect(statuses(outcomes)).toEqual(["unverified", "applied", "applied"]);
      expect(outcomes[0]?.error?.code).toBe("interrupted");
      expect(given.log.some((one) => one.startsWith("domains.update"))).toBe(false);
    });

    it("is tried once if it was not made", async () => {
      const given = world();
      const changes = plan(given);
      given.on("domains.create", refused("domains.create"));
      const outcomes = await given.apply(...changes.filter(({ action }) => action === "create"));
      expect(statuses(outcomes)).toEqual(["failed", "skipped"]);
      expect(outcomes[1]?.error?.code).toBe("reference_failed");
      expect(given.log).toEqual(["domains.create"]);
    });

    it("stays open if its provider was not made", async () => {
      const given = world();
      given.on("identity_provider_configs.create", refused("identity_provider_configs.create"));
      const outcomes = await given.apply(...plan(given));
      expect(statuses(outcomes)).toEqual(["unverified", "applied", "failed"]);
      expect(outcomes[0]?.error?.code).toBe("provider_failed");
    });
  });

  it("changes that wait for each other in a circle are not begun, and the others are", async () => {
    const given = world();
    given.add("domains", { domain: "a.com", sso_enforcement: "" });
    const [live] = given.live("domain");
    const renamed = change("domain", { domain: "b.com", sso_enforcement: "saml" }, { name: "corp", live });
    const taking = change("domain", { domain: "a.com" }, { name: "other" });
    const saml = { name: "Okta", config_scope: "saml", saml_x509_cert: "MIIB", domain_scope: "all" };
    const provider = change("identity_provider_config", { ...saml, organization_domain_ids: [taking.address] });
    const outcomes = await given.apply(renamed, taking, provider, change("domain", { domain: "c.com" }));
    expect(outcomes.map(({ status, error }) => [status, error?.code])).toEqual([
      ["skipped", "provider_failed"],
      ["skipped", "key_taken"],
      ["skipped", "reference_failed"],
      ["applied", undefined],
    ]);
  });

  it("runs at most eight changes at a time", async () => {
    const given = world();
    let [now, most] = [0, 0];
    given.on("domains.create", "always", async (serve) => {
      most = Math.max(most, (now += 1));
      await new Promise((resolve) => setImmediate(resolve));
      now -= 1;
      return serve();
    });
    const all = Array.from({ length: 30 }, (_, index) => change("domain", { domain: `${String(index)}.com` }));
    expect(new Set(statuses(await given.apply(...all)))).toEqual(new Set(["applied"]));
    expect(most).toBe(8);
  });

  it("returns outcomes in the order of the plan, and reports each as it comes", async () => {
    const given = world();
    given.add("domains", { domain: "gone.com" });
    const [live] = given.live("domain");
    if (live === undefined) throw new Error("no domain");
    const reported: string[] = [];
    const context = given.context();
    const { executePlan } = await import("../../../../src/apply/execute-plan.ts");
    const changes = [removal("domain", { domain: "gone.com" }, live), change("domain", { domain: "a.com" })];
    const plan = {
      summary: {} as never,
      options: { prune: false, only: [], rotate: [] },
      changes,
      unmanaged: [],
      diagnostics: [],
    };
    const outcomes = await executePlan(plan, { ...context, onOutcome: ({ address }) => void reported.push(address) });
    expect(outcomes.map(({ address }) => address)).toEqual(["acme/domains/gone.com", "acme/domains/a.com"]);
    expect(reported).toEqual(["acme/domains/a.com", "acme/domains/gone.com"]);
    expect(outcomes.every((outcome) => !("work" in outcome))).toBe(true);
  });
});

describe("deletes", () => {
  const withOne = (): { readonly given: World; readonly gone: Change } => {
    const given = world();
    given.add("domains", { domain: "gone.com" });
    const [live] = given.live("domain");
    if (live === undefined) throw new Error("no domain");
    return { given, gone: removal("domain", { domain: "gone.com" }, live) };
  };

  it("come last", async () => {
    const { given, gone } = withOne();
    given.on("domains.create", async (serve) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return serve();
    });
    expect(statuses(await given.apply(gone, change("domain", { domain: "a.com" })))).toEqual(["applied", "applied"]);
    expect(given.log).toEqual(["domains.create", "domains.get domains-1", "domains.delete domains-1"]);
  });

  it.each([
    ["a create failed", "domains.create", change("domain", { domain: "a.com" })],
    ["the outcome of a create is unknown", "domains.list", change("domain", { domain: "a.com" })],
  ] as const)("are not begun if %s", async (_name, operation, other) => {
    const { given, gone } = withOne();
    given.on("domains.create", () =>
      Promise.reject(apiError("domains.create", { tookEffect: operation === "domains.list" ? "maybe" : "no" })),
    );
    given.on("domains.list", "always", () =>
      Promise.reject(apiError("domains.list", { kind: "scope", tookEffect: "no" })),
    );
    const outcomes = await given.apply(gone, other);
    expect(statuses(outcomes)).toEqual(["skipped", operation === "domains.list" ? "unknown" : "failed"]);
    expect(outcomes[0]?.error?.code).toBe("not_removed");
    expect(given.rows.get("domains")).toHaveLength(1);
  });

  it("of an update that failed are not begun either", async () => {
    const { given, gone } = withOne();
    given.add("domains", { domain: "b.com", sso_enforcement: "" });
    const live = given.live("domain").find(({ keys }) => keys[0] === "b.com");
    given.on("domains.update", refused("domains.update"));
    const outcomes = await given.apply(gone, change("domain", { domain: "b.com", sso_enforcement: "saml" }, { live }));
    expect(statuses(outcomes)).toEqual(["skipped", "failed"]);
    expect(given.rows.get("domains")).toHaveLength(2);
  });

  it.each([
    ["was written in part are not begun", { kind: "invalid", status: 400, tookEffect: "no" }, "not_removed"],
    ["the service has made something else of are made", undefined, undefined],
  ] as const)("after a change that %s", async (_name, refusal, code) => {
    const { given, gone } = withOne();
    const values = { name: "E", interval: "hour", destination: NO_OP, paused: false };
    if (refusal === undefined)
      given.on("batch_exports.create", (serve) => {
        const body = { ...(serve().body as JsonObject), interval: "day" };
        given.rows.set("batch_exports", [body]);
        given.on("batch_exports.update", () => ({ status: 200, body }));
        return { status: 201, body };
      });
    else given.on("batch_exports.unpause", () => Promise.reject(apiError("batch_exports.unpause", refusal)));
    const [removed, made] = await given.apply(gone, change("batch_export", values));
    expect(made?.status).toBe("unverified");
    expect(removed?.error?.code).toBe(code);
  });

  it("at the same depth do not wait for each other, however long their addresses are", async () => {
    const { given, gone } = withOne();
    given.add("domains", { domain: "a-longer-name.com" });
    const live = given.live("domain")[1];
    if (live === undefined) throw new Error("no domain");
    given.on("domains.delete", refused("domains.delete"));
    const longer = removal("domain", { domain: "a-longer-name.com" }, live);
    expect(statuses(await given.apply(longer, gone))).toEqual(["failed", "applied"]);
  });

  it("remove children before parents, and no parent whose child could not be removed", async () => {
    for (const fails of [false, true]) {
      const given = world();
      given.add("organizations", { name: "acme" });
      given.add("domains", { domain: "gone.com" });
      const [organization, domain] = [given.live("organization", "")[0], given.live("domain")[0]];
      if (organization === undefined || domain === undefined) throw new Error("nothing live");
      if (fails) given.on("domains.delete", refused("domains.delete"));
      const parent = removal("organization", { name: "acme" }, organization, "");
      const outcomes = await given.apply(parent, removal("domain", { domain: "gone.com" }, domain));
      expect(statuses(outcomes)).toEqual(fails ? ["skipped", "failed"] : ["applied", "applied"]);
      const deletes = given.log.filter((one) => one.includes("delete"));
      expect(deletes).toEqual(
        fails ? ["domains.delete domains-2"] : ["domains.delete domains-2", "organizations.delete organizations-1"],
      );
    }
  });
});

describe("an interruption", () => {
  it("finishes requests in flight, and begins nothing new, including deletes", async () => {
    const given = world();
    given.add("domains", { domain: "gone.com" });
    const [live] = given.live("domain");
    if (live === undefined) throw new Error("no domain");
    let begun = 0;
    given.on("domains.create", "always", async (serve) => {
      if ((begun += 1) === 8) given.abort.abort();
      await new Promise((resolve) => setImmediate(resolve));
      return serve();
    });
    const all = Array.from({ length: 12 }, (_, index) => change("domain", { domain: `${String(index)}.com` }));
    const outcomes = await given.apply(...all, removal("domain", { domain: "gone.com" }, live));
    expect(statuses(outcomes).filter((status) => status === "applied")).toHaveLength(8);
    const skipped = outcomes.filter(({ status }) => status === "skipped");
    expect(skipped.map(({ error }) => error?.code)).toEqual(Array(5).fill("interrupted"));
    expect(given.log).toHaveLength(8);
  });
});

describe("a bug in driftline", () => {
  it("ends its change, not the run, and is never a success", async () => {
    const given = world();
    given.on("domains.create", () => Promise.reject(new TypeError("x is not a function")));
    const context = given.context;
    const [bad, good] = await given.apply(
      change("domain", { domain: "a.com" }),
      change("insight", { name: "I" }, INSIGHTS),
    );
    expect(bad).toMatchObject({ status: "unknown", error: { code: "defect", message: "x is not a function" } });
    expect(good).toMatchObject({ status: "applied" });
    // Nothing says whether the create has taken effect.
    expect(context().journal.open()).toHaveLength(1);
  });
});
