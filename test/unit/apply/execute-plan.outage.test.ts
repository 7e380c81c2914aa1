import { describe, expect, it, vi } from "vitest";
import { executePlan } from "../../../src/apply/execute-plan.ts";
import { createCircuitBreaker } from "../../../src/apply/schedule/circuit-breaker.ts";
import type { Change } from "../../../src/model/change.ts";
import { listKey } from "../../../src/model/live.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { apiError, change, INSIGHTS, intentOf, loses, lost, removal, world, type World } from "./support.ts";

describe("an outage of creates", () => {
  const domains = (count: number): readonly Change[] =>
    Array.from({ length: count }, (_, index) => change("domain", { domain: `${String(index)}.com` }));
  const fail = (): never => {
    throw apiError("domains.create", {});
  };
  const sent = ({ log }: World): number => log.filter((one) => one === "domains.create").length;
  const statuses = (outcomes: readonly Outcome[]): ReadonlySet<string> =>
    new Set(outcomes.map(({ status, error }) => `${status} ${error?.code ?? ""}`));

  it("stops the family: what was sent is proven not created, the rest is skipped for one reason", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("domains.create", "always", fail);
    const outcomes = await given.apply(...domains(100));
    // In flight are eight, and those that took the slots of the first four that failed.
    expect(sent(given)).toBeLessThanOrEqual(4 + 8 + 12);
    expect(given.journal.open()).toEqual([]);
    const skipped = outcomes.filter(({ status }) => status === "skipped");
    expect(skipped.map(({ requests }) => requests)).toEqual(skipped.map(() => 0));
    expect(new Set(skipped.map(({ error }) => JSON.stringify(error))).size).toBe(1);
    expect(statuses(outcomes)).toEqual(new Set(["failed not_created", "skipped family_stopped"]));
    expect(outcomes.length - skipped.length).toBe(sent(given));
    expect(sentencesOf(outcomes.find(({ status }) => status === "failed")?.error)).toMatchSnapshot();
  });

  it("leaves nothing to do for a run after it but the creates", async () => {
    const given = world();
    given.on("domains.create", "always", fail);
    await given.apply(...domains(30));
    given.on("domains.create");
    expect(statuses(await given.apply(...domains(30)))).toEqual(new Set(["applied "]));
    expect(given.rows.get("domains")).toHaveLength(30);
  });

  it("stops no family if the objects exist in spite of the errors", async () => {
    const given = world();
    given.on("domains.create", "always", (serve) => {
      serve();
      return fail();
    });
    expect(statuses(await given.apply(...domains(100)))).toEqual(new Set(["applied "]));
    expect([sent(given), given.rows.get("domains")?.length]).toEqual([100, 100]);
  });

  it("removes nothing, even if everything that was sent turns out to be created", async () => {
    const given = world({ settleAfterMs: 10_000_000 });
    given.add("domains", { domain: "old.com" });
    const old = given.live("domain");
    const start = given.clock.time;
    given.on("domains.create", "always", (serve) => {
      serve();
      return fail();
    });
    given.on("domains.list", "always", (serve) =>
      given.clock.time < start + 500_000 ? { status: 200, body: [] } : serve(),
    );
    const outcomes = await given.apply(...domains(50), ...old.map((live) => removal("domain", {}, live)));
    expect(statuses(outcomes)).toEqual(new Set(["applied ", "skipped family_stopped", "skipped not_removed"]));
  });

  it("that ends lets the rest be created, and sends again what failed as long as the budget lasts", async () => {
    const given = world();
    let budget = 4;
    Object.assign(given.client, { takeRetry: () => budget-- > 0 });
    given.on("domains.create", ...Array.from({ length: 10 }, () => fail));
    const outcomes = await given.apply(...domains(100));
    expect(outcomes.filter(({ status }) => status === "applied")).toHaveLength(90 + 4);
    expect(statuses(outcomes)).toEqual(new Set(["applied ", "failed not_created"]));
    expect([sent(given), given.rows.get("domains")?.length]).toEqual([100 + 4, 94]);
    expect(given.journal.open()).toEqual([]);
    expect(sentencesOf(outcomes.find(({ status }) => status === "failed")?.error)).toMatchSnapshot();
  });

  it("takes no retry for the first request of a run, even if an earlier run has sent one", async () => {
    const given = world({ intents: [intentOf({ key: "a.com" })] });
    Object.assign(given.client, { takeRetry: () => false });
    expect(await given.apply(change("domain", { domain: "a.com" }))).toMatchObject([{ status: "applied" }]);
  });

  it.each([
    ["ends if a create that failed in this run has created its object", [], 1],
    ["does not end because the object of an earlier run is found", [intentOf({})], 0],
  ])("%s", async (_name, intents, times) => {
    const given = world({ intents });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    if (intents.length > 0) given.add("domains", { domain: "a.com" });
    given.on("domains.create", loses("domains.create"));
    const circuits = createCircuitBreaker(given.clock);
    const succeeded = vi.spyOn(circuits, "succeeded");
    const options = { prune: false, only: [], rotate: [] };
    const changes = [change("domain", { domain: "a.com" })];
    const plan = { summary: {} as never, options, changes, unmanaged: [], diagnostics: [] };
    expect(await executePlan(plan, { ...given.context(), circuits })).toMatchObject([{ status: "applied" }]);
    expect(succeeded).toHaveBeenCalledTimes(times);
  });

  it("keeps the intent that carries the values of a removed object, if the retries are used up", async () => {
    const given = world({ intents: [] });
    Object.assign(given.client, { takeRetry: () => false });
    given.on("invites.create", "always", () => Promise.reject(lost("invites.create")));
    given.add("invites", { target_email: "eve@acme.com", level: 1, message: "hi" });
    const live = given.live("invite")[0];
    const [outcome] = await given.apply(change("invite", { target_email: "eve@acme.com", level: 8 }, { live }));
    expect(outcome).toMatchObject({ action: "replace", status: "failed" });
    expect(given.journal.open()).toMatchObject([{ carried: { message: "hi" } }]);
  });
});

describe("an outage of the reads before updates", () => {
  const updating = () => {
    const given = world();
    for (let index = 0; index < 40; index += 1)
      given.add("insights", { name: `I${String(index)}`, short_id: `s${String(index)}`, description: "old" });
    const changes = given
      .live("insight", INSIGHTS.scope)
      .map((live, index) =>
        change("insight", { name: `I${String(index)}`, description: "new" }, { ...INSIGHTS, live }),
      );
    return { given, changes };
  };
  const fail = (): never => {
    throw apiError("insights.get", {});
  };

  it("that ends costs no change", async () => {
    const { given, changes } = updating();
    given.on("insights.get", ...Array.from({ length: 12 }, () => fail));
    const outcomes = await given.apply(...changes);
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set(["applied"]));
  });

  it("that does not end skips what waits for it, and hardly asks", async () => {
    const { given, changes } = updating();
    given.on("insights.get", "always", fail);
    const outcomes = await given.apply(...changes);
    expect(new Set(outcomes.map(({ status, error }) => `${status} ${error?.code ?? ""}`))).toContain(
      "skipped family_stopped",
    );
    expect(given.log.filter((one) => one.startsWith("insights.update"))).toEqual([]);
    expect(given.log.length).toBeLessThanOrEqual(2 * 8 + 12);
  });

  it("of one object alone fails that object", async () => {
    const { given, changes } = updating();
    given.on("insights.get", "always", (serve, { path }) =>
      JSON.stringify(path).includes('insights-7"') ? fail() : serve(),
    );
    const outcomes = await given.apply(...changes);
    expect(outcomes.filter(({ status }) => status === "failed")).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === "applied")).toHaveLength(39);
  });
});
