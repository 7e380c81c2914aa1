import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import { restoreChange } from "../../../src/plan/make-change.ts";
import { apiError, change, INSIGHTS, intentOf, lost, removal, resource, world, type World } from "./support.ts";

const DOMAIN = { domain: "a.com", sso_enforcement: "" };
const EXPORT = { name: "E", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
const refused = (operation: string, code: string | null = "nope") =>
  apiError(operation, { kind: "invalid", status: 400, tookEffect: "no", code });

type Ending = Pick<Outcome, "status" | "id" | "error">;

/** One way in which a change ends: the set-up, and what programs read of the outcome. */
interface Row {
  readonly run: () => Promise<Ending>;
  readonly is: {
    readonly status: Outcome["status"];
    readonly id?: string | null;
    readonly code: string | null;
    /** The data that its sentences name. */
    readonly says?: readonly string[];
  };
}

async function ending(given: World, ...changes: readonly Change[]): Promise<Ending> {
  const { status, id, error } = (await given.apply(...changes)).at(-1) ?? {};
  return { status, id, error } as Ending;
}

/** A world with a domain in it, and the update of that domain. */
function updating(values: JsonObject = { domain: "a.com", sso_enforcement: "saml" }) {
  const given = world();
  given.add("domains", DOMAIN);
  const [live] = given.live("domain");
  return { given, update: change("domain", values, { live }) };
}

/** The ways in which most changes end. */
export const COMMON: Readonly<Record<string, Row>> = {
  "a change that the plan refuses": {
    run: () => {
      const { given, update } = updating();
      return ending(given, { ...update, blocked: { rule: "protect", lift: "take it out" } });
    },
    is: { status: "skipped", id: "domains-1", code: "protect", says: ["protect", "take it out"] },
  },
  "a change with an unknown live state": {
    run: () => {
      const { given, update } = updating();
      return ending(given, { ...update, action: "unknown", reason: "GET answered 500" });
    },
    is: { status: "skipped", id: "domains-1", code: "unknown", says: ["GET answered 500"] },
  },
  "nothing to do": {
    run: () => {
      const { given, update } = updating(DOMAIN);
      return ending(given, update);
    },
    is: { status: "unchanged", id: "domains-1", code: null },
  },
  "a parent that is not there": {
    run: () => ending(world(), change("domain", { domain: "a.com" }, { scope: "beta" })),
    is: { status: "skipped", id: null, code: "parent_failed" },
  },
  "a domain that another organization has": {
    run: () => {
      const given = world();
      given.on("domains.create", () => Promise.reject(refused("domains.create", "unique")));
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "failed", code: "unique", says: ["a.com"] },
  },
  "a plugin that no list shows": {
    run: () => {
      const given = world();
      const message = 'POST answered 400 invalid_input: Plugin from URL "https://x.example/p" already installed!';
      given.on("pipeline_destinations.create", () =>
        Promise.reject(
          apiError("pipeline_destinations.create", {
            kind: "invalid",
            status: 400,
            tookEffect: "no",
            code: "invalid_input",
            message,
          }),
        ),
      );
      return ending(given, change("pipeline_destination", { url: "https://x.example/p" }));
    },
    is: { status: "failed", code: "invalid_input", says: ["No list shows"] },
  },
  "the level of the key's own user": {
    run: () => {
      const given = world();
      given.add("members", { id: "m1", level: 8, user: { uuid: "u1", email: "ada@acme.com" } });
      const [live] = given.live("member");
      const message = "PATCH answered 403 permission_denied: You can't change your own access level.";
      given.on("members.update", () =>
        Promise.reject(
          apiError("members.update", {
            kind: "scope",
            status: 403,
            tookEffect: "no",
            code: "permission_denied",
            message,
          }),
        ),
      );
      return ending(given, change("member", { level: 15 }, { live, name: "ada@acme.com" }));
    },
    is: { status: "failed", id: "u1", code: "permission_denied", says: ["service.self: ada@acme.com"] },
  },
  ...Object.fromEntries(
    (
      [
        ["a live value that is not declared and blocks an update", "query__source", ["query was not sent"]],
        ["a declared value that is refused", "name", []],
      ] as const
    ).map(([name, attr, says]) => [
      name,
      {
        run: () => {
          const given = world();
          given.add("insights", { name: "One" });
          const [live] = given.live("insight", INSIGHTS.scope);
          const fields = { kind: "invalid", status: 400, tookEffect: "no", code: "invalid_input", attr } as const;
          const message = `PATCH answered 400 invalid_input: Not valid. (${attr})`;
          given.on("insights.update", "always", () =>
            Promise.reject(apiError("insights.update", { ...fields, message })),
          );
          return ending(given, change("insight", { name: "Two" }, { ...INSIGHTS, live, name: "one" }));
        },
        is: { status: "failed", id: "insights-1", code: "invalid_input", says },
      },
    ]),
  ),
  "a natural key that another object still has": {
    run: () => {
      const given = world();
      given.add("insights", { name: "Taken" });
      const [live] = given.live("insight", INSIGHTS.scope);
      const rename = change("insight", { name: "Free" }, { ...INSIGHTS, live, name: "one" });
      given.on("insights.update", "always", () => Promise.reject(refused("insights.update")));
      return ending(given, rename, change("insight", { name: "Taken" }, { ...INSIGHTS, name: "two" }));
    },
    is: { status: "skipped", id: null, code: "key_taken" },
  },
  "a removal after a failure": {
    run: () => {
      const given = world();
      given.add("domains", { domain: "b.com" });
      const [live] = given.live("domain");
      if (live === undefined) throw new Error("no domain");
      given.on("domains.create", () => Promise.reject(refused("domains.create")));
      return ending(given, change("domain", { domain: "a.com" }), removal("domain", { domain: "b.com" }, live));
    },
    is: { status: "skipped", id: "domains-1", code: "not_removed" },
  },
  "an object that has changed since the plan": {
    run: () => {
      const { given, update } = updating();
      given.rows.set("domains", [{ id: "domains-1", domain: "a.com", sso_enforcement: "google" }]);
      return ending(given, update);
    },
    is: { status: "skipped", id: "domains-1", code: "stale" },
  },
  "a create of an object that someone else has created": {
    run: () => {
      const given = world();
      given.lists.set("acme domain", { status: "known", objects: [] });
      given.add("domains", { domain: "a.com" });
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "skipped", id: "domains-1", code: "stale", says: ["domains-1"] },
  },
  "an intent that could not be journaled": {
    run: () => {
      const given = world();
      Object.assign(given.journal, { begin: () => Promise.reject(new Error("ENOSPC")) });
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "failed", id: null, code: "no_journal", says: ["ENOSPC"] },
  },
  "a create that never took effect": {
    run: () => {
      const given = world();
      given.on("domains.create", "always", () => Promise.reject(lost("domains.create")));
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "failed", id: null, code: "not_created" },
  },
  "a create with an unknown outcome": {
    run: () => {
      const given = world();
      given.on("domains.create", () => Promise.reject(lost("domains.create")));
      given.on("domains.list", () => Promise.reject(refused("domains.list")));
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "unknown", id: null, code: "outcome_unknown", says: ['domain "a.com"', "domains.list failed"] },
  },
  "a create that was answered without an object, and is not to be found": {
    run: () => {
      const given = world();
      given.on("domains.create", () => ({ status: 201, body: "created" }));
      given.on("domains.list", () => Promise.reject(refused("domains.list")));
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "unknown", code: "outcome_unknown" },
  },
  "a create that is refused": {
    run: () => {
      const given = world();
      given.on("domains.create", () => Promise.reject(refused("domains.create", null)));
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "failed", id: null, code: "invalid", says: ["domains.create failed", "hint: hint"] },
  },
  "a create that is not yet as declared": {
    run: () => {
      const given = world();
      given.on("domains.create", () => ({ status: 201, body: given.add("domains", DOMAIN) }));
      given.on("domains.update", () => Promise.reject(refused("domains.update", null)));
      return ending(given, change("domain", { domain: "a.com", sso_enforcement: "saml" }));
    },
    is: { status: "unverified", id: "domains-1", code: "invalid", says: ["domains.update failed", "hint: hint"] },
  },
  "fields that the service ignores": {
    run: () => {
      const { given, update } = updating({ domain: "a.com", sso_enforcement: "saml", jit_provisioning_enabled: true });
      given.on("domains.update", () => ({ status: 200, body: given.rows.get("domains")?.[0] }));
      return ending(given, update);
    },
    is: {
      status: "unverified",
      id: "domains-1",
      code: "ignored_by_service",
      says: ["sso_enforcement", "jit_provisioning_enabled"],
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
      return ending(given, update);
    },
    is: { status: "unverified", id: "domains-1", code: "server", says: ["domains.get failed", "hint: hint"] },
  },
  "a write that the service does not show any more": {
    run: () => {
      const { given, update } = updating();
      given.on("domains.update", () => {
        given.on("domains.get", () => ({ status: 200, body: { ...DOMAIN, id: "domains-2" } }));
        return { status: 200, body: undefined };
      });
      return ending(given, update);
    },
    is: { status: "unverified", id: "domains-1", code: "not_shown", says: ["domains-1"] },
  },
  "a write whose answer was lost": {
    run: () => {
      const { given, update } = updating();
      given.on("domains.update", "always", () => Promise.reject(lost("domains.update")));
      return ending(given, update);
    },
    is: { status: "failed", id: "domains-1", code: "network", says: ["domains.update failed"] },
  },
  "a write whose answer was lost, and nothing can be read": {
    run: () => {
      const { given, update } = updating();
      given.on("domains.update", "always", () => {
        given.on("domains.get", "always", () => Promise.reject(lost("domains.get")));
        throw lost("domains.update");
      });
      return ending(given, update);
    },
    is: { status: "unknown", id: "domains-1", code: "outcome_unknown", says: ["domains.update failed"] },
  },
  "a write that the service itself broke on": {
    run: () => {
      const { given, update } = updating();
      given.on("domains.update", () => Promise.reject(apiError("domains.update", { status: 500, code: "error" })));
      return ending(given, update);
    },
    is: { status: "failed", id: "domains-1", code: "error", says: ["domains.update failed", "hint: hint"] },
  },
  "a write that something broke on before the service": {
    run: () => {
      const { given, update } = updating();
      given.on("domains.update", "always", () =>
        Promise.reject(apiError("domains.update", { status: 500, code: null })),
      );
      return ending(given, update);
    },
    is: { status: "failed", id: "domains-1", code: "server" },
  },
};

/** The ways in which few changes end. */
export const RARE: Readonly<Record<string, Row>> = {
  "a create that is answered with another object": {
    run: () => {
      const given = world();
      given.on("domains.create", () => ({ status: 201, body: given.rows.get("domains")?.[0] }));
      given.add("domains", { ...DOMAIN, domain: "old.com" });
      return ending(given, change("domain", DOMAIN));
    },
    is: { status: "unknown", id: null, code: "outcome_unknown", says: ["domains.create"] },
  },
  "a transition that did not happen": {
    run: () => {
      const given = world();
      given.on("batch_exports.unpause", () => ({ status: 200, body: {} }));
      return ending(given, change("batch_export", EXPORT));
    },
    is: { status: "unverified", id: "batch_exports-1", code: "ignored_by_service", says: ["set paused"] },
  },
  "an update whose transition failed": {
    run: () => {
      const given = world();
      given.add("batch_exports", { ...EXPORT, interval: "day" });
      const [live] = given.live("batch_export");
      given.on("batch_exports.pause", () => Promise.reject(refused("batch_exports.pause")));
      return ending(given, change("batch_export", { ...EXPORT, paused: true }, { live }));
    },
    is: {
      status: "unverified",
      id: "batch_exports-1",
      code: "nope",
      says: ["batch_exports.pause failed", "hint: hint"],
    },
  },
  "an update of nothing but the transition, which failed": {
    run: () => {
      const given = world();
      given.add("batch_exports", EXPORT);
      const [live] = given.live("batch_export");
      given.on("batch_exports.pause", () => Promise.reject(refused("batch_exports.pause")));
      return ending(given, change("batch_export", { ...EXPORT, paused: true }, { live }));
    },
    is: { status: "failed", id: "batch_exports-1", code: "nope", says: ["batch_exports.pause failed", "hint: hint"] },
  },
  "a removal that the service does not carry out": {
    run: () => {
      const given = world();
      given.add("domains", { domain: "b.com" });
      const [live] = given.live("domain");
      if (live === undefined) throw new Error("no domain");
      given.on("domains.delete", () =>
        Promise.reject(apiError("domains.delete", { kind: "not_found", status: 404, tookEffect: "no" })),
      );
      return ending(given, removal("domain", { domain: "b.com" }, live));
    },
    is: { status: "failed", id: "domains-1", code: "not_found", says: ["domains.delete failed"] },
  },
  "a restored object that is not yet as declared": {
    run: () => {
      const given = world();
      given.add("insights", { name: "I", description: "old", deleted: true });
      const [live] = given.live("insight", INSIGHTS.scope);
      given.on(
        "insights.update",
        (serve) => serve(),
        () => Promise.reject(refused("insights.update")),
      );
      return ending(given, change("insight", { name: "I", description: "new" }, { ...INSIGHTS, live }));
    },
    is: { status: "unverified", id: "insights-1", code: "nope", says: ["insights.update failed", "hint: hint"] },
  },
  "a restore by another id of an object that somebody has restored since": {
    run: () => {
      const given = world();
      given.add("insights", { id: "7", short_id: "aBc", name: "I", description: "theirs" });
      given.on("insights.get", "always", () => ({ status: 200, body: given.rows.get("insights")?.[0] }));
      const declared = resource("insight", { name: "I", description: "new" }, INSIGHTS);
      return ending(given, restoreChange(kinds.insight, declared, { id: "aBc", reason: "" }));
    },
    is: { status: "skipped", id: "aBc", code: "stale" },
  },
  "an invite that was removed and refused again": {
    run: () => {
      const given = world();
      given.add("invites", { target_email: "bob@acme.com", level: 1, is_expired: false });
      const [live] = given.live("invite");
      given.on("invites.create", () => Promise.reject(refused("invites.create", null)));
      return ending(given, change("invite", { target_email: "bob@acme.com", level: 8 }, { live }));
    },
    is: { status: "failed", id: "invites-1", code: "invalid", says: ["invites.create failed", "hint: hint"] },
  },
  "a mistake of our own before anything was sent": {
    run: () => {
      const { given, update } = updating();
      return ending(given, { ...update, work: { ...update.work, live: undefined } as never });
    },
    is: { status: "failed", id: "domains-1", code: "nothing_live" },
  },
  "an update of an undeclared object": {
    run: () => {
      const { given, update } = updating();
      return ending(given, { ...update, work: { ...update.work, resource: undefined } as never });
    },
    is: { status: "failed", code: "undeclared" },
  },
  "a create that the kind does not know": {
    run: () => ending(world(), change("member", { level: 8 }, { name: "eve@acme.com" })),
    is: { status: "failed", id: null, code: "unsupported" },
  },
  "an update that the kind does not know": {
    run: () => {
      const given = world();
      given.add("invites", { target_email: "bob@acme.com", level: 1, is_expired: false });
      const [live] = given.live("invite");
      const replaced = change("invite", { target_email: "bob@acme.com", level: 8 }, { live });
      return ending(given, { ...replaced, action: "update" });
    },
    is: { status: "failed", id: "invites-1", code: "unsupported" },
  },
  "a restore that the kind does not know": {
    run: () => {
      const { given, update } = updating();
      return ending(given, { ...update, action: "restore" });
    },
    is: { status: "failed", id: "domains-1", code: "unsupported" },
  },
  "an intent of an earlier run that came to nothing": {
    run: () => {
      const given = world({ intents: [intentOf({})] });
      given.on("domains.list", "always", () => {
        given.abort.abort();
        return { status: 200, body: [] };
      });
      return ending(given, change("domain", { domain: "a.com" }));
    },
    is: { status: "unknown", code: "outcome_unknown", says: ['domain "a.com"'] },
  },
};
