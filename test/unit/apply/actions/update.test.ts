import { describe, expect, it } from "vitest";
import { ChangeError } from "../../../../src/apply/change-error.ts";
import { kinds } from "../../../../src/kinds/registry.ts";
import { decide } from "../../../../src/plan/decide.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { apiError, change, INSIGHTS, lost, resource, world } from "../support.ts";
import { EXPORT, only, refused, SAML, updating, updatingDomain } from "../written.ts";

describe("an update", () => {
  it.each([
    ["was changed by others", [{ id: "domains-1", domain: "a.com", sso_enforcement: "google-oauth2" }]],
    ["is gone", []],
  ])("of an object that %s since the plan writes nothing: skipped, stale", async (_name, rows) => {
    const { given, update } = updatingDomain();
    given.rows.set("domains", rows);
    const outcome = await only(given, update);
    expect(outcome).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
    expect(given.log).toEqual(["domains.get domains-1"]);
  });

  it("of an object that cannot be read fails, and is not unknown: nothing was written", async () => {
    const { given, update } = updatingDomain();
    given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
    expect(await only(given, update)).toMatchObject({ status: "failed" });
  });

  it("whose answer was lost is applied if the object has the declared values", async () => {
    const { given, update } = updatingDomain();
    given.on("domains.update", (serve) => {
      serve();
      throw lost("domains.update");
    });
    expect(await only(given, update)).toMatchObject({ status: "applied" });
  });

  it("repeats what the object has right before it is sent, not what the plan saw", async () => {
    const row = { ...EXPORT, interval: "week", timezone: "UTC", offset_day: 1, offset_hour: 3 };
    const { given, update } = updating("batch_export", row, { name: "E", offset_day: 2 });
    given.rows.set("batch_exports", [{ ...row, id: "batch_exports-1", offset_hour: 5 }]);
    expect(await only(given, update)).toMatchObject({ status: "applied" });
    expect(given.rows.get("batch_exports")).toMatchObject([{ interval: "week", offset_day: 2, offset_hour: 5 }]);
  });

  it("that is sent again repeats what the object has by then", async () => {
    const row = { id: "insights-1", name: "I", description: "old", saved: false, search_match_type: null };
    const { given, update } = updating("insight", row, { name: "I", description: "new" }, INSIGHTS);
    const sent: unknown[] = [];
    given.on(
      "insights.update",
      (_serve, { body }) => {
        sent.push(body["saved"]);
        given.rows.set("insights", [{ ...row, saved: true }]);
        throw lost("insights.update");
      },
      (serve, { body }) => {
        sent.push(body["saved"]);
        return serve();
      },
    );
    expect(await only(given, update)).toMatchObject({ status: "applied" });
    expect(sent).toEqual([false, undefined]);
  });

  it.each([
    [
      "the object does not have it, and no try after the settle time is answered",
      lost("domains.update"),
      false,
      "failed",
    ],
    ["the object cannot be read", lost("domains.update"), true, "unknown"],
    [
      "the service answered 500, and the object does not have it",
      apiError("domains.update", { status: 500, code: "error" }),
      false,
      "failed",
    ],
    [
      "the service answered 500, but an earlier try may still be running",
      apiError("domains.update", { status: 500, code: "error", mayStillRun: true }),
      false,
      "failed",
    ],
    [
      "the service answered 500, and the object cannot be read",
      apiError("domains.update", { status: 500, code: "error" }),
      true,
      "unknown",
    ],
  ])("whose answer was lost if %s", async (_name, error, unreadable, status) => {
    const { given, update } = updatingDomain();
    given.on("domains.update", "always", () => {
      if (unreadable) given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
      throw error;
    });
    expect(await only(given, update)).toMatchObject({ status, id: "domains-1" });
  });

  it("whose answer was lost is unknown if it sent nothing but a secret, which the service does not show", async () => {
    const live = { type: "HTTP", config: { url: "https://a.com" } };
    const declared = { ...live, config: { ...live.config, token: "new" } };
    const { given } = updating("batch_export", { ...EXPORT, destination: live }, EXPORT);
    const [object] = given.live("batch_export", "acme");
    if (object === undefined) throw new Error("the world has one export");
    const values = { ...EXPORT, destination: declared };
    const rotation = decide(
      { kind: kinds.batch_export, resource: resource("batch_export", values, { live: object }), rotate: true },
      object,
    );
    expect(rotation).toMatchObject({ action: "update", fields: [{ path: "/destination/config/token" }] });
    given.on("batch_exports.update", () => {
      throw lost("batch_exports.update");
    });
    expect(await only(given, rotation)).toMatchObject({ status: "unknown", error: { code: "outcome_unknown" } });
    // Deployed servers always answer 500 to this route.
    given.on("batch_exports.update", () => {
      throw apiError("batch_exports.update", { status: 500, code: "error" });
    });
    expect(await only(given, rotation)).toMatchObject({ status: "failed", error: { code: "error", hint: "hint" } });
  });

  it("that needs a manual step reports the step", async () => {
    const { given, update } = updating(
      "domain",
      { domain: "a.com", sso_enforcement: "", verification_challenge: "abc" },
      { domain: "a.com", sso_enforcement: "saml" },
    );
    given.on("domains.update", () =>
      Promise.reject(
        apiError("domains.update", { kind: "invalid", status: 400, tookEffect: "no", code: "verification_required" }),
      ),
    );
    const outcome = await only(given, update);
    const hint = expect.stringContaining('TXT _posthog-challenge.a.com "abc"') as string;
    expect(outcome).toMatchObject({ status: "failed", error: { hint } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });
});

describe("a write without a clear answer", () => {
  it.each([
    ["reads show none", 0],
    ["it takes effect late", 1],
  ])("of a gateway has failed only if after the settle time there is no effect: %s", async (_name, late) => {
    const { given, update } = updatingDomain();
    const fail = (): never => {
      throw apiError("domains.update", { status: 502, code: "error" });
    };
    given.on("domains.update", "always", (serve) => {
      const sleep = given.clock.sleep.bind(given.clock);
      if (late === 1) Object.assign(given.clock, { sleep: (ms: number) => (serve(), sleep(ms)) });
      return fail();
    });
    const failed = { status: "failed", error: { code: "error" } };
    expect(await only(given, update)).toMatchObject(late === 1 ? { status: "applied" } : failed);
    expect(given.clock.slept).toEqual(late === 1 ? [60_000] : [60_000, 60_000]);
  });

  it("is not verified if it certainly had no effect", async () => {
    const { given, update } = updatingDomain();
    given.on("domains.update", () => Promise.reject(refused("domains.update")));
    expect(await only(given, update)).toMatchObject({ status: "failed", error: { code: "nope" } });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1"]);
  });
});

describe("a change that needs a manual step", () => {
  const CHALLENGE = { domain: "a.com", sso_enforcement: "", verification_challenge: "abc" };
  const HINT = expect.stringContaining('TXT _posthog-challenge.a.com "abc"') as string;
  const waiting = refused("domains.update", "verification_required");

  it("reports the step from the plan's object if the object cannot be read", async () => {
    const { given, update } = updatingDomain(CHALLENGE);
    given.on("domains.update", () => {
      given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
      throw waiting;
    });
    expect(await only(given, update)).toMatchObject({
      status: "failed",
      id: "domains-1",
      error: { code: "verification_required", message: "domains.update failed", hint: HINT },
    });
  });

  it("reports the step from the live object if it was just created", async () => {
    const given = world();
    given.on("domains.create", () => ({ status: 201, body: given.add("domains", CHALLENGE) }));
    given.on("domains.update", () => Promise.reject(waiting));
    expect(await only(given, change("domain", SAML))).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "verification_required", hint: HINT },
    });
  });

  it("reports the hint of the error if the object was just created and cannot be read", async () => {
    const given = world();
    given.on("domains.create", () => ({ status: 201, body: given.add("domains", CHALLENGE) }));
    given.on("domains.update", () => {
      given.on("domains.get", "always", () => Promise.reject(apiError("domains.get", {})));
      throw waiting;
    });
    expect(await only(given, change("domain", SAML))).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "verification_required", hint: "hint" },
    });
  });

  it("fails plainly if there is no object to take the step from", async () => {
    const given = world();
    given.on("domains.create", () =>
      Promise.reject(
        apiError("domains.create", { kind: "invalid", status: 400, tookEffect: "no", code: "verification_required" }),
      ),
    );
    expect(await only(given, change("domain", SAML))).toMatchObject({ status: "failed", error: { hint: "hint" } });
    expect(given.log).toEqual(["domains.create"]);
  });

  it("does not report the step for other refusals", async () => {
    const { given, update } = updatingDomain(CHALLENGE);
    given.on("domains.update", () => Promise.reject(refused("domains.update")));
    expect(await only(given, update)).toMatchObject({ status: "failed", error: { code: "nope", hint: "hint" } });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1"]);
  });
});

describe("a bug in driftline", () => {
  it("after an accepted write is still reported as a defect", async () => {
    const given = world();
    given.on("batch_exports.unpause", () => Promise.reject(new TypeError("x is not a function")));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({
      status: "unknown",
      error: { code: "defect", message: "x is not a function" },
    });
  });

  it.each([
    ["without an answer", lost("domains.update")],
    ["that the service has ended", apiError("domains.update", { status: 500, code: "error" })],
  ])("in the read after a write %s ends the change at once", async (_name, error) => {
    const { given, update } = updatingDomain();
    given.on("domains.update", () => {
      const broken = () => Promise.reject(new TypeError("x is not a function"));
      Object.assign(given.client, { request: broken, list: broken });
      throw error;
    });
    expect(await only(given, update)).toMatchObject({
      status: "unknown",
      error: { code: "defect", message: "x is not a function" },
    });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1"]);
    expect(given.clock.slept).toEqual([]);
  });

  it("before any request is a failure, and asks for a report", async () => {
    const { given, update } = updatingDomain();
    Object.assign(given.client, { request: () => Promise.reject(new TypeError("x is not a function")) });
    const outcome = await only(given, update);
    expect(outcome).toMatchObject({
      status: "failed",
      id: "domains-1",
      error: { code: "defect", message: "x is not a function" },
      requests: 0,
    });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it.each(["text", 7])("that throws %j reports it as it is", async (thrown) => {
    const { given, update } = updatingDomain();
    given.on("domains.update", () => {
      throw thrown;
    });
    expect(await only(given, update)).toMatchObject({ error: { code: "defect", message: String(thrown) } });
    const other = world();
    Object.assign(other.journal, {
      begin: () => {
        throw thrown;
      },
    });
    const outcome = await only(other, change("domain", SAML));
    const message = expect.stringContaining(String(thrown)) as string;
    expect(outcome).toMatchObject({ error: { code: "no_journal", message } });
    expect(sentencesOf(outcome.error)).toMatchSnapshot();
  });

  it("has the name of its class if it is a ChangeError", () => {
    const error = new ChangeError("failed", "code", "message", { hint: "hint" });
    expect([String(error), error.id]).toEqual(["ChangeError: message", null]);
  });
});
