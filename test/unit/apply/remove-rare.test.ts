import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import { apiError, change, loses, lost, removal, world, type World } from "./support.ts";

const EVE = "eve@acme.com";
const notFound = (operation: string) => (): Promise<never> =>
  Promise.reject(apiError(operation, { kind: "not_found", status: 404, effect: "no" }));

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

describe("the removal of an object that is gone", () => {
  it("is done, also where another one has its name by now: that one is left alone", async () => {
    const { given, gone } = domains("a.com");
    given.rows.set("domains", [{ id: "other", domain: "a.com" }]);
    expect(await given.apply(gone)).toMatchObject([{ status: "applied", id: "domains-1" }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.list"]);
  });

  it("is done where it cannot be read alone, and others of its kind are still there", async () => {
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

  it("is done where its removal is answered by 404 and the list lacks it", async () => {
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
    ["an invite that the service does not find and still lists", notFound("invites.delete"), "failed"],
    [
      "an invite of which no answer came and that is still listed",
      () => Promise.reject(lost("invites.delete")),
      "unknown",
    ],
    ["an invite of which no answer came and that is gone", loses("invites.delete"), "applied"],
    ["a member of whom no answer came and who is still there", undefined, "unknown"],
  ])("goes by every list that shows a part of it: %s", async (_name, handler, status) => {
    const { given, gone } = membership();
    if (handler === undefined) given.on("members.delete", () => Promise.reject(lost("members.delete")));
    else given.on("invites.delete", handler);
    expect(await given.apply(gone)).toMatchObject([{ status, id: "u-1" }]);
  });
});

describe("a removal that is answered by something else than 204", () => {
  const ok = (): { status: number; body: JsonObject } => ({ status: 200, body: { status: "ok" } });

  it("is unverified where the list cannot be read", async () => {
    const { given, gone } = domains("a.com");
    given.on("domains.delete", ok);
    given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    expect(await given.apply(gone)).toMatchObject([
      {
        status: "unverified",
        error: { code: "server", message: "removed, but that could not be verified: domains.list failed" },
      },
    ]);
  });

  it("says with what, and that the object is still there", async () => {
    const { given, gone } = domains("a.com");
    given.on("domains.delete", ok);
    expect(await given.apply(gone)).toMatchObject([
      {
        status: "unverified",
        id: "domains-1",
        error: { code: "still_there", message: "the service answered 200, but still shows it", hint: "Apply again." },
      },
    ]);
  });

  it("is done where the answer shows it as deleted, as that of an insight does", async () => {
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
});

describe("an interruption among removals", () => {
  it("ends those that are under way and begins none of the next level", async () => {
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

  it("of a replace says that both objects are there", async () => {
    const given = world();
    const values = (type: string) => ({
      name: "E",
      interval: "hour",
      paused: false,
      destination: { type, config: {} },
    });
    given.add("batch_exports", values("NoOp"));
    const [live] = given.live("batch_export");
    given.on("batch_exports.create", (serve) => {
      given.abort.abort();
      return serve();
    });
    expect(await given.apply(change("batch_export", values("HTTP"), { live }))).toMatchObject([
      {
        status: "unverified",
        id: "batch_exports-2",
        error: {
          code: "interrupted",
          message: "its replacement was created, but it was not removed: not begun: interrupted",
          hint: "Apply again.",
        },
      },
    ]);
  });

  it("does not stand in the way of removals where something is not verified: that is no failure", async () => {
    const { given, gone } = domains("a.com");
    given.add("domains", { domain: "b.com", sso_enforcement: "" });
    const live = given.live("domain")[1];
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[1] }));
    const update = change("domain", { domain: "b.com", sso_enforcement: "saml" }, { live });
    expect((await given.apply(gone, update)).map(({ status }) => status)).toEqual(["applied", "unverified"]);
  });

  it("a replace whose old object has changed since keeps both, and says so", async () => {
    const given = world();
    const values = (type: string) => ({ name: "E", interval: "hour", paused: true, destination: { type, config: {} } });
    given.add("batch_exports", values("NoOp"));
    const [live] = given.live("batch_export");
    given.on("batch_exports.get", () => ({
      status: 200,
      body: { id: "batch_exports-1", ...values("NoOp"), interval: "day" },
    }));
    expect(await given.apply(change("batch_export", values("HTTP"), { live }))).toMatchObject([
      {
        status: "unverified",
        id: "batch_exports-2",
        error: {
          code: "stale",
          message: "replaced by batch_exports-2, but not removed: the object has changed since the plan was made",
        },
      },
    ]);
    expect(given.rows.get("batch_exports")).toHaveLength(2);
  });
});
