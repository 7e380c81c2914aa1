import { describe, expect, it } from "vitest";
import type { OpenIntent } from "../../../../src/apply/journal/intents.ts";
import type { Change } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { listKey } from "../../../../src/model/live.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, intentOf, lost, world, type World } from "../support.ts";
import { journaledIntents, only, refused } from "../written.ts";

/** The values of the old invite that are not declared: once it is removed, only the journal has them. */
const CARRIED = { first_name: "Eve", message: "Welcome" };

/** A world with one invite, and the change of its level, which replaces it. */
function replacing(
  carried: JsonObject = CARRIED,
  intents: readonly OpenIntent[] = [],
): { readonly given: World; readonly replace: Change } {
  const given = world({ intents });
  given.add("invites", { target_email: "eve@acme.com", level: 1, ...carried });
  const [live] = given.live("invite");
  return { given, replace: change("invite", { target_email: "eve@acme.com", level: 8 }, { live }) };
}

describe("the intent of a replace", () => {
  it("holds the carried values if the old object is removed first", async () => {
    const { given, replace } = replacing();
    const begun = journaledIntents(given);
    expect(await only(given, replace)).toMatchObject({ status: "applied" });
    expect(begun.map(({ carried }) => carried)).toEqual([CARRIED]);
    expect(given.rows.get("invites")).toMatchObject([{ level: 8, ...CARRIED }]);
    expect(given.journal.open()).toEqual([]);
  });

  it("holds none if there are none", async () => {
    const { given, replace } = replacing({});
    const begun = journaledIntents(given);
    expect(await only(given, replace)).toMatchObject({ status: "applied" });
    expect(begun.map(({ carried }) => carried)).toEqual([undefined]);
  });

  it("holds none if the old object is removed last", async () => {
    const given = world();
    given.add("batch_exports", {
      name: "E",
      interval: "hour",
      paused: true,
      start_at: "2026-01-01T00:00:00Z",
      destination: { type: "NoOp", config: {} },
    });
    const [live] = given.live("batch_export");
    const declared = { name: "E", interval: "hour", paused: true, destination: { type: "HTTP", config: {} } };
    const replace = change("batch_export", declared, { live });
    expect(replace.work?.carried).toEqual({ start_at: "2026-01-01T00:00:00Z" });
    const begun = journaledIntents(given);
    expect(await only(given, replace)).toMatchObject({ status: "applied" });
    expect(begun.map(({ carried, replaces }) => ({ carried, replaces }))).toEqual([
      { carried: undefined, replaces: "batch_exports-1" },
    ]);
  });
});

describe("the intent of a replace whose old object is removed first", () => {
  const NO = { tookEffect: "no" } as const;
  const notFound = () => Promise.reject(apiError("invites.delete", { kind: "not_found", status: 404, ...NO }));
  /** What the list answers once the check before the create has read it. */
  const listFails = (given: World, tookEffect: "no" | "maybe") => (): Promise<never> => {
    given.on("invites.list", () => Promise.reject(apiError("invites.list", { tookEffect })));
    return notFound();
  };

  it.each<[string, (given: World) => void, JsonObject]>([
    [
      "the removal was refused",
      ({ on }) => on("invites.delete", () => Promise.reject(refused("invites.delete"))),
      { status: "failed", error: { code: "nope", message: "invites.delete failed" } },
    ],
    [
      "the old object has changed",
      ({ rows }) => rows.set("invites", [{ id: "invites-1", target_email: "eve@acme.com", level: 15 }]),
      { status: "skipped", error: { code: "stale" } },
    ],
  ])("is closed if %s", async (_name, prepare, expected) => {
    const { given, replace } = replacing();
    prepare(given);
    expect(await only(given, replace)).toMatchObject(expected);
    expect(given.journal.records).toEqual(["begin eve@acme.com", "settle not created"]);
    expect(given.log).not.toContain("invites.create");
  });

  it.each<[string, (given: World) => void, JsonObject]>([
    [
      "the create was refused",
      ({ on }) => on("invites.create", () => Promise.reject(refused("invites.create"))),
      { status: "failed", error: { code: "nope" } },
    ],
    [
      "no answer to the removal came",
      ({ on }) => {
        on("invites.delete", () => {
          on("invites.list", "always", () => Promise.reject(lost("invites.list")));
          throw lost("invites.delete");
        });
      },
      { status: "unknown", error: { code: "outcome_unknown" } },
    ],
    [
      "the removal was accepted, but could not be verified",
      ({ on }) => on("invites.delete", () => ({ status: 200, body: { status: "ok" } })),
      { status: "unverified", error: { code: "still_there" } },
    ],
    ...(["maybe", "no"] as const).map((effect): [string, (given: World) => void, JsonObject] => [
      `the removal found nothing, and a list failed (effect: ${effect})`,
      (given) => given.on("invites.delete", listFails(given, effect)),
      { status: "unverified", error: { code: "server" } },
    ]),
    [
      "a bug ended the removal",
      ({ on }) => on("invites.delete", () => Promise.reject(new TypeError("x is not a function"))),
      { status: "unknown", error: { code: "defect" } },
    ],
  ])("stays open, with the values, if %s", async (_name, prepare, expected) => {
    const { given, replace } = replacing();
    prepare(given);
    expect(await only(given, replace)).toMatchObject(expected);
    expect(given.journal.open()).toMatchObject([{ key: "eve@acme.com", carried: CARRIED }]);
    expect(given.journal.records).toEqual(["begin eve@acme.com"]);
  });

  it("is closed without values even if the create was refused", async () => {
    const { given, replace } = replacing({});
    given.on("invites.create", () => Promise.reject(refused("invites.create")));
    expect(await only(given, replace)).toMatchObject({ status: "failed", error: { code: "nope" } });
    expect(given.journal.open()).toEqual([]);
  });

  it("stays open, with the values, if one of two invites was removed and the other one is not", async () => {
    const given = world();
    given.add("invites", { target_email: "eve@acme.com", level: 1, ...CARRIED });
    given.add("invites", { target_email: "eve@acme.com", level: 1, ...CARRIED });
    const [live] = given.live("membership");
    given.on("invites.delete", (serve) => {
      given.on("invites.delete", () => Promise.reject(refused("invites.delete")));
      return serve();
    });
    const replace = change("membership", { level: 8 }, { live, name: "eve@acme.com" });
    const outcome = await only(given, replace);
    expect(outcome).toMatchObject({ status: "unverified", error: { code: "nope" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(given.journal.open()).toMatchObject([{ key: "eve@acme.com", carried: CARRIED }]);
  });

  it("is the only one left to close if an earlier run left one without values, which created nothing", async () => {
    const earlier = intentOf({ kind: "invite", key: "eve@acme.com", known: ["invites-1"] });
    const { given, replace } = replacing(CARRIED, [earlier]);
    expect(await only(given, replace)).toMatchObject({ status: "applied" });
    expect(given.rows.get("invites")).toMatchObject([{ level: 8, ...CARRIED }]);
    expect(given.journal.open()).toEqual([]);
  });

  it("stays open beside the one of an earlier run if the list that comes before the removal fails", async () => {
    const earlier = intentOf({ kind: "invite", key: "eve@acme.com", known: ["invites-1"], carried: CARRIED });
    const { given, replace } = replacing(CARRIED, [earlier]);
    given.on("invites.list", "always", (serve) => {
      const isResolved = given.journal.records.length > 0;
      if (isResolved) throw apiError("invites.list", {});
      return serve();
    });
    expect(await only(given, replace)).toMatchObject({ status: "failed", error: { code: "outage" } });
    expect(given.log).not.toContain("invites.create");
    expect(given.journal.open()).toMatchObject([{ carried: CARRIED }, { carried: CARRIED }]);
  });
});

describe("a create that has adopted the object of an earlier run", () => {
  it("leaves an older intent that keeps no values to the next plan, which sees the object", async () => {
    const given = world({ intents: [intentOf({ id: "older" }), intentOf({ id: "newer" })] });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    given.add("domains", { domain: "a.com" });
    expect(await only(given, change("domain", { domain: "a.com" }))).toMatchObject({ id: "domains-1" });
    expect(given.journal.open().map(({ id }) => id)).toEqual(["older"]);
  });
});
