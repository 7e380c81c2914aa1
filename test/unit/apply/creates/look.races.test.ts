/** What becomes of a create if another run has created the same object. */
import { describe, expect, it } from "vitest";
import { listKey } from "../../../../src/model/live.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { change, intentOf, INSIGHTS, lost, world, type World } from "../support.ts";

const OLD = "2026-01-01T00:00:00Z";
const NOW = "2026-06-01T00:00:00Z";
const YOUNG = "2026-06-01T00:00:01Z";
const DOMAIN = { domain: "a.com" };

/** A create of the domain a.com, or of something else, while another run creates a row of the same name. */
function racing(other: JsonObject | undefined, options: Parameters<typeof world>[0] = {}): World {
  const given = world({ otherRuns: "look after", ...options });
  given.on("domains.create", "always", (_serve, { body }) => {
    if (other !== undefined) given.add("domains", { ...DOMAIN, ...other });
    return { status: 201, body: given.add("domains", { ...body, created_at: NOW }) };
  });
  return given;
}

const creating = async (given: World): Promise<Outcome | undefined> => (await given.apply(change("domain", DOMAIN)))[0];
const ids = (given: World, family = "domains"): readonly unknown[] =>
  (given.rows.get(family) ?? []).map(({ id }) => id);

describe("if the other object is older", () => {
  it("the own one is taken back, and the other one is that of the resource", async () => {
    const given = racing({ created_at: OLD });
    expect(await creating(given)).toMatchObject({ status: "yielded", id: "domains-1", taken_back: "domains-2" });
    expect(ids(given)).toEqual(["domains-1"]);
    expect(given.journal.open()).toEqual([]);
    // It was made by somebody else.
    expect(given.journal.made).toEqual([]);
  });

  /** Somebody edits the own object, or removes it, before the list is answered. */
  const meddle = (given: World, edit: (own: JsonObject) => readonly JsonObject[]): void => {
    given.on("domains.list", (serve) => {
      const answer = serve();
      const rows = given.rows.get("domains") ?? [];
      given.rows.set(
        "domains",
        rows.flatMap((row) => (row["id"] === "domains-2" ? edit(row) : [row])),
      );
      return answer;
    });
  };

  it.each<[string, (given: World) => void]>([
    [
      "somebody has changed the own one",
      (given) => meddle(given, (own) => [{ ...own, jit_provisioning_enabled: true }]),
    ],
    [
      "the own one cannot be removed",
      (given) => given.on("domains.delete", "always", () => Promise.reject(lost("domains.delete"))),
    ],
  ])("both stay and are named if %s", async (_name, disturb) => {
    const given = racing({ created_at: OLD });
    disturb(given);
    const outcome = await creating(given);
    expect(outcome).toMatchObject({ status: "unverified", id: "domains-1", error: { code: "created_twice" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(ids(given)).toHaveLength(2);
    expect(given.journal.open()).toEqual([]);
  });

  it("nothing is removed if the own one is gone before", async () => {
    const given = racing({ created_at: OLD });
    meddle(given, () => []);
    expect(await creating(given)).toMatchObject({ status: "yielded", id: "domains-1" });
    expect(given.log.some((one) => one.startsWith("domains.delete"))).toBe(false);
  });
});

describe("if the other object is younger", () => {
  it("the own one stays, once the other run has taken its own back", async () => {
    const given = racing({ created_at: YOUNG });
    const remove = (): void => void given.rows.set("domains", [{ ...DOMAIN, id: "domains-2", created_at: NOW }]);
    given.on("domains.list", (serve) => {
      const answer = serve();
      remove();
      return answer;
    });
    expect(await creating(given)).toMatchObject({ status: "applied", id: "domains-2" });
    expect(given.clock.slept).toEqual([500]);
  });

  it("both are named if it stays until the settle time is over, with the command that removes the younger one", async () => {
    const given = racing({ created_at: YOUNG }, { settleAfterMs: 10_000 });
    const start = given.clock.time;
    const outcome = await creating(given);
    expect(outcome).toMatchObject({ status: "unverified", id: "domains-2", error: { code: "created_twice" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(given.clock.time - start).toBe(10_000);
    expect(ids(given)).toHaveLength(2);
    expect(given.journal.open()).toEqual([]);
  });
});

describe("if the list does not show the own object", () => {
  it("it is unknown after the settle time, and the intent stays open", async () => {
    const given = racing(undefined, { settleAfterMs: 10_000 });
    given.on("domains.list", "always", () => ({ status: 200, body: [] }));
    const outcome = await creating(given);
    expect(outcome).toMatchObject({ status: "unknown", id: "domains-1", error: { code: "not_looked" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(given.journal.open()).toMatchObject([{ made: "domains-1" }]);
  });

  it("and shows another one, the other one is the object if the own one is gone", async () => {
    const given = racing({ created_at: OLD });
    given.on("domains.list", (serve) => {
      given.rows.set("domains", (given.rows.get("domains") ?? []).slice(0, 1));
      return serve();
    });
    expect(await creating(given)).toMatchObject({ status: "yielded", id: "domains-1", taken_back: "domains-2" });
    // The list may have been late.
    expect(Math.max(0, ...given.clock.slept)).toBeGreaterThan(0);
  });

  it("and shows another one, it waits for the own one if that is still there", async () => {
    const given = racing({ created_at: OLD }, { settleAfterMs: 10_000 });
    given.on("domains.list", "always", () => ({ status: 200, body: (given.rows.get("domains") ?? []).slice(0, 1) }));
    expect(await creating(given)).toMatchObject({ status: "unknown", error: { code: "not_looked" } });
    expect(ids(given)).toHaveLength(2);
  });

  it("a create of an earlier run is sent again if its object is gone", async () => {
    const intent = intentOf({ made: "domains-9", created: "x" });
    const given = racing(undefined, { intents: [intent], settleAfterMs: 10_000 });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    expect(await creating(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(given.log.filter((one) => one === "domains.create")).toHaveLength(1);
  });
});

describe("a look that is stopped", () => {
  it("says what was created, and sends nothing more", async () => {
    const given = racing({ created_at: OLD });
    given.on("domains.list", () => {
      given.abort.abort();
      return Promise.reject(lost("domains.list"));
    });
    const outcome = await creating(given);
    expect(outcome).toMatchObject({ status: "unverified", id: "domains-2", error: { code: "not_looked" } });
    expect(sentencesOf(outcome?.error)).toMatchSnapshot();
    expect(ids(given)).toHaveLength(2);
  });

  it("is unknown after four lists in a row that failed", async () => {
    const given = racing(undefined);
    given.on("domains.list", "always", () => Promise.reject(lost("domains.list")));
    const outcome = await creating(given);
    expect(outcome).toMatchObject({ status: "unknown", id: "domains-1", error: { code: "not_looked" } });
    expect(given.log.filter((one) => one === "domains.list")).toHaveLength(4);
  });
});

it("of two organizations none is taken back: both are named", async () => {
  const given = world({ otherRuns: "look after" });
  given.on("organizations.create", (serve) => {
    given.add("organizations", { name: "acme", created_at: OLD });
    return serve();
  });
  const create = change("organization", { name: "acme" }, { scope: "", name: "acme", lifecycle: { create: true } });
  const [outcome] = await given.apply(create);
  expect(outcome).toMatchObject({ status: "unverified", error: { code: "created_twice" } });
  expect(sentencesOf(outcome?.error)).toMatchSnapshot();
  expect(ids(given, "organizations")).toHaveLength(2);
});

it("of two insights the younger one is removed, as the service removes insights", async () => {
  const given = world({ otherRuns: "look after" });
  given.on("insights.create", (_serve, { body }) => {
    given.add("insights", { ...body, created_at: OLD });
    return { status: 201, body: given.add("insights", { ...body, created_at: NOW }) };
  });
  const [outcome] = await given.apply(change("insight", { name: "I" }, INSIGHTS));
  expect(outcome).toMatchObject({ status: "yielded", id: "insights-1", taken_back: "insights-2" });
  expect(given.rows.get("insights")?.filter(({ deleted }) => deleted !== true)).toHaveLength(1);
});

it("the object in the answer counts, not its row in the list, which may lack fields", async () => {
  const given = racing(undefined);
  given.on("domains.list", () => ({
    status: 200,
    body: (given.rows.get("domains") ?? []).map((row) => ({ ...row, jit_provisioning_enabled: false })),
  }));
  const [outcome] = await given.apply(change("domain", { ...DOMAIN, jit_provisioning_enabled: true }));
  expect(outcome).toMatchObject({ status: "applied" });
  expect(given.log).toEqual(["domains.create", "domains.list"]);
});
