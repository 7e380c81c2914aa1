import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { Change } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { KindName } from "../../../../src/model/kind-name.ts";
import { pruneChange } from "../../../../src/plan/make-change.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, INSIGHTS, loses, lost, removal, world, type World } from "../support.ts";

const DOMAIN = { domain: "a.com" };
const EVE = "eve@acme.com";
const notFound = (operation: string) => (): Promise<never> =>
  Promise.reject(apiError(operation, { kind: "not_found", status: 404, tookEffect: "no" }));

function removing(
  kind: KindName,
  family: string,
  row: JsonObject,
  values: JsonObject = row,
  scope = "acme",
): { readonly given: World; readonly gone: Change } {
  const given = world();
  given.add(family, row);
  const [live] = given.live(kind, scope);
  if (live === undefined) throw new Error("nothing live");
  const lifecycle = { state: "absent" as const };
  const name = live.keys[0] ?? "one";
  return { given, gone: change(kind, values, { live, scope, lifecycle, name }) };
}

const oneDomain = (): ReturnType<typeof removing> => removing("domain", "domains", DOMAIN);

/** A world with these domains, and the removal of the first. */
function domains(...names: readonly string[]): { readonly given: World; readonly gone: Change } {
  const given = world();
  for (const domain of names) given.add("domains", { domain });
  const [live] = given.live("domain");
  if (live === undefined) throw new Error("nothing live");
  return { given, gone: removal("domain", { domain: names[0] ?? "" }, live) };
}

/** A member with two more invites, and the removal of that membership. */
function membership(): { readonly given: World; readonly gone: Change } {
  const given = world();
  given.add("members", { level: 1, user: { uuid: "u-1", email: EVE } });
  given.add("invites", { target_email: EVE, level: 1 });
  given.add("invites", { target_email: EVE, level: 8 });
  const [live] = given.live("membership");
  return { given, gone: change("membership", { level: 1 }, { live, lifecycle: { state: "absent" }, name: EVE }) };
}

describe("a removal", () => {
  it("reads the object once more and then removes it", async () => {
    const { given, gone } = oneDomain();
    expect(await given.apply(gone)).toMatchObject([{ status: "applied", id: "domains-1", requests: 2 }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.delete domains-1"]);
  });

  it("whose answer is not the one to a removal is checked with the list", async () => {
    const { given, gone } = oneDomain();
    given.on("domains.delete", () => Promise.resolve({ status: 200, body: { status: "ok" } }));
    const error = { code: "still_there" };
    expect(await given.apply(gone)).toMatchObject([{ status: "unverified", id: "domains-1", error }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.delete domains-1", "domains.list"]);
    const other = oneDomain();
    other.given.on("domains.delete", (serve) => Promise.resolve({ ...serve(), status: 200 }));
    expect(await other.given.apply(other.gone)).toMatchObject([{ status: "applied" }]);
  });

  it("of an object that others have changed since the plan is skipped", async () => {
    const { given, gone } = oneDomain();
    given.rows.set("domains", [{ id: "domains-1", domain: "b.com" }]);
    expect(await given.apply(gone)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
    expect(given.log).toEqual(["domains.get domains-1"]);
  });

  it("of a person who was promoted while other changes were made is skipped", async () => {
    const given = world({ otherRuns: "look after" });
    given.add("invites", { target_email: EVE, level: 1 });
    const [live] = given.live("invite");
    const values = { target_email: EVE, level: 1 };
    const gone = change("invite", values, { live, lifecycle: { state: "absent" }, name: EVE });
    given.on("invites.create", (serve) => {
      given.rows.set("invites", [{ id: "invites-1", target_email: EVE, level: 15 }]);
      return serve();
    });
    const invited = change("invite", { target_email: "ada@acme.com", level: 1 });
    const outcomes = await given.apply(invited, gone);
    expect(outcomes.map(({ status, error }) => [status, error?.code])).toEqual([
      ["applied", undefined],
      ["skipped", "stale"],
    ]);
  });

  it("of an object that is gone is applied if the list confirms it", async () => {
    const { given, gone } = oneDomain();
    given.rows.set("domains", []);
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.list"]);
  });

  it("does not trust a 404 alone, because a key that lost its rights gets the same answer", async () => {
    const { given, gone } = oneDomain();
    given.on("domains.get", notFound("domains.get"));
    given.on("domains.delete", notFound("domains.delete"));
    const outcomes = await given.apply(gone);
    expect(outcomes).toMatchObject([{ status: "failed", error: { code: "not_found" } }]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
    expect(given.rows.get("domains")).toHaveLength(1);
  });

  it("of an object that cannot be read fails, and removes nothing", async () => {
    const { given, gone } = oneDomain();
    given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
    expect(await given.apply(gone)).toMatchObject([{ status: "failed" }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.get domains-1"]);
  });

  it("whose answer was lost is applied if the list lacks the object", async () => {
    const { given, gone } = oneDomain();
    given.on("domains.delete", (serve) => {
      serve();
      throw lost("domains.delete");
    });
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
  });

  it.each([
    ["has failed if the service still lists it after the settle time", false, "failed", "network"],
    ["is unknown if the service cannot be asked", true, "unknown", "outcome_unknown"],
  ])("whose answer was lost %s", async (_name, unreadable, status, code) => {
    const { given, gone } = oneDomain();
    given.on("domains.delete", "always", () => Promise.reject(lost("domains.delete")));
    if (unreadable) given.on("domains.list", "always", () => Promise.reject(apiError("domains.list", {})));
    expect(await given.apply(gone)).toMatchObject([{ status, id: "domains-1", error: { code } }]);
  });

  it("of one of two invites to an address finds it by its id", async () => {
    const given = world();
    given.add("invites", { target_email: EVE, level: 1 });
    given.add("invites", { target_email: EVE, level: 8 });
    const live = given.live("invite")[1];
    if (live === undefined) throw new Error("nothing live");
    expect(await given.apply(removal("invite", { target_email: EVE, level: 8 }, live))).toMatchObject([
      { status: "applied", id: "invites-2" },
    ]);
    expect(given.rows.get("invites")).toMatchObject([{ id: "invites-1" }]);
  });

  it("of an object that no resource declares is skipped if it has another key by now", async () => {
    for (const hasChanged of [false, true]) {
      const { given } = domains("a.com");
      const [live] = given.live("domain");
      if (live === undefined) throw new Error("nothing live");
      const gone = pruneChange(kinds.domain, live, "acme/domains/a.com");
      if (hasChanged) given.rows.set("domains", [{ id: "domains-1", domain: "b.com" }]);
      expect(await given.apply(gone)).toMatchObject([{ status: hasChanged ? "skipped" : "applied", id: "domains-1" }]);
    }
  });

  it("of a plugin that the service has moved to another group is skipped, not applied", async () => {
    const { given, gone } = removing("pipeline_destination", "pipeline_destinations", {
      name: "P",
      plugin_type: "source",
    });
    given.rows.set("pipeline_frontend_apps", given.rows.get("pipeline_destinations") ?? []);
    given.rows.set("pipeline_destinations", []);
    expect(await given.apply(gone)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
  });

  it("of an insight is a PATCH, and never a DELETE", async () => {
    const { given, gone } = removing("insight", "insights", { name: "I" }, { name: "I" }, INSIGHTS.scope);
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
    expect(given.rows.get("insights")).toMatchObject([{ deleted: true }]);
    expect(given.log).toEqual(["insights.get insights-1", "insights.update insights-1"]);
  });

  it("of a membership removes the member and every invite", async () => {
    const given = world();
    given.add("members", { level: 1, user: { uuid: "u-1", email: "eve@acme.com" } });
    given.add("invites", { target_email: "eve@acme.com", level: 1 });
    given.add("invites", { target_email: "EVE@acme.com", level: 8 });
    const [live] = given.live("membership");
    const gone = change("membership", { level: 1 }, { live, lifecycle: { state: "absent" }, name: "eve@acme.com" });
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
    expect(given.log).toEqual([
      "members.list",
      "invites.list",
      "members.delete u-1",
      "invites.delete invites-2",
      "invites.delete invites-3",
    ]);
  });

  it("of objects without a read by id is checked with one list for all of them", async () => {
    const given = world();
    for (const name of ["a", "b", "c"]) given.add("invites", { target_email: `${name}@acme.com`, level: 1 });
    const gone = given
      .live("invite")
      .map((live) => removal("invite", { target_email: String(live.keys[0]), level: 1 }, live));
    given.rows.set(
      "invites",
      (given.rows.get("invites") ?? []).map((row) => (row["id"] === "invites-2" ? { ...row, level: 15 } : row)),
    );
    const outcomes = await given.apply(...gone);
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "skipped", "applied"]);
    expect(given.log.filter((one) => one === "invites.list")).toHaveLength(1);
  });

  it("of an invite without an id fails, and is not followed by another invite", async () => {
    const given = world();
    given.add("invites", { id: null, target_email: EVE, level: 1 });
    const [live] = given.live("membership");
    for (const lifecycle of [{ state: "absent" as const }, {}]) {
      const one = change("membership", { level: 8 }, { live, lifecycle, name: EVE });
      const outcomes = await given.apply(one);
      expect(outcomes).toMatchObject([{ action: one.action, status: "failed", error: { code: "unsupported" } }]);
      expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
    }
    expect(given.log.filter((one) => !one.endsWith("list"))).toEqual([]);
    expect(given.journal.open()).toEqual([]);
  });

  it("of an invite that was accepted since the plan is skipped", async () => {
    const { given, gone } = removing("membership", "invites", { target_email: "eve@acme.com", level: 1 }, { level: 1 });
    given.rows.set("invites", []);
    given.add("members", { level: 1, user: { uuid: "u-1", email: "eve@acme.com" } });
    expect(await given.apply(gone)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
    expect(given.log.filter((one) => one.includes("delete"))).toEqual([]);
  });
});

describe("the removal of an object that is gone", () => {
  it("is applied, and another object that has its name by now is not touched", async () => {
    const { given, gone } = domains("a.com");
    given.rows.set("domains", [{ id: "other", domain: "a.com" }]);
    expect(await given.apply(gone)).toMatchObject([{ status: "applied", id: "domains-1" }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.list"]);
  });

  it("is applied if its kind has no read by id and other objects of the kind exist", async () => {
    const given = world();
    given.add("invites", { target_email: EVE, level: 1 });
    given.add("invites", { target_email: "bob@acme.com", level: 1 });
    const [live] = given.live("invite");
    if (live === undefined) throw new Error("nothing live");
    given.rows.set("invites", given.rows.get("invites")?.slice(1) ?? []);
    expect(await given.apply(removal("invite", { target_email: EVE, level: 1 }, live))).toMatchObject([
      { status: "applied" },
    ]);
    expect(given.log).toEqual(["invites.list", "members.list"]);
  });

  it("is applied if the removal is answered by 404 and the list lacks it", async () => {
    const { given, gone } = domains("a.com", "b.com");
    given.on("domains.delete", (serve) => {
      serve();
      return notFound("domains.delete")();
    });
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
    expect(given.rows.get("domains")).toMatchObject([{ domain: "b.com" }]);
  });
});

describe("the removal of a membership", () => {
  it.each([
    ["an invite that the service does not find and still lists", notFound("invites.delete"), "unverified"],
    [
      "an invite whose answer was lost and that is still listed",
      () => Promise.reject(lost("invites.delete")),
      "unverified",
    ],
    ["an invite whose answer was lost and that is gone", loses("invites.delete"), "applied"],
    ["a member of whom no answer came and who is still there", undefined, "failed"],
  ])("checks every list that shows a part of it: %s", async (_name, handler, status) => {
    const { given, gone } = membership();
    if (handler === undefined) given.on("members.delete", "always", () => Promise.reject(lost("members.delete")));
    else given.on("invites.delete", handler, handler);
    expect(await given.apply(gone)).toMatchObject([{ status, id: "u-1" }]);
  });
});

describe("a removal whose answer is not 204", () => {
  const ok = (): { status: number; body: JsonObject } => ({ status: 200, body: { status: "ok" } });

  it("is unverified if the list cannot be read", async () => {
    const { given, gone } = domains("a.com");
    given.on("domains.delete", ok);
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    const outcomes = await given.apply(gone);
    const message = expect.stringContaining("domains.list failed") as string;
    expect(outcomes).toMatchObject([{ status: "unverified", error: { code: "server", message } }]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
  });

  it("reports the answer, and that the object still exists", async () => {
    const { given, gone } = domains("a.com");
    given.on("domains.delete", ok);
    const outcomes = await given.apply(gone);
    const message = expect.stringContaining("200") as string;
    expect(outcomes).toMatchObject([
      { status: "unverified", id: "domains-1", error: { code: "still_there", message } },
    ]);
    expect(sentencesOf(outcomes[0]?.error)).toMatchSnapshot();
  });

  it("is applied if the answer shows the object as deleted, like that of an insight", async () => {
    const given = world();
    given.add("insights", { name: "I" });
    const [live] = given.live("insight", "acme/projects/web");
    if (live === undefined) throw new Error("nothing live");
    given.on("insights.update", (serve) => {
      serve();
      return { status: 200, body: { id: "insights-1", name: "I", deleted: false } };
    });
    // It says that it is there: the list decides.
    expect(await given.apply(removal("insight", { name: "I" }, live, "acme/projects/web"))).toMatchObject([
      { status: "applied" },
    ]);
    expect(given.log).toEqual(["insights.get insights-1", "insights.update insights-1", "insights.list"]);
  });

  it.each([
    ["is applied if the list shows the object as deleted", true, "applied"],
    ["is unverified if the list shows that it is not deleted", false, "unverified"],
  ])("%s", async (_name, deleted, status) => {
    const { given, gone } = removing("insight", "insights", { name: "I" }, { name: "I" }, INSIGHTS.scope);
    given.on("insights.update", ok);
    given.on("insights.list", () => ({ status: 200, body: [{ id: "insights-1", name: "I", deleted }] }));
    expect(await given.apply(gone)).toMatchObject([{ status }]);
  });
});

describe("an interruption among removals", () => {
  it("finishes those that have started and begins none of the next level", async () => {
    const given = world();
    given.add("organizations", { name: "acme" });
    given.add("domains", { domain: "gone.com" });
    const [organization, domain] = [given.live("organization", "")[0], given.live("domain")[0]];
    if (organization === undefined || domain === undefined) throw new Error("nothing live");
    given.on("domains.delete", (serve) => {
      given.abort.abort();
      return serve();
    });
    const outcomes = await given.apply(
      removal("organization", { name: "acme" }, organization, ""),
      removal("domain", { domain: "gone.com" }, domain),
    );
    expect(outcomes).toMatchObject([
      { status: "skipped", id: "organizations-1", error: { code: "interrupted" } },
      { status: "applied" },
    ]);
    expect(given.rows.get("organizations")).toHaveLength(1);
  });

  it("unverified changes do not prevent removals", async () => {
    const { given, gone } = domains("a.com");
    given.add("domains", { domain: "b.com", sso_enforcement: "" });
    const live = given.live("domain")[1];
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[1] }));
    const update = change("domain", { domain: "b.com", sso_enforcement: "saml" }, { live });
    expect((await given.apply(gone, update)).map(({ status }) => status)).toEqual(["applied", "unverified"]);
  });
});
