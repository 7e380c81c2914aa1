import { describe, expect, it } from "vitest";
import { executePlan } from "../../../src/apply/execute-plan.ts";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { listKey } from "../../../src/model/live.ts";
import type { Outcome, Wait } from "../../../src/model/outcome.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { apiError, change, intentOf, lost, world, type World } from "./support.ts";
import { only } from "./written.ts";

const DOMAIN = change("domain", { domain: "a.com" });
const sent = ({ log }: World): number => log.filter((one) => one.endsWith(".create")).length;

/** Applies without an abort signal, and returns the reported waits as well. */
async function applyAndWatch(
  given: World,
  ...changes: readonly Change[]
): Promise<{ readonly outcomes: readonly Outcome[]; readonly waits: readonly Wait[] }> {
  const waits: Wait[] = [];
  given.lists.set(listKey("acme", "domain"), { status: "known", objects: [] });
  const options = { prune: false, only: [], rotate: [] };
  const plan = { summary: {} as never, options, changes, unmanaged: [], diagnostics: [] };
  const context = { ...given.context(), signal: undefined, onWait: (wait: Wait) => void waits.push(wait) };
  return { outcomes: await executePlan(plan, context), waits };
}

describe("a create that waits for its outcome", () => {
  it("reports that once, with the end of the wait", async () => {
    const given = world();
    const until = given.clock.time + 60_000;
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    const { outcomes, waits } = await applyAndWatch(given, DOMAIN);
    expect(outcomes).toMatchObject([{ status: "applied" }]);
    expect(waits).toMatchObject([{ address: "acme/domains/a.com", until }]);
    expect(sentencesOf(waits)).toMatchSnapshot();
  });

  it("reports nothing if the request can no longer take effect", async () => {
    const given = world({ settleAfterMs: 0 });
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    const { outcomes, waits } = await applyAndWatch(given, DOMAIN);
    expect([outcomes[0]?.status, waits]).toEqual(["applied", []]);
  });

  it("reports the outage that holds it back", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("domains.create", "always", () => Promise.reject(lost("domains.create")));
    const many = Array.from({ length: 12 }, (_, index) => change("domain", { domain: `${String(index)}.com` }));
    const { waits } = await applyAndWatch(given, ...many);
    expect(
      sentencesOf([...new Set(waits.map(({ reason }) => reason))].map((reason) => ({ reason }))),
    ).toMatchSnapshot();
  });

  it.each([["SIGTERM"], [undefined]])("says what ended the wait if the run is aborted by %j", async (reason) => {
    const given = world();
    given.on("domains.create", () => Promise.reject(lost("domains.create")));
    given.on("domains.list", (serve) => {
      given.abort.abort(reason);
      return serve();
    });
    const outcome = await only(given, DOMAIN);
    expect(outcome).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(given.journal.open()).toHaveLength(1);
  });
});

describe("a create without a result", () => {
  const empty = () => ({ status: 201, body: undefined });
  const failing = (code: string) => () => Promise.reject(apiError("domains.create", { code }));

  it("names no error if every answer held no object", async () => {
    const given = world();
    given.on("domains.create", "always", empty);
    const outcome = await only(given, DOMAIN);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "not_created" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(sent(given)).toBe(3);
  });

  it("is not sent again once the retries of the run are used up", async () => {
    const given = world();
    Object.assign(given.client, { takeRetry: () => false });
    given.on("domains.create", empty);
    const outcome = await only(given, DOMAIN);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "not_created" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(sent(given)).toBe(1);
  });

  it("is sent a third time if the second error has another code", async () => {
    const given = world();
    given.on("domains.create", failing("one"), failing("two"));
    expect(await only(given, DOMAIN)).toMatchObject({ status: "applied" });
    expect(sent(given)).toBe(3);
  });

  it("reports an error that came twice, and that nothing was created", async () => {
    const given = world();
    given.on("domains.create", failing("one"), failing("one"));
    const outcome = await only(given, DOMAIN);
    expect(outcome).toMatchObject({ status: "failed", error: { code: "one" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });
});

describe("the intents that keep the values of a removed object", () => {
  const carried: JsonObject = { message: "Welcome" };
  const kept = { kind: "invite", key: "eve@acme.com", carried };
  /** A create of the invite with the values that the journal has kept. */
  const again = (): Change => {
    const made = change("invite", { target_email: "eve@acme.com", level: 8 });
    const work = made.work ?? { scope: "acme", body: {}, key: null };
    return { ...made, work: { ...work, body: { ...work.body, ...carried }, carried } };
  };

  it("are closed only when the object exists again, all of them", async () => {
    const given = world({ intents: [intentOf({ ...kept, id: "first" }), intentOf({ ...kept, id: "second" })] });
    expect(await only(given, again())).toMatchObject({ status: "applied", id: "invites-1" });
    expect(given.rows.get("invites")).toMatchObject([{ level: 8, ...carried }]);
    expect(given.journal.records).toEqual([
      "begin eve@acme.com",
      "settle not created",
      "settle not created",
      "settle invites-1",
    ]);
    expect(given.journal.open()).toEqual([]);
  });

  it("have nothing to resolve if their create was never sent", async () => {
    const given = world({ intents: [intentOf({ ...kept, removed: "invites-0" })] });
    expect(await only(given, again())).toMatchObject({ status: "applied" });
    expect(given.clock.slept).toEqual([]);
  });
});
