import { describe, expect, it } from "vitest";
import type { Intent } from "../../../../src/apply/journal/intents.ts";
import { Secret } from "../../../../src/model/json/json.ts";
import { listKey } from "../../../../src/model/live.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { apiError, change, intentOf, lost, ORGANIZATION, URL_OF_FAKE, world, type World } from "../support.ts";
import { journaledIntents } from "../written.ts";

const SETTLE_TIME = 60_000;
const LISTED = "domains.list";

async function create(given: World, values: Parameters<typeof change>[1] = { domain: "a.com" }): Promise<Outcome> {
  const [outcome] = await given.apply(change("domain", values));
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

const sent = ({ log }: World): number => log.filter((one) => one === "domains.create").length;

/** A world in which the first create is lost before it arrives. */
function losing(settleAfterMs = SETTLE_TIME): World {
  const given = world({ settleAfterMs });
  given.on("domains.create", () => Promise.reject(lost("domains.create")));
  return given;
}

describe("looking for what became of a create", () => {
  it("waits longer and longer, never past the settle time, and a moment between the two looks beyond it", async () => {
    const given = losing();
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(given.clock.slept).toEqual([500, 1_000, 2_000, 5_000, 10_000, 20_000, 20_000, 1_500, 500]);
  });

  it("begins again with every list that can be read: only failures in a row end it", async () => {
    const given = losing();
    const fail = () => Promise.reject(apiError(LISTED, {}));
    const empty = () => Promise.resolve({ status: 200, body: [] });
    given.on(LISTED, fail, fail, fail, empty, fail, fail, fail);
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(sent(given)).toBe(2);
  });

  it("needs two empty lists in a row as proof", async () => {
    const given = losing(0);
    const empty = () => Promise.resolve({ status: 200, body: [] });
    let sentBefore = 0;
    given.on(
      LISTED,
      empty,
      () => Promise.reject(apiError(LISTED, {})),
      (serve) => {
        sentBefore = sent(given);
        return serve();
      },
    );
    expect(await create(given)).toMatchObject({ status: "applied" });
    expect(sentBefore).toBe(1);
    expect(given.log.filter((one) => one === LISTED)).toHaveLength(4);
  });

  it.each([
    ["no connection", { kind: "network", status: null, tookEffect: "no", code: "ECONNREFUSED" }],
    ["no answer in time", { kind: "timeout", status: null, tookEffect: "no" }],
    ["a list that does not add up", { kind: "incomplete", status: null, tookEffect: "no" }],
    ["a service that is down", { kind: "server", status: 503, tookEffect: "maybe" }],
  ] as const)("goes on after %s", async (_name, fields) => {
    const given = losing();
    given.on(LISTED, () => Promise.reject(apiError(LISTED, fields)));
    expect(await create(given)).toMatchObject({ status: "applied" });
  });

  it.each([
    ["a key that was revoked", { kind: "auth", status: 401, tookEffect: "no" }],
    ["a scope that is missing", { kind: "scope", status: 403, tookEffect: "no" }],
    ["a list that is not there", { kind: "not_found", status: 404, tookEffect: "no" }],
  ] as const)("ends immediately after %s, and nothing is sent again", async (_name, fields) => {
    const given = losing();
    given.on(LISTED, "always", () => Promise.reject(apiError(LISTED, fields)));
    expect(await create(given)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect(given.log).toEqual(["domains.create", LISTED]);
    expect(given.journal.open()).toHaveLength(1);
  });

  it.each([0, 1])("stays unknown if what existed before is lost, whatever is there now (%i)", async (count) => {
    const given = world({ intents: [intentOf({ known: undefined })] });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    if (count > 0) given.add("domains", { domain: "a.com" });
    expect(await create(given)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect([sent(given), given.journal.open().length]).toEqual([0, 1]);
  });

  it("ends with a list that an interruption ends, and leaves the intent open", async () => {
    const given = losing();
    given.on(LISTED, "always", () => {
      given.abort.abort();
      return Promise.reject(apiError(LISTED, { kind: "interrupted", status: null, tookEffect: "no" }));
    });
    expect(await create(given)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect(given.log).toEqual(["domains.create", LISTED]);
    expect(given.journal.open()).toHaveLength(1);
  });

  it("reports a bug as a defect, and leaves the intent open", async () => {
    const given = losing();
    given.on(LISTED, () => Promise.reject(new TypeError("x is not a function")));
    expect(await create(given)).toMatchObject({ status: "unknown", error: { code: "defect" } });
    expect(given.journal.open()).toHaveLength(1);
  });

  it("never mistakes the replaced object for the new one", async () => {
    const given = world({ intents: [intentOf({ replaces: "domains-1" })] });
    given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
    given.add("domains", { domain: "a.com" });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-2" });
    expect(sent(given)).toBe(1);
  });
});

describe("a server error for a create", () => {
  const SHORT = [500, 1_000, 1_500, 500];
  const FULL = [500, 1_000, 2_000, 5_000, 10_000, 20_000, 20_000, 1_500, 500];

  it.each([
    ["500 of the service itself", { status: 500, code: "error" }, SHORT],
    ["500 of something before the service", { status: 500, code: null }, FULL],
    ["502", { status: 502, code: null }, FULL],
    ["503 with a code", { status: 503, code: "error" }, FULL],
    ["504", { status: 504, code: null }, FULL],
  ])("that is %s twice is the result, after two empty lists beyond the settle time", async (_name, fields, waits) => {
    const given = world();
    given.on("domains.create", "always", () => Promise.reject(apiError("domains.create", fields)));
    const error = { code: fields.code ?? "server", hint: "hint" };
    expect(await create(given)).toMatchObject({ status: "failed", error });
    expect(sent(given)).toBe(2);
    expect(given.clock.slept).toEqual([...FULL, ...waits]);
    expect(given.journal.open()).toEqual([]);
  });

  it("is not the result if the second request is committed late", async () => {
    const given = world();
    const fail = (): never => {
      throw apiError("domains.create", { status: 502 });
    };
    given.on("domains.create", fail, () => {
      const before = given.clock.slept.length;
      given.on("domains.list", "always", (serve) => {
        if (given.clock.slept.length === before + 5) given.add("domains", { domain: "a.com" });
        return serve();
      });
      return fail();
    });
    expect(await create(given)).toMatchObject({ status: "applied", id: "domains-1" });
    expect(sent(given)).toBe(2);
  });

  it("that is followed by another one is sent a third time, and the last one is named", async () => {
    const given = world();
    const fail = (status: number) => (): never => {
      throw apiError("domains.create", { status, message: `it answered ${String(status)}` });
    };
    given.on("domains.create", fail(502), fail(503), fail(504));
    const message = expect.stringContaining("it answered 504") as string;
    expect(await create(given)).toMatchObject({ status: "failed", error: { code: "not_created", message } });
    expect(sent(given)).toBe(3);
  });

  it("that is permanent waits only for a short settle time", async () => {
    const given = world({ settleAfterMs: 700 });
    given.on("batch_exports.create", () =>
      Promise.reject(apiError("batch_exports.create", { status: 500, code: "error" })),
    );
    const values = { name: "E", interval: "hour", destination: { type: "NoOp", config: {} } };
    expect(await given.apply(change("batch_export", values))).toMatchObject([
      { status: "failed", error: { code: "error", hint: "hint" } },
    ]);
    expect(given.clock.slept).toEqual([500, 200, 500]);
  });
});

describe("the intent of a create", () => {
  const intentsOf = async (
    given: World,
    ...values: readonly Parameters<typeof change>[1][]
  ): Promise<readonly Intent[]> => {
    const begun = journaledIntents(given);
    await given.apply(...values.map((one) => change("domain", one)));
    return begun;
  };

  it("records the scope, key, payload and time, and the objects that existed before", async () => {
    const given = world();
    given.add("domains", { domain: "old.com" });
    expect(await intentsOf(given, { domain: "a.com" })).toEqual([
      {
        url: URL_OF_FAKE,
        kind: "domain",
        scope: { organization_id: ORGANIZATION },
        key: "a.com",
        payload: expect.stringMatching(/^sha256:[0-9a-f]{64}$/u) as string,
        known: ["domains-1"],
        at: given.clock.time,
      },
    ]);
  });

  it("distinguishes payloads, but holds only the expression of a secret", async () => {
    const [a, b, c, d] = await intentsOf(
      world(),
      { domain: "a.com", sso_enforcement: "saml" },
      { domain: "b.com", saml_entity_id: new Secret("${secret:X}") },
    ).then(async (first) => [
      ...first,
      ...(await intentsOf(
        world(),
        { domain: "a.com", sso_enforcement: "" },
        { domain: "b.com", saml_entity_id: new Secret("${secret:X}") },
      )),
    ]);
    expect(a?.payload).not.toBe(c?.payload);
    expect(b?.payload).toBe(d?.payload);
    expect(JSON.stringify(b)).not.toContain("value of");
  });

  it("is begun again with the current objects if the previous one created nothing", async () => {
    const given = losing();
    const begun = intentsOf(given, { domain: "a.com" });
    given.on(LISTED, "always", (serve) => {
      if (given.clock.slept.length === 8) given.add("domains", { domain: "b.com" });
      return serve();
    });
    expect((await begun).map(({ known }) => known)).toEqual([[], ["domains-1"]]);
  });
});
