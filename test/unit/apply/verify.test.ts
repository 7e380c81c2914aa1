import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { Json, JsonObject } from "../../../src/model/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { apiError, change, INSIGHTS, lost, world, type Declared, type World } from "./support.ts";

const EXPORT = { name: "E", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };

async function only(given: World, one: Change): Promise<Outcome> {
  const [outcome] = await given.apply(one);
  if (outcome === undefined) throw new Error("no outcome");
  return outcome;
}

/** A world with one object, and the update of it that is decided on. */
function updating(
  kind: KindName,
  row: JsonObject,
  values: Readonly<Record<string, Json>>,
  declared: Declared = {},
): { readonly given: World; readonly update: Change } {
  const given = world();
  const scope = declared.scope ?? "acme";
  given.add(kind === "insight" ? "insights" : kind === "domain" ? "domains" : "batch_exports", row);
  const [live] = given.live(kind, scope);
  return { given, update: change(kind, values, { ...declared, live }) };
}

describe("what was written is what came back", () => {
  it("a create that drops fields is repaired by one PATCH of what is missing", async () => {
    const given = world();
    given.on("domains.create", () => ({
      status: 201,
      body: given.add("domains", { domain: "a.com", sso_enforcement: "" }),
    }));
    given.on("domains.update", (serve, { body }) => {
      expect(body).toEqual({ sso_enforcement: "saml" });
      return serve();
    });
    expect(await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }))).toMatchObject({
      status: "applied",
      requests: 2,
    });
  });

  it("a field that stays ignored is unverified with its path, after one repair and one more read", async () => {
    const given = world();
    given.on("domains.create", () => ({
      status: 201,
      body: given.add("domains", { domain: "a.com", sso_enforcement: "" }),
    }));
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
    const outcome = await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }));
    expect(outcome).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "ignored_by_service", message: expect.stringContaining("/sso_enforcement") as string },
    });
    expect(given.log).toEqual(["domains.create", "domains.update domains-1", "domains.get domains-1"]);
  });

  it("a repair that is refused leaves a create unverified, with the id of what is there", async () => {
    const given = world();
    given.on("domains.create", () => ({
      status: 201,
      body: given.add("domains", { domain: "a.com", sso_enforcement: "" }),
    }));
    given.on("domains.update", () =>
      Promise.reject(apiError("domains.update", { kind: "invalid", status: 400, effect: "no", code: "nope" })),
    );
    expect(await only(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }))).toMatchObject({
      status: "unverified",
      id: "domains-1",
      error: { code: "nope" },
    });
  });

  it("an update is not repaired: what it does not show it is asked for once more", async () => {
    const { given, update } = updating(
      "domain",
      { domain: "a.com", sso_enforcement: "" },
      { domain: "a.com", sso_enforcement: "saml" },
    );
    given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
    expect(await only(given, update)).toMatchObject({ status: "unverified" });
    expect(given.log).toEqual(["domains.get domains-1", "domains.update domains-1", "domains.get domains-1"]);
  });

  it("an answer of another shape is read again", async () => {
    const { given, update } = updating(
      "domain",
      { domain: "a.com", sso_enforcement: "" },
      { domain: "a.com", sso_enforcement: "saml" },
    );
    given.on("domains.update", (serve) => {
      serve();
      return { status: 200, body: undefined };
    });
    expect(await only(given, update)).toMatchObject({ status: "applied", requests: 3 });
  });

  it("an update that was taken but cannot be read back is unverified, not failed and not unknown", async () => {
    const { given, update } = updating(
      "domain",
      { domain: "a.com", sso_enforcement: "" },
      { domain: "a.com", sso_enforcement: "saml" },
    );
    given.on("domains.update", (serve) => {
      serve();
      given.on("domains.get", () => Promise.reject(apiError("domains.get", {})));
      return { status: 200, body: undefined };
    });
    expect(await only(given, update)).toMatchObject({ status: "unverified" });
  });

  it("fields under lifecycle.ignore are not looked at, and do not make an object stale", async () => {
    const lifecycle = { ignore: ["description"] };
    const { given, update } = updating(
      "insight",
      { name: "I", description: "theirs", favorited: false },
      { name: "I", description: "ours", favorited: true },
      { ...INSIGHTS, lifecycle },
    );
    expect(await only(given, update)).toMatchObject({ status: "applied" });
    expect(given.rows.get("insights")).toMatchObject([{ description: "theirs", favorited: true }]);
  });
});

describe("an update", () => {
  const one = (): ReturnType<typeof updating> =>
    updating("domain", { domain: "a.com", sso_enforcement: "" }, { domain: "a.com", sso_enforcement: "saml" });

  it.each([
    ["was changed by others", [{ id: "domains-1", domain: "a.com", sso_enforcement: "google-oauth2" }]],
    ["is gone", []],
  ])("of an object that %s since the plan writes nothing: skipped, stale", async (_name, rows) => {
    const { given, update } = one();
    given.rows.set("domains", rows);
    expect(await only(given, update)).toMatchObject({ status: "skipped", error: { code: "stale" } });
    expect(given.log).toEqual(["domains.get domains-1"]);
  });

  it("of an object that cannot be read fails, and is not unknown: nothing was written", async () => {
    const { given, update } = one();
    given.on("domains.get", () => Promise.reject(apiError("domains.get", {})));
    expect(await only(given, update)).toMatchObject({ status: "failed" });
  });

  it("whose answer was lost is applied where the object has what was declared", async () => {
    const { given, update } = one();
    given.on("domains.update", (serve) => {
      serve();
      throw lost("domains.update");
    });
    expect(await only(given, update)).toMatchObject({ status: "applied" });
  });

  it.each([
    ["the object does not have it yet", lost("domains.update"), false, "unknown"],
    ["the object cannot be read", lost("domains.update"), true, "unknown"],
    [
      "the service answered 500, and the object does not have it",
      apiError("domains.update", { status: 500, code: "error" }),
      false,
      "failed",
    ],
    [
      "the service answered 500, and the object cannot be read",
      apiError("domains.update", { status: 500, code: "error" }),
      true,
      "unknown",
    ],
  ])("whose answer was lost where %s", async (_name, error, unreadable, status) => {
    const { given, update } = one();
    given.on("domains.update", () => {
      if (unreadable) given.on("domains.get", () => Promise.reject(apiError("domains.get", {})));
      throw error;
    });
    expect(await only(given, update)).toMatchObject({ status, id: "domains-1" });
  });

  it("that waits for something outside of the service says what", async () => {
    const { given, update } = updating(
      "domain",
      { domain: "a.com", sso_enforcement: "", verification_challenge: "abc" },
      { domain: "a.com", sso_enforcement: "saml" },
    );
    given.on("domains.update", () =>
      Promise.reject(
        apiError("domains.update", { kind: "invalid", status: 400, effect: "no", code: "verification_required" }),
      ),
    );
    const hint = expect.stringContaining('TXT _posthog-challenge.a.com "abc"') as string;
    expect(await only(given, update)).toMatchObject({ status: "unverified", error: { hint } });
  });
});

describe("a batch export", () => {
  it("is created paused and unpaused once proven", async () => {
    const given = world();
    given.on("batch_exports.create", (serve, { body }) => {
      expect(body["paused"]).toBe(true);
      return serve();
    });
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["batch_exports.create", "batch_exports.unpause batch_exports-1"]);
    expect(given.rows.get("batch_exports")).toMatchObject([{ paused: false }]);
  });

  it("that is declared paused is created so and not moved", async () => {
    const given = world();
    expect(await only(given, change("batch_export", { ...EXPORT, paused: true }))).toMatchObject({ status: "applied" });
    expect(given.log).toEqual(["batch_exports.create"]);
  });

  it.each([
    ["refused", apiError("batch_exports.unpause", { kind: "invalid", status: 400, effect: "no" }), "unverified"],
    ["lost", lost("batch_exports.unpause"), "unknown"],
  ])("is there, with its id, where the unpausing is %s", async (_name, error, status) => {
    const given = world();
    given.on("batch_exports.unpause", () => Promise.reject(error));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status, id: "batch_exports-1" });
  });

  it("is unpaused where the answer to that was lost but it took effect", async () => {
    const given = world();
    given.on("batch_exports.unpause", (serve) => {
      serve();
      throw lost("batch_exports.unpause");
    });
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
  });

  it("is moved by PATCH where the operation is closed to the key", async () => {
    const given = world();
    given.on("batch_exports.unpause", () =>
      Promise.reject(apiError("batch_exports.unpause", { kind: "scope", status: 403, effect: "no" })),
    );
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({ status: "applied" });
    expect(given.rows.get("batch_exports")).toMatchObject([{ paused: false }]);
  });

  it("that says yes to a transition and does nothing is unverified", async () => {
    const given = world();
    given.on("batch_exports.unpause", () => ({ status: 200, body: {} }));
    expect(await only(given, change("batch_export", EXPORT))).toMatchObject({
      status: "unverified",
      error: { message: expect.stringContaining("/paused") as string },
    });
  });

  it("whose fields were changed but which could not be paused is changed in part", async () => {
    const { given, update } = updating(
      "batch_export",
      { ...EXPORT, interval: "day" },
      {
        ...EXPORT,
        paused: true,
      },
    );
    given.on("batch_exports.pause", () =>
      Promise.reject(apiError("batch_exports.pause", { kind: "invalid", status: 400, effect: "no" })),
    );
    expect(await only(given, update)).toMatchObject({
      status: "unverified",
      error: { message: expect.stringContaining("changed in part") as string },
    });
  });
});

describe("a restore", () => {
  const restoring = (): { readonly given: World; readonly restore: Change } => {
    const given = world();
    given.add("insights", { name: "I", description: "old", deleted: true });
    const [live] = given.live("insight", INSIGHTS.scope);
    return { given, restore: change("insight", { name: "I", description: "new" }, { ...INSIGHTS, live }) };
  };

  it("brings the object back under its id and patches what differs", async () => {
    const { given, restore } = restoring();
    expect(await only(given, restore)).toMatchObject({ action: "restore", status: "applied", id: "insights-1" });
    expect(given.log).toEqual(["insights.update insights-1", "insights.update insights-1"]);
    expect(given.rows.get("insights")).toMatchObject([{ deleted: false, description: "new" }]);
  });

  it("fails where there is none", async () => {
    const { given, restore } = restoring();
    given.rows.set("insights", []);
    expect(await only(given, restore)).toMatchObject({ status: "failed" });
  });

  it("whose answer was lost goes by what the service shows", async () => {
    for (const lands of [true, false]) {
      const { given, restore } = restoring();
      given.on("insights.update", (serve) => {
        if (lands) serve();
        throw lost("insights.update");
      });
      expect(await only(given, restore)).toMatchObject({ status: lands ? "applied" : "unknown" });
    }
  });
});
