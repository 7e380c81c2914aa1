/** What becomes of a create if another run has created the same object. */
import { describe, expect, it } from "vitest";
import { listKey } from "../../../../src/model/live.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { change, intentOf, INSIGHTS, lost, NO_OP, world, type World } from "../support.ts";

const OLD = "2026-01-01T00:00:00Z";
const NOW = "2026-06-01T00:00:00Z";
const YOUNG = "2026-06-01T00:00:01Z";
const DOMAIN = { domain: "a.com" };

/** A create of the domain a.com, or of something else, while another run creates a row: of the same name, unless it says another. */
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

describe("what is no object of another run", () => {
  it("one with another name", async () => {
    const given = racing({ domain: "b.com", created_at: OLD });
    expect(await creating(given)).toMatchObject({ status: "applied", id: "domains-2" });
    expect(given.clock.slept).toEqual([]);
  });

  it("a deleted one", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("insights.list", () => ({
      status: 200,
      body: [...(given.rows.get("insights") ?? []), { id: 1, name: "I", created_at: OLD, deleted: true }],
    }));
    const [outcome] = await given.apply(change("insight", { name: "I" }, INSIGHTS));
    expect(outcome).toMatchObject({ status: "applied", id: "insights-1" });
    expect(given.clock.slept).toEqual([]);
  });

  it("one that this run has made for a project, which the list of the organization shows, too", async () => {
    const given = world({ otherRuns: "look after" });
    const made = { name: "E", destination: NO_OP, interval: "hour", paused: true };
    given.on("project_batch_exports.create", () => ({
      status: 201,
      body: given.add("project_batch_exports", { ...made, created_at: OLD }),
    }));
    const both = (): JsonObject[] => [
      ...(given.rows.get("project_batch_exports") ?? []),
      ...(given.rows.get("batch_exports") ?? []),
    ];
    given.on("batch_exports.list", "always", () => ({ status: 200, body: both() }));
    const outcomes = await given.apply(
      change("batch_export", made, { scope: "acme/projects/web" }),
      change("batch_export", made),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "applied"]);
  });
});

describe("a look that goes on", () => {
  it("waits for nothing more once the own one is taken back", async () => {
    const given = racing({ created_at: OLD });
    await creating(given);
    expect(given.clock.slept).toEqual([]);
  });

  it("says once until when it waits", async () => {
    const given = racing({ created_at: YOUNG }, { settleAfterMs: 10_000 });
    const start = given.clock.time;
    await creating(given);
    expect(given.waits).toEqual([
      { address: "acme/domains/a.com", reason: "another run may be creating it too", until: start + 10_000 },
    ]);
  });

  it("says nothing about a list that failed, because no end of it is known", async () => {
    const given = racing(undefined);
    given.on("domains.list", () => Promise.reject(lost("domains.list")));
    expect(await creating(given)).toMatchObject({ status: "applied" });
    expect(given.waits).toEqual([]);
  });

  it("does not wait for an answered create of an earlier run to take effect", async () => {
    const given = racing(undefined, { intents: [intentOf({ made: "domains-1", created: "x" })] });
    given.add("domains", { ...DOMAIN, created_at: NOW });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    expect(await creating(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(given.clock.slept).toEqual([]);
  });
});

describe("an own object that is gone", () => {
  const gone = (given: World): void => {
    given.on("domains.list", (serve) => {
      given.rows.set("domains", []);
      return serve();
    });
  };

  it("is unknown if this run has just created it", async () => {
    const given = racing(undefined, { settleAfterMs: 10_000 });
    gone(given);
    expect(await creating(given)).toMatchObject({ status: "unknown", error: { code: "not_looked" } });
    expect(given.log.filter((one) => one === "domains.create")).toHaveLength(1);
  });

  it("of an earlier run is unknown if a read shows it and the list does not", async () => {
    const given = racing(undefined, {
      intents: [intentOf({ made: "domains-1", created: "x" })],
      settleAfterMs: 10_000,
    });
    given.add("domains", DOMAIN);
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    given.on("domains.list", "always", () => ({ status: 200, body: [] }));
    expect(await creating(given)).toMatchObject({ status: "unknown", error: { code: "not_looked" } });
    expect(given.log).not.toContain("domains.create");
  });
});

it("a defect while the own one is taken back is called one", async () => {
  const given = racing({ created_at: OLD });
  given.on("domains.delete", "always", () => Promise.reject(new TypeError("rows is not iterable")));
  expect(await creating(given)).toMatchObject({ error: { code: "defect" } });
});

it("what was created twice is in the file of recent creates", async () => {
  const given = racing({ created_at: YOUNG }, { settleAfterMs: 10_000 });
  await creating(given);
  expect(given.journal.made).toMatchObject([{ made: "domains-2" }]);
});

describe("an invite, which cannot be read by its id", () => {
  const MAIL = { target_email: "eve@acme.com", level: 1 };
  const inviting = (kind: "invite" | "membership", prepare: (given: World) => void) => {
    const given = world({ otherRuns: "look after", settleAfterMs: 10_000 });
    given.on("invites.create", (_serve, { body }) => {
      const made = given.add("invites", { ...body, created_at: NOW });
      prepare(given);
      return { status: 201, body: made };
    });
    const values = kind === "invite" ? MAIL : { level: 1 };
    return { given, outcome: given.apply(change(kind, values, { name: MAIL.target_email })).then(([one]) => one) };
  };

  it.each(["invite", "membership"] as const)("is gone if the list has another one in its place (%s)", async (kind) => {
    const { outcome } = inviting(kind, (given) =>
      given.rows.set("invites", [{ ...MAIL, id: "other", created_at: OLD }]),
    );
    expect(await outcome).toMatchObject({ status: "yielded", id: "other" });
  });

  it("is taken back as the list shows it", async () => {
    const { given, outcome } = inviting("membership", (one) =>
      one.add("invites", { ...MAIL, id: "other", created_at: OLD }),
    );
    expect(await outcome).toMatchObject({ status: "yielded", id: "other", taken_back: "invites-1" });
    expect(ids(given, "invites")).toEqual(["other"]);
  });

  it("is named with the other one if that stays, with the command that removes the younger one", async () => {
    const { outcome } = inviting("membership", (one) =>
      one.add("invites", { ...MAIL, id: "other", created_at: YOUNG }),
    );
    expect(sentencesOf((await outcome)?.error)).toMatchSnapshot();
  });

  const member = { id: "m", level: 1, user: { uuid: "u", email: MAIL.target_email } };

  it.each(["invite", "membership"] as const)("is that of a person who has accepted it at once (%s)", async (kind) => {
    const { given, outcome } = inviting(kind, (one) => {
      one.rows.set("invites", []);
      one.rows.set("members", [member]);
    });
    expect(await outcome).toMatchObject({ status: "applied", id: "u" });
    expect(given.log).not.toContain("members.update u");
  });

  it("is not that of another member", async () => {
    const { outcome } = inviting("invite", (given) => {
      given.rows.set("invites", []);
      given.rows.set("members", [{ ...member, user: { uuid: "u", email: "bob@acme.com" } }]);
    });
    expect(await outcome).toMatchObject({ status: "unknown", error: { code: "not_looked" } });
  });
});

it("a create without an answer is unknown if another one is found, and the list is lost in the look", async () => {
  const given = racing(undefined, { settleAfterMs: 10_000 });
  given.on("domains.create", (_serve, { body }) => {
    given.add("domains", { ...body, created_at: NOW });
    throw lost("domains.create");
  });
  given.on("domains.list", (serve) => {
    const found = serve();
    given.on("domains.list", "always", () => Promise.reject(lost("domains.list")));
    return found;
  });
  const outcome = await creating(given);
  expect(outcome).toMatchObject({ status: "unknown", id: null, error: { code: "not_looked" } });
  expect(sentencesOf(outcome?.error)).toMatchSnapshot();
});

it("of two exports the younger one is named with the command of its scope", async () => {
  const given = world({ otherRuns: "look after", settleAfterMs: 10_000 });
  const values = { name: "E", destination: NO_OP, interval: "hour", paused: true };
  given.on("batch_exports.create", (_serve, { body }) => {
    given.add("batch_exports", { ...body, created_at: YOUNG });
    return { status: 201, body: given.add("batch_exports", { ...body, created_at: NOW }) };
  });
  const [outcome] = await given.apply(change("batch_export", values));
  expect(sentencesOf(outcome?.error)).toMatchSnapshot();
});

it("of two insights the younger one is named with the command that marks it as deleted", async () => {
  const given = world({ otherRuns: "look after", settleAfterMs: 10_000 });
  given.on("insights.create", (_serve, { body }) => {
    given.add("insights", { ...body, created_at: YOUNG });
    return { status: 201, body: given.add("insights", { ...body, created_at: NOW }) };
  });
  const [outcome] = await given.apply(change("insight", { name: "I" }, INSIGHTS));
  expect(sentencesOf(outcome?.error)).toMatchSnapshot();
});
