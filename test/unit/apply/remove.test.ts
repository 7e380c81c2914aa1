import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { listKey } from "../../../src/model/live.ts";
import {
  apiError,
  change,
  INSIGHTS,
  intentOf,
  loses,
  lost,
  ORGANIZATION,
  removal,
  world,
  type World,
} from "./support.ts";

const DOMAIN = { domain: "a.com" };
const notFound =
  (operation: string): (() => Promise<never>) =>
  () =>
    Promise.reject(apiError(operation, { kind: "not_found", status: 404, effect: "no" }));

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

const domain = (): ReturnType<typeof removing> => removing("domain", "domains", DOMAIN);

describe("a removal", () => {
  it("reads the object once more and then removes it", async () => {
    const { given, gone } = domain();
    expect(await given.apply(gone)).toMatchObject([{ status: "applied", id: "domains-1", requests: 2 }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.delete domains-1"]);
  });

  it("that is answered by something else than a removal is held against the list", async () => {
    const { given, gone } = domain();
    given.on("domains.delete", () => Promise.resolve({ status: 200, body: { status: "ok" } }));
    const error = { code: "still_there" };
    expect(await given.apply(gone)).toMatchObject([{ status: "unverified", id: "domains-1", error }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.delete domains-1", "domains.list"]);
    const other = domain();
    other.given.on("domains.delete", (serve) => Promise.resolve({ ...serve(), status: 200 }));
    expect(await other.given.apply(other.gone)).toMatchObject([{ status: "applied" }]);
  });

  it("of what others have changed since the plan is skipped", async () => {
    const { given, gone } = domain();
    given.rows.set("domains", [{ id: "domains-1", domain: "b.com" }]);
    expect(await given.apply(gone)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
    expect(given.log).toEqual(["domains.get domains-1"]);
  });

  it("of what is gone is done, if the list says so too", async () => {
    const { given, gone } = domain();
    given.rows.set("domains", []);
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
    expect(given.log).toEqual(["domains.get domains-1", "domains.list"]);
  });

  it("takes no 404 alone for gone: a key that lost its rights gets the same answer", async () => {
    const { given, gone } = domain();
    given.on("domains.get", notFound("domains.get"));
    given.on("domains.delete", notFound("domains.delete"));
    expect(await given.apply(gone)).toMatchObject([
      { status: "failed", error: { message: expect.stringContaining("but lists it") as string } },
    ]);
    expect(given.rows.get("domains")).toHaveLength(1);
  });

  it("of an object that cannot be read fails, and removes nothing", async () => {
    const { given, gone } = domain();
    given.on("domains.get", () => Promise.reject(apiError("domains.get", {})));
    expect(await given.apply(gone)).toMatchObject([{ status: "failed" }]);
    expect(given.log).toEqual(["domains.get domains-1"]);
  });

  it("whose answer was lost is done where the list lacks the object", async () => {
    const { given, gone } = domain();
    given.on("domains.delete", (serve) => {
      serve();
      throw lost("domains.delete");
    });
    expect(await given.apply(gone)).toMatchObject([{ status: "applied" }]);
  });

  it.each([
    ["still lists it", false],
    ["cannot be asked", true],
  ])("whose answer was lost is unknown where the service %s", async (_name, unreadable) => {
    const { given, gone } = domain();
    given.on("domains.delete", () => Promise.reject(lost("domains.delete")));
    if (unreadable) given.on("domains.list", () => Promise.reject(apiError("domains.list", {})));
    expect(await given.apply(gone)).toMatchObject([
      { status: "unknown", id: "domains-1", error: { code: "outcome_unknown" } },
    ]);
  });

  it("of a plugin that the service has moved to another group is skipped, not called done", async () => {
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

  it("of a membership takes the member and every invite", async () => {
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

  it("of kinds that cannot be read alone is held against one list for all of them", async () => {
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

  it("of an invite that was accepted since the plan is skipped: a member is somebody else's decision", async () => {
    const { given, gone } = removing("membership", "invites", { target_email: "eve@acme.com", level: 1 }, { level: 1 });
    given.rows.set("invites", []);
    given.add("members", { level: 1, user: { uuid: "u-1", email: "eve@acme.com" } });
    expect(await given.apply(gone)).toMatchObject([{ status: "skipped", error: { code: "stale" } }]);
    expect(given.log.filter((one) => one.includes("delete"))).toEqual([]);
  });
});

describe("the replace of an invite", () => {
  const replacing = (): { readonly given: World; readonly replace: Change } => {
    const given = world();
    given.add("invites", { target_email: "eve@acme.com", level: 1 });
    const [live] = given.live("invite");
    return { given, replace: change("invite", { target_email: "eve@acme.com", level: 8 }, { live }) };
  };

  it("journals, removes, creates", async () => {
    const { given, replace } = replacing();
    const journaled: (readonly string[])[] = [];
    given.on("invites.delete", (serve) => {
      journaled.push([...given.journal.records]);
      return serve();
    });
    expect(await given.apply(replace)).toMatchObject([{ action: "replace", status: "applied", id: "invites-2" }]);
    expect(given.log.filter((one) => !one.endsWith("list"))).toEqual(["invites.delete invites-1", "invites.create"]);
    expect(journaled).toEqual([["begin eve@acme.com"]]);
    expect(given.journal.open()).toEqual([]);
  });

  it("sends nothing where the old one cannot be removed, or has changed", async () => {
    for (const how of ["refused", "changed"]) {
      const { given, replace } = replacing();
      if (how === "refused")
        given.on("invites.delete", () =>
          Promise.reject(apiError("invites.delete", { kind: "scope", status: 403, effect: "no" })),
        );
      else given.rows.set("invites", [{ id: "invites-1", target_email: "eve@acme.com", level: 15 }]);
      expect(await given.apply(replace)).toMatchObject([{ status: how === "refused" ? "failed" : "skipped" }]);
      expect(given.log).not.toContain("invites.create");
      expect(given.journal.open()).toEqual([]);
    }
  });

  it("says that the old one is gone where the new one is refused", async () => {
    const { given, replace } = replacing();
    given.on("invites.create", () =>
      Promise.reject(apiError("invites.create", { kind: "invalid", status: 400, effect: "no" })),
    );
    expect(await given.apply(replace)).toMatchObject([
      { status: "failed", error: { message: expect.stringContaining("removed, but not created again") as string } },
    ]);
  });

  it("whose answer was lost sends no second e-mail", async () => {
    const { given, replace } = replacing();
    given.on("invites.create", loses("invites.create"));
    expect(await given.apply(replace)).toMatchObject([{ status: "applied", id: "invites-2" }]);
    expect(given.log.filter((one) => one === "invites.create")).toHaveLength(1);
  });

  it("that was cut off after the removal creates once, and after the request not again", async () => {
    for (const landed of [false, true]) {
      const given = world({ intents: [intentOf({ kind: "invite", key: "eve@acme.com", known: ["invites-0"] })] });
      given.lists.set(listKey("acme", "invite"), { status: "known", objects: [] });
      if (landed) given.add("invites", { target_email: "eve@acme.com", level: 8 });
      expect(await given.apply(change("invite", { target_email: "eve@acme.com", level: 8 }))).toMatchObject([
        { status: "applied", id: "invites-1" },
      ]);
      expect(given.log.filter((one) => one === "invites.create")).toHaveLength(landed ? 0 : 1);
    }
  });
});

describe("the replace of a batch export", () => {
  const values = (type: string): JsonObject => ({
    name: "E",
    interval: "hour",
    paused: false,
    destination: { type, config: {} },
  });
  const replacing = (open: boolean): { readonly given: World; readonly replace: Change } => {
    const intents = open
      ? [intentOf({ kind: "batch_export", key: "E", known: ["batch_exports-1"], replaces: "batch_exports-1" })]
      : [];
    const given = world({ intents });
    given.add("batch_exports", values("NoOp"));
    const [live] = given.live("batch_export");
    return { given, replace: change("batch_export", values("HTTP"), { live }) };
  };
  const writes = (given: World): readonly string[] => given.log.filter((one) => !/\.(?:get|list)\b/.test(one));

  it("creates, then removes, then unpauses", async () => {
    const { given, replace } = replacing(false);
    expect(await given.apply(replace)).toMatchObject([{ action: "replace", status: "applied", id: "batch_exports-2" }]);
    expect(writes(given)).toEqual([
      "batch_exports.create",
      "batch_exports.delete batch_exports-1",
      "batch_exports.unpause batch_exports-2",
    ]);
    expect(given.journal.records).toEqual(["begin E", "settle batch_exports-2"]);
  });

  it("removes nothing where another change failed, says that both are there, and keeps its intent open", async () => {
    const { given, replace } = replacing(false);
    given.on("domains.create", () =>
      Promise.reject(apiError("domains.create", { kind: "invalid", status: 400, effect: "no" })),
    );
    const [outcome] = await given.apply(replace, change("domain", DOMAIN));
    expect(outcome).toMatchObject({
      status: "unverified",
      id: "batch_exports-2",
      error: { code: "not_removed", message: expect.stringContaining("its replacement was created") as string },
    });
    expect(given.rows.get("batch_exports")).toMatchObject([{ paused: false }, { paused: true }]);
    expect(given.journal.open()).toMatchObject([{ replaces: "batch_exports-1" }]);
  });

  it("says that both are there where the old one could not be removed", async () => {
    const { given, replace } = replacing(false);
    given.on("batch_exports.delete", () =>
      Promise.reject(apiError("batch_exports.delete", { kind: "scope", status: 403, effect: "no" })),
    );
    expect(await given.apply(replace)).toMatchObject([
      {
        status: "unverified",
        id: "batch_exports-2",
        error: { message: expect.stringContaining("replaced by batch_exports-2, but not removed") as string },
      },
    ]);
    expect(given.journal.open()).toHaveLength(1);
  });

  it("that was cut off after its create takes the new one up again and creates no third", async () => {
    const { given, replace } = replacing(true);
    given.lists.set(listKey("acme", "batch_export"), { status: "known", objects: given.live("batch_export") });
    given.add("batch_exports", { ...values("HTTP"), paused: true });
    expect(await given.apply(replace)).toMatchObject([{ status: "applied", id: "batch_exports-2" }]);
    expect(writes(given)).toEqual(["batch_exports.delete batch_exports-1", "batch_exports.unpause batch_exports-2"]);
    expect(given.journal.open()).toEqual([]);
  });

  it("that was cut off before its create took effect creates once", async () => {
    const { given, replace } = replacing(true);
    expect(await given.apply(replace)).toMatchObject([{ status: "applied", id: "batch_exports-2" }]);
    expect(writes(given)).toEqual([
      "batch_exports.create",
      "batch_exports.delete batch_exports-1",
      "batch_exports.unpause batch_exports-2",
    ]);
    expect(ORGANIZATION).toBe(given.task("batch_export").path["organization_id"]);
  });
});
