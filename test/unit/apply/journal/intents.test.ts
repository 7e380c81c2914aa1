import { describe, expect, it } from "vitest";
import { createHolders } from "../../../../src/apply/schedule/holders.ts";
import { type OpenIntent } from "../../../../src/apply/journal/intents.ts";
import { closeResolvedIntents, hideUnfinished } from "../../../../src/apply/journal/intent-objects.ts";
import { listKey } from "../../../../src/model/live.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import type { ApplyContext } from "../../../../src/apply/run-state.ts";
import { change, INSIGHTS, intentOf, ORGANIZATION, URL_OF_FAKE, world, type World } from "../support.ts";

const DOMAIN = change("domain", { domain: "a.com" });
const SETTLE_TIME = 60_000;
/** No request of the intents can be under way any more. */
const AT = { url: URL_OF_FAKE, now: 1_700_000_000_000 + 60 * 60_000 };

async function create(given: World): Promise<Outcome | undefined> {
  return (await given.apply(DOMAIN))[0];
}

describe("an intent that an earlier run left open", () => {
  const ages = { "a minute ago": 60_000, "at another time, by a clock that went back": -86_400_000 };

  it("is resolved before anything is created under its key: its object is adopted", async () => {
    const given = world({ intents: [intentOf({})] });
    // The plan did not see it: it landed in between.
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    given.add("domains", { domain: "a.com" });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(given.log).toEqual(["domains.list"]);
    expect(given.journal.open()).toEqual([]);
  });

  it.each(Object.entries(ages))(
    "%s waits for the whole settle time, as its request may have been held back",
    async (_name, age) => {
      const given = world();
      const intent = intentOf({ at: given.clock.time - age });
      const later = world({ intents: [intent] });
      const start = later.clock.time;
      let sentAt = 0;
      later.on("domains.create", (serve) => {
        sentAt = later.clock.time - start;
        return serve();
      });
      expect(await create(later)).toMatchObject({ status: "applied" });
      expect(sentAt).toBeGreaterThanOrEqual(SETTLE_TIME);
      expect(sentAt).toBeLessThan(SETTLE_TIME + 5_000);
      expect(later.journal.records[0]).toBe("settle not created");
    },
  );

  it.each([
    ["5 hours old and of an apply, whose deadline is over", 5, undefined, 0],
    ["5 hours old and of Pulumi, was perhaps sent right before that ended", 5, "urn:pulumi:dev::app", SETTLE_TIME],
    ["26 hours old and of Pulumi, whose deadline is over", 26, "urn:pulumi:dev::app", 0],
  ])("that is %s", async (_name, hours, owner, wait) => {
    const given = world({ intents: [intentOf({ at: 1_700_000_000_000 - hours * 60 * 60_000, owner })] });
    const before = given.clock.time;
    expect(await create(given)).toMatchObject({ status: "applied" });
    const waited = given.clock.time - before;
    expect([waited >= wait, waited < wait + 2_000]).toEqual([true, true]);
  });

  it("of a run that ended long ago needs two empty lists and no waiting", async () => {
    const given = world({ intents: [intentOf({ at: 1_700_000_000_000 - 2 * 60 * 60_000 })] });
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["domains.list", "domains.list", "domains.create"]);
    expect(given.clock.slept).toEqual([500]);
  });

  it.each([
    ["service", { url: "https://other.example" }],
    ["kind", { kind: "invite" }],
    ["scope", { scope: { organization_id: "other" } }],
    ["key", { key: "b.com" }],
  ])("of another %s is not touched", async (_name, fields) => {
    const given = world({ intents: [intentOf(fields)] });
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["domains.list", "domains.create"]);
    expect(given.journal.open()).toHaveLength(1);
  });

  it("is resolved under the empty key if its object has no natural key", async () => {
    const given = world({ intents: [intentOf({ kind: "insight", scope: { project_id: "2" }, key: "" })] });
    const insight = change("insight", { description: "d" }, { ...INSIGHTS, name: "one" });
    expect(await given.apply(insight)).toMatchObject([{ status: "applied" }]);
    expect(given.journal.records).toEqual(["settle not created", "begin ", "settle insights-1"]);
  });

  it("keeps its own record of the objects that existed before", async () => {
    const given = world({ intents: [intentOf({ known: ["domains-1"] })] });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    given.add("domains", { domain: "a.com" });
    given.add("domains", { domain: "a.com" });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-2" });
  });
});

describe("closing resolved intents", () => {
  const open = async (intent: OpenIntent, rows: readonly string[]): Promise<number> => {
    const given = world({ intents: [intent] });
    for (const domain of rows) given.add("domains", { domain });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: given.live("domain") });
    await closeResolvedIntents(given.context(), createHolders({ changes: [] } as never));
    expect(given.log).toEqual([]);
    return given.journal.open().length;
  };

  it.each([
    ["is closed if the plan saw its object", {}, ["a.com"], 0],
    ["stays open if the plan saw no such object", {}, ["b.com"], 1],
    ["stays open if the plan saw only objects that existed before", { known: ["domains-1"] }, ["a.com"], 1],
    ["of another service stays open", { url: "https://b" }, ["a.com"], 1],
    ["of another scope stays open", { scope: { organization_id: "x" } }, ["a.com"], 1],
    ["is dropped after a week without anybody asking", { at: 1_700_000_000_000 - 8 * 86_400_000 }, [], 0],
    ["is not dropped after a day", { at: 1_700_000_000_000 - 86_400_000 }, [], 1],
    ["is not dropped before the week is over", { at: 1_700_000_000_000 - 7 * 86_400_000 }, [], 1],
    [
      "of a scope with one id more stays open",
      { scope: { organization_id: ORGANIZATION, project_id: "2" } },
      ["a.com"],
      1,
    ],
    ["of a scope with one id less stays open", { scope: {} }, ["a.com"], 1],
    [
      "of a replace stays open while the object that is to go is there",
      { replaces: "domains-1", known: ["domains-1"] },
      ["a.com", "a.com"],
      1,
    ],
    ["of a replace is closed once that object is gone", { replaces: "gone", known: ["gone"] }, ["a.com"], 0],
  ] as const)("one %s", async (_name, fields, rows, left) => {
    expect(await open(intentOf(fields), rows)).toBe(left);
  });

  it("a plan sees only the replaced object of an unfinished replace", () => {
    const given = world();
    for (const domain of ["a.com", "a.com", "b.com"]) given.add("domains", { domain });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: given.live("domain") });
    const seen = (intent: OpenIntent): readonly string[] | undefined =>
      hideUnfinished(given.context().world, [intent], AT)
        .lists.get(listKey("acme", "domain"))
        ?.objects.map(({ id }) => id);
    const replacing = intentOf({ replaces: "domains-1", known: ["domains-1", "domains-3"] });
    expect(seen(replacing)).toEqual(["domains-1", "domains-3"]);
    const all = ["domains-1", "domains-2", "domains-3"];
    expect(seen(intentOf({ known: ["domains-1"] }))).toEqual(all);
    expect(seen({ ...replacing, replaces: "gone" })).toEqual(all);
    expect(seen({ ...replacing, url: "https://b" })).toEqual(all);
    expect(seen({ ...replacing, scope: { organization_id: `${ORGANIZATION}x` } })).toEqual(all);
  });

  it.each([
    ["the only one of an unanswered create", {}, ["a.com"], 1],
    ["several, which the plan names itself", {}, ["a.com", "a.com"], 0],
    ["the object in the answer", { made: "domains-1" }, ["a.com"], 0],
    ["the object in the answer, and another one", { made: "domains-1" }, ["a.com", "a.com"], 2],
    ["after an hour", { at: AT.now - 60 * 60_000 }, ["a.com"], 0],
    ["of a kind of which the service keeps one", { kind: "invite" }, ["a.com"], 0],
  ] as const)("what other runs may have made is for apply to find out: %s", async (_name, fields, rows, hidden) => {
    const intent = intentOf({ at: AT.now - 60 * 60_000 + 1, ...fields });
    const given = world({ intents: [intent] });
    given.clock.time = AT.now;
    if (intent.kind === "domain") for (const domain of rows) given.add("domains", { domain });
    else given.add("invites", { target_email: "a.com" });
    const kind = intent.kind as "domain" | "invite";
    given.lists.set(listKey("acme", kind), { status: "known", objects: given.live(kind) });
    const context: ApplyContext = { ...given.context(), otherRuns: "look after" };
    const seen = hideUnfinished(context.world, [intent], AT).lists.get(listKey("acme", kind))?.objects;
    expect(seen).toHaveLength(rows.length - hidden);
    await closeResolvedIntents(context, createHolders({ changes: [] } as never));
    expect(given.journal.open()).toHaveLength(hidden === 0 ? 0 : 1);
  });

  it("a world without an unfinished replace is unchanged", () => {
    const { world: listed } = world().context();
    expect(hideUnfinished(listed, [intentOf({ replaces: "gone" })], AT)).toBe(listed);
  });

  it("an unfinished replace hides its new object in every list, and changes nothing else in them", () => {
    const given = world();
    for (const name of ["E", "E"]) given.add("batch_exports", { name });
    const objects = given.live("batch_export");
    const lists = ["acme", "acme/projects/web"].map((scope) => listKey(scope, "batch_export"));
    for (const list of lists) given.lists.set(list, { status: "known", objects });
    const intent = intentOf({
      kind: "batch_export",
      key: "E",
      replaces: "batch_exports-1",
      known: ["batch_exports-1"],
    });
    const seen = hideUnfinished(given.context().world, [intent], AT);
    for (const list of lists) expect(seen.lists.get(list)).toEqual({ status: "known", objects: objects.slice(0, 1) });
    expect(seen.scopes).toBe(given.scopes);
  });

  it("an intent whose object has moved to the list of a sibling kind is closed", async () => {
    const intent = intentOf({ kind: "pipeline_destination", key: "P" });
    const given = world({ intents: [intent] });
    given.add("pipeline_frontend_apps", { name: "P", plugin_type: "source" });
    const objects = given.live("pipeline_frontend_app");
    given.lists.set(listKey("acme", "pipeline_frontend_app"), { status: "known", objects });
    await closeResolvedIntents(given.context(), createHolders({ changes: [] } as never));
    // The key of an intent is the natural key that its kind gives.
    expect(objects[0]?.keys).toContain(intent.key);
    expect(given.journal.records).toEqual(["settle pipeline_frontend_apps-1"]);
  });

  it("an intent stays open if only an object of another kind has its name", async () => {
    const given = world({ intents: [intentOf({ kind: "batch_export", key: "E" })] });
    given.add("pipeline_destinations", { name: "E" });
    const objects = given.live("pipeline_destination");
    given.lists.set(listKey("acme", "pipeline_destination"), { status: "known", objects });
    await closeResolvedIntents(given.context(), createHolders({ changes: [] } as never));
    expect([objects[0]?.keys.includes("E"), given.journal.records]).toEqual([true, []]);
  });

  it("an intent is closed with the id of its object, an expired one without an id", async () => {
    const given = world({ intents: [intentOf({}), intentOf({ id: "old", key: "b.com", at: 0 })] });
    given.add("domains", { domain: "a.com" });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: given.live("domain") });
    await closeResolvedIntents(given.context(), createHolders({ changes: [] } as never));
    expect(given.journal.records).toEqual(["settle domains-1", "settle not created"]);
  });

  it.each([{}, { replaces: "domains-0" }])("an intent (%j) of an unknown scope stays open", async (fields) => {
    const given = world({ intents: [intentOf(fields)] });
    given.add("domains", { domain: "a.com" });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: given.live("domain") });
    given.scopes.set("acme", { status: "unknown", reason: "GET answered 500", isDenied: false });
    await closeResolvedIntents(given.context(), createHolders({ changes: [] } as never));
    expect(given.journal.records).toEqual([]);
  });

  it("an intent stays open if the object with its name is the resource of another scope", async () => {
    const [organization, project] = ["acme", "acme/projects/web"];
    for (const [address, owner, left] of [
      [organization, "acme/projects/web/batch_exports/e", 1],
      [organization, "acme/batch_exports/e", 0],
      [project, "acme/projects/web/batch_exports/e", 0],
      [project, "acme/batch_exports/e", 1],
    ] as const) {
      const scope = address === project ? { project_id: "2" } : { organization_id: ORGANIZATION };
      const given = world({ intents: [intentOf({ kind: "batch_export", key: "E", scope })] });
      given.add("batch_exports", { name: "E" });
      given.lists.set(listKey(address, "batch_export"), { status: "known", objects: given.live("batch_export") });
      const holders = createHolders({ changes: [] } as never);
      holders.hold(owner, "batch_export", "batch_exports-1");
      await closeResolvedIntents(given.context(), holders);
      expect(given.journal.open()).toHaveLength(left);
    }
  });
});
