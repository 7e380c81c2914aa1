import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { apiError, change, INSIGHTS, lost, removal, world, type World } from "./support.ts";

const DOMAIN = { domain: "a.com", sso_enforcement: "" };
const AGAIN = "Run plan: it shows what the service holds now.";
const refused = (operation: string, code: string | null = "nope") =>
  apiError(operation, { kind: "invalid", status: 400, effect: "no", code });

type Told = Pick<Outcome, "status" | "id" | "error">;

async function told(given: World, ...changes: readonly Change[]): Promise<Told> {
  const { status, id, error } = (await given.apply(...changes)).at(-1) ?? {};
  return { status, id, error } as Told;
}

/** A world with a domain in it, and the update of that. */
function updating(values: JsonObject = { domain: "a.com", sso_enforcement: "saml" }) {
  const given = world();
  given.add("domains", DOMAIN);
  const [live] = given.live("domain");
  return { given, update: change("domain", values, { live }) };
}

/** What people read of every way in which a change can end but one. */
describe("the outcome says what happened and what to do", () => {
  const rows: Readonly<Record<string, { readonly run: () => Promise<Told>; readonly is: object }>> = {
    "a change that the plan refuses": {
      run: () => {
        const { given, update } = updating();
        return told(given, { ...update, blocked: { rule: "protect", lift: "take it out" } });
      },
      is: {
        status: "skipped",
        id: "domains-1",
        error: { code: "protect", message: "refused by the rule protect", hint: "take it out" },
      },
    },
    "a change of which the plan knows nothing": {
      run: () => {
        const { given, update } = updating();
        return told(given, { ...update, action: "unknown", reason: "GET answered 500" });
      },
      is: { status: "skipped", id: "domains-1", error: { code: "unknown", message: "GET answered 500" } },
    },
    "nothing to do": {
      run: () => {
        const { given, update } = updating(DOMAIN);
        return told(given, update);
      },
      is: { status: "applied", id: "domains-1", error: null },
    },
    "a parent that is not there": {
      run: () => told(world(), change("domain", { domain: "a.com" }, { scope: "beta" })),
      is: {
        status: "skipped",
        id: null,
        error: {
          code: "parent_failed",
          message: "what it belongs to is not there",
          hint: "Apply again once its parent is.",
        },
      },
    },
    "a natural key that another object still has": {
      run: () => {
        const given = world();
        given.add("insights", { name: "Taken" });
        const [live] = given.live("insight", INSIGHTS.scope);
        const rename = change("insight", { name: "Free" }, { ...INSIGHTS, live, name: "one" });
        given.on("insights.update", "always", () => Promise.reject(refused("insights.update")));
        return told(given, rename, change("insight", { name: "Taken" }, { ...INSIGHTS, name: "two" }));
      },
      is: {
        status: "skipped",
        id: null,
        error: {
          code: "key_taken",
          message: "another object still has its natural key, as that one was not renamed",
          hint: "Put right what failed, and apply again.",
        },
      },
    },
    "a removal after a failure": {
      run: () => {
        const given = world();
        given.add("domains", { domain: "b.com" });
        const [live] = given.live("domain");
        if (live === undefined) throw new Error("no domain");
        given.on("domains.create", () => Promise.reject(refused("domains.create")));
        return told(given, change("domain", { domain: "a.com" }), removal("domain", { domain: "b.com" }, live));
      },
      is: {
        status: "skipped",
        id: "domains-1",
        error: {
          code: "not_removed",
          message: "nothing is removed after a failure",
          hint: "Put right what failed, and apply again.",
        },
      },
    },
    "an object that has changed since the plan": {
      run: () => {
        const { given, update } = updating();
        given.rows.set("domains", [{ id: "domains-1", domain: "a.com", sso_enforcement: "google" }]);
        return told(given, update);
      },
      is: {
        status: "skipped",
        id: "domains-1",
        error: {
          code: "stale",
          message: "the object has changed since the plan was made",
          hint: "Plan again, and look at what has changed.",
        },
      },
    },
    "a create that somebody else was quicker with": {
      run: () => {
        const given = world();
        given.lists.set("acme domain", { status: "known", objects: [] });
        given.add("domains", { domain: "a.com" });
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: {
        status: "skipped",
        id: "domains-1",
        error: {
          code: "stale",
          message: "somebody else has created it since the plan was made: id domains-1",
          hint: "Plan again.",
        },
      },
    },
    "an intent that could not be journaled": {
      run: () => {
        const given = world();
        Object.assign(given.journal, { begin: () => Promise.reject(new Error("ENOSPC")) });
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: {
        status: "failed",
        id: null,
        error: {
          code: "no_journal",
          message: "not sent, as its intent could not be journaled: ENOSPC",
          hint: "Make room for the journal (DRIFTLINE_STATE_DIR), and apply again.",
        },
      },
    },
    "a create that never took effect": {
      run: () => {
        const given = world();
        given.on("domains.create", "always", () => Promise.reject(lost("domains.create")));
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: {
        status: "failed",
        id: null,
        error: {
          code: "not_created",
          message: "the service did not create it in 3 tries",
          hint: "Look at the service's health, then apply again.",
        },
      },
    },
    "a create whose outcome nobody knows": {
      run: () => {
        const given = world();
        given.on("domains.create", () => Promise.reject(lost("domains.create")));
        given.on("domains.list", () => Promise.reject(refused("domains.list")));
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: {
        status: "unknown",
        id: null,
        error: {
          code: "outcome_unknown",
          message:
            'domain "a.com" may have been created: the list that would tell could not be read: domains.list failed',
          hint: "Run plan: it shows whether the object is there. The next apply settles it before anything else.",
        },
      },
    },
    "a create that was answered without an object, and is not to be found": {
      run: () => {
        const given = world();
        given.on("domains.create", () => ({ status: 201, body: "created" }));
        given.on("domains.list", () => Promise.reject(refused("domains.list")));
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: { status: "unknown", error: { code: "outcome_unknown" } },
    },
    "a create that is refused": {
      run: () => {
        const given = world();
        given.on("domains.create", () => Promise.reject(refused("domains.create", null)));
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: { status: "failed", id: null, error: { code: "invalid", message: "domains.create failed", hint: "hint" } },
    },
    "a create that is not yet as declared": {
      run: () => {
        const given = world();
        given.on("domains.create", () => ({ status: 201, body: given.add("domains", DOMAIN) }));
        given.on("domains.update", () => Promise.reject(refused("domains.update", null)));
        return told(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }));
      },
      is: {
        status: "unverified",
        id: "domains-1",
        error: { code: "invalid", message: "created, but not yet as declared: domains.update failed", hint: "hint" },
      },
    },
    "fields that the service ignores": {
      run: () => {
        const { given, update } = updating({
          domain: "a.com",
          sso_enforcement: "saml",
          jit_provisioning_enabled: true,
        });
        given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
        return told(given, update);
      },
      is: {
        status: "unverified",
        id: "domains-1",
        error: {
          code: "ignored_by_service",
          message: "the service did not take over /sso_enforcement, /jit_provisioning_enabled",
          hint: "The service accepted the write but does not show it: the field may need a feature of the plan or a verified domain, or be read-only there. Put it under lifecycle.ignore to leave it alone.",
        },
      },
    },
    "a write that cannot be read back": {
      run: () => {
        const { given, update } = updating();
        given.on("domains.update", (serve) => {
          serve();
          given.on("domains.get", () => Promise.reject(apiError("domains.get", {})));
          return { status: 200, body: undefined };
        });
        return told(given, update);
      },
      is: {
        status: "unverified",
        id: "domains-1",
        error: { code: "server", message: "changed, but that could not be verified: domains.get failed", hint: "hint" },
      },
    },
    "a write that the service does not show any more": {
      run: () => {
        const { given, update } = updating();
        given.on("domains.update", () => {
          given.on("domains.get", () => ({ status: 200, body: {} }));
          return { status: 200, body: undefined };
        });
        return told(given, update);
      },
      is: {
        status: "unverified",
        id: "domains-1",
        error: {
          code: "not_shown",
          message: "the service does not show the domain domains-1",
          hint: "Run plan to see its state.",
        },
      },
    },
    "a write whose answer was lost": {
      run: () => {
        const { given, update } = updating();
        given.on("domains.update", () => Promise.reject(lost("domains.update")));
        return told(given, update);
      },
      is: {
        status: "unknown",
        id: "domains-1",
        error: {
          code: "outcome_unknown",
          message: "domains.update failed; it may or may not have taken effect",
          hint: AGAIN,
        },
      },
    },
    "a write that the service itself broke on": {
      run: () => {
        const { given, update } = updating();
        given.on("domains.update", () => Promise.reject(apiError("domains.update", { status: 500, code: "error" })));
        return told(given, update);
      },
      is: {
        status: "failed",
        id: "domains-1",
        error: { code: "error", message: "domains.update failed", hint: "hint" },
      },
    },
    "a write that something broke on before the service": {
      run: () => {
        const { given, update } = updating();
        given.on("domains.update", () => Promise.reject(apiError("domains.update", { status: 500, code: null })));
        return told(given, update);
      },
      is: { status: "unknown", id: "domains-1", error: { code: "outcome_unknown" } },
    },
  };

  it.each(Object.entries(rows))("%s", async (_name, { run, is }) => {
    expect(await run()).toMatchObject(is);
  });
});
