import { describe, expect, it } from "vitest";
import { executePlan } from "../../../src/apply/execute-plan.ts";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { listKey } from "../../../src/model/live.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { apiError, change, world, type World } from "./support.ts";

const EVE = "eve@acme.com";
const ORGANIZATION = change("organization", { name: "beta" }, { scope: "", name: "beta", lifecycle: { create: true } });
const EVE_AS_OWNER = change("membership", { level: 15 }, { scope: "beta", name: EVE });

const member = (uuid: string, email: string, level: number): JsonObject => ({ level, user: { uuid, email } });

/** A service that makes these people members of the organization `beta` when it is created, which no plan has seen. */
function creating(...members: readonly JsonObject[]): World {
  const given = world();
  given.scopes.set("beta", { status: "absent" });
  given.lists.set(listKey("", "organization"), { status: "known", objects: [] });
  given.on("organizations.create", (serve) => {
    for (const one of members) given.add("members", one);
    return serve();
  });
  return given;
}

/** Creates the organization and then applies the change in it. Returns the outcome of that change. */
async function applyIn(given: World, child: Change): Promise<Outcome | undefined> {
  const options = { prune: false, only: [], rotate: [] };
  const plan = { summary: {} as never, options, changes: [ORGANIZATION, child], unmanaged: [], diagnostics: [] };
  const [parent, outcome] = await executePlan(plan, given.context());
  expect(parent).toMatchObject({ status: "applied" });
  return outcome;
}

const invitesSent = ({ log }: World): number => log.filter((one) => one === "invites.create").length;

describe("a create in an organization that was just created", () => {
  it("is no change if the object came with it as declared", async () => {
    const given = creating(member("u-0", "bob@acme.com", 1), member("u-1", EVE, 15));
    const outcome = await applyIn(given, EVE_AS_OWNER);
    expect(outcome).toMatchObject({ action: "no_op", status: "unchanged", id: "u-1", fields: [], error: null });
    expect(sentencesOf(outcome)).toMatchSnapshot();
    expect([invitesSent(given), given.journal.records]).toEqual([0, ["begin beta", "settle organizations-3"]]);
  });

  it("is skipped, with the id of the object, if it came with it and differs", async () => {
    const given = creating(member("u-1", EVE, 15));
    const outcome = await applyIn(given, change("membership", { level: 1 }, { scope: "beta", name: EVE }));
    expect(outcome).toMatchObject({ action: "create", status: "skipped", id: "u-1", error: { code: "stale" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(given.log.filter((one) => one.startsWith("members.update"))).toEqual([]);
    expect(invitesSent(given)).toBe(0);
  });

  it("is no change if the object that came with it is a placeholder, regardless of other fields", async () => {
    const given = creating(member("u-1", EVE, 15));
    const invite = change("invite", { target_email: EVE, level: 1 }, { scope: "beta" });
    expect(await applyIn(given, invite)).toMatchObject({ action: "no_op", status: "unchanged", id: "u-1" });
    expect(invitesSent(given)).toBe(0);
  });

  it("is sent if only other objects came with it", async () => {
    const given = creating(member("u-0", "bob@acme.com", 15));
    given.on("invites.create", (serve, { path }) => {
      expect(path).toEqual({ organization_id: "organizations-2" });
      return serve();
    });
    expect(await applyIn(given, EVE_AS_OWNER)).toMatchObject({ action: "create", status: "applied", id: "invites-3" });
    expect(invitesSent(given)).toBe(1);
  });

  it("is sent without a look if no object of its kind comes with an organization", async () => {
    const given = creating();
    const domain = change("domain", { domain: "a.com" }, { scope: "beta" });
    expect(await applyIn(given, domain)).toMatchObject({ action: "create", status: "applied" });
    expect(given.log).toEqual(["organizations.list", "organizations.create", "domains.create"]);
  });

  it("is not sent if the lists cannot be read", async () => {
    const given = creating(member("u-1", EVE, 15));
    given.on("members.list", () => Promise.reject(apiError("members.list", { tookEffect: "no" })));
    expect(await applyIn(given, EVE_AS_OWNER)).toMatchObject({ status: "failed" });
    expect(invitesSent(given)).toBe(0);
  });
});

describe("a create in an organization that the plan has seen", () => {
  it("is stale if its object appeared meanwhile, even if it is as declared", async () => {
    const given = world();
    given.lists.set(listKey("acme", "membership"), { status: "known", objects: [] });
    given.add("members", member("u-1", EVE, 15));
    const [outcome] = await given.apply(change("membership", { level: 15 }, { name: EVE }));
    expect(outcome).toMatchObject({ action: "create", status: "skipped", id: "u-1", error: { code: "stale" } });
  });

  it("takes the objects of a group that the plan has not read for new ones", async () => {
    const given = world();
    given.add("pipeline_frontend_apps", { name: "P", plugin_type: "source" });
    const plugin = change("pipeline_destination", { name: "P", plugin_type: "source" });
    given.lists.set(listKey("acme", "pipeline_destination"), { status: "known", objects: [] });
    const options = { prune: false, only: [], rotate: [] };
    const plan = { summary: {} as never, options, changes: [plugin], unmanaged: [], diagnostics: [] };
    expect(await executePlan(plan, given.context())).toMatchObject([
      { status: "skipped", id: "pipeline_frontend_apps-1", error: { code: "stale" } },
    ]);
  });

  it("has an empty key in the journal if its object has no natural key", async () => {
    const given = world();
    const [outcome] = await given.apply(
      change("insight", { description: "d" }, { scope: "acme/projects/web", name: "one" }),
    );
    expect(outcome).toMatchObject({ status: "applied" });
    expect(given.journal.records).toEqual(["begin ", "settle insights-1"]);
  });
});
