import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { change, INSIGHTS, world, type World } from "./support.ts";

async function only(given: World, one: ReturnType<typeof change>): Promise<Outcome> {
  const [outcome] = await given.apply(one);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

/** A world with an insight in it, and the update of that. */
function updating() {
  const given = world();
  given.add("insights", { name: "I", short_id: "aBc", description: "old" });
  const [live] = given.live("insight", INSIGHTS.scope);
  return { given, update: change("insight", { name: "I", description: "new" }, { ...INSIGHTS, live }) };
}

describe("an answer about another object", () => {
  it("to a create is not a success, and an object that existed before is not touched", async () => {
    const given = world();
    given.add("domains", { domain: "old.com", sso_enforcement: "" });
    given.on("domains.create", () => ({ status: 201, body: given.rows.get("domains")?.[0] }));
    const outcome = await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }));
    const message = expect.stringContaining("domains.create") as string;
    expect(outcome).toMatchObject({ status: "unknown", id: null, error: { code: "outcome_unknown", message } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(given.log).toEqual(["domains.create"]);
    expect(given.journal.open()).toHaveLength(1);
  });

  it.each<[string, JsonObject, boolean]>([
    ["to an update is not used", { id: "other" }, true],
    ["whose id is written in other letters is not one", { id: "INSIGHTS-1" }, false],
    ["that has an id of other letters and more is one", { id: "INSIGHTS-10" }, true],
  ])("%s", async (_name, shown, isRead) => {
    const { given, update } = updating();
    given.on("insights.update", (serve) => ({ ...serve(), body: { ...(serve().body as JsonObject), ...shown } }));
    expect(await only(given, update)).toMatchObject({ status: "applied" });
    const reads = given.log.filter((one) => one.startsWith("insights.get"));
    expect(reads).toHaveLength(isRead ? 2 : 1);
  });

  it("to a read leaves the write unverified", async () => {
    const { given, update } = updating();
    given.on("insights.update", (serve) => {
      const { body } = serve();
      given.on("insights.get", () => ({ status: 200, body: { ...(body as JsonObject), id: "other" } }));
      return { status: 200, body: undefined };
    });
    const outcome = await only(given, update);
    const message = expect.stringContaining("insights-1") as string;
    expect(outcome).toMatchObject({ status: "unverified", id: "insights-1", error: { code: "not_shown", message } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("to a restore is not used, and the object is read", async () => {
    const given = world();
    given.add("insights", { name: "I", short_id: "aBc", deleted: true });
    const [live] = given.live("insight", INSIGHTS.scope);
    given.on("insights.update", (serve) => ({ ...serve(), body: { id: "other", name: "I" } }));
    expect(await only(given, change("insight", { name: "I" }, { ...INSIGHTS, live }))).toMatchObject({
      status: "applied",
      id: "insights-1",
    });
    expect(given.log).toEqual(["insights.update insights-1", "insights.get insights-1"]);
  });

  it("is about the same object if that was requested by another of its ids", async () => {
    const given = world();
    given.add("insights", { id: 7, name: "I", short_id: "aBc", deleted: true });
    const made = change("insight", { name: "I" }, INSIGHTS);
    const { live: _live, ...work } = made.work ?? { scope: "", body: {}, key: null };
    given.on("insights.update", () => ({ status: 200, body: { id: 7, name: "I", short_id: "aBc" } }));
    expect(await only(given, { ...made, action: "restore", id: "aBc", work })).toMatchObject({
      status: "applied",
      id: "7",
    });
    expect(given.log).toEqual(["insights.update aBc"]);
  });
});
