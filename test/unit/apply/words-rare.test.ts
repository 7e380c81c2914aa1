import { describe, expect, it } from "vitest";
import type { Change } from "../../../src/model/change.ts";
import type { JsonObject } from "../../../src/model/json.ts";
import type { Outcome } from "../../../src/model/outcome.ts";
import { apiError, change, INSIGHTS, intentOf, removal, world, type World } from "./support.ts";

const EXPORT = { name: "E", interval: "hour", paused: false, destination: { type: "NoOp", config: {} } };
const DOMAIN = { domain: "a.com", sso_enforcement: "" };
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

/** The ends that come less often. */
describe("the outcome of rarer changes says what happened and what to do", () => {
  const rows: Readonly<Record<string, { readonly run: () => Promise<Told>; readonly is: object }>> = {
    "a transition that did not happen": {
      run: () => {
        const given = world();
        given.on("batch_exports.unpause", () => ({ status: 200, body: {} }));
        return told(given, change("batch_export", EXPORT));
      },
      is: {
        status: "unverified",
        id: "batch_exports-1",
        error: {
          code: "ignored_by_service",
          message: "the service did not take over /paused",
          hint: "Run plan to see its state.",
        },
      },
    },
    "an update of which the transition failed": {
      run: () => {
        const given = world();
        given.add("batch_exports", { ...EXPORT, interval: "day" });
        const [live] = given.live("batch_export");
        given.on("batch_exports.pause", () => Promise.reject(refused("batch_exports.pause")));
        return told(given, change("batch_export", { ...EXPORT, paused: true }, { live }));
      },
      is: {
        status: "unverified",
        id: "batch_exports-1",
        error: { code: "nope", message: "changed in part: batch_exports.pause failed", hint: "hint" },
      },
    },
    "an update of nothing but the transition, which failed": {
      run: () => {
        const given = world();
        given.add("batch_exports", EXPORT);
        const [live] = given.live("batch_export");
        given.on("batch_exports.pause", () => Promise.reject(refused("batch_exports.pause")));
        return told(given, change("batch_export", { ...EXPORT, paused: true }, { live }));
      },
      is: {
        status: "failed",
        id: "batch_exports-1",
        error: { code: "nope", message: "batch_exports.pause failed", hint: "hint" },
      },
    },
    "a removal that the service does not carry out": {
      run: () => {
        const given = world();
        given.add("domains", { domain: "b.com" });
        const [live] = given.live("domain");
        if (live === undefined) throw new Error("no domain");
        given.on("domains.delete", () =>
          Promise.reject(apiError("domains.delete", { kind: "not_found", status: 404, effect: "no" })),
        );
        return told(given, removal("domain", { domain: "b.com" }, live));
      },
      is: {
        status: "failed",
        id: "domains-1",
        error: { code: "not_found", message: "domains.delete failed, but lists it", hint: "Plan again." },
      },
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
        return told(given, change("insight", { name: "I", description: "new" }, { ...INSIGHTS, live }));
      },
      is: {
        status: "unverified",
        id: "insights-1",
        error: { code: "nope", message: "restored, but not yet as declared: insights.update failed", hint: "hint" },
      },
    },
    "an invite that was removed and refused again": {
      run: () => {
        const given = world();
        given.add("invites", { target_email: "bob@acme.com", level: 1, is_expired: false });
        const [live] = given.live("invite");
        given.on("invites.create", () => Promise.reject(refused("invites.create", null)));
        return told(given, change("invite", { target_email: "bob@acme.com", level: 8 }, { live }));
      },
      is: {
        status: "failed",
        id: "invites-1",
        error: { code: "invalid", message: "removed, but not created again: invites.create failed", hint: "hint" },
      },
    },
    "a mistake of our own before anything was sent": {
      run: () => {
        const { given, update } = updating();
        return told(given, { ...update, work: { ...update.work, live: undefined } as never });
      },
      is: {
        status: "failed",
        id: "domains-1",
        error: { code: "nothing_live", message: "there is no live object to act on", hint: "Plan again." },
      },
    },
    "an update of what nobody declared": {
      run: () => {
        const { given, update } = updating();
        return told(given, { ...update, work: { ...update.work, resource: undefined } as never });
      },
      is: {
        status: "failed",
        error: { code: "undeclared", message: "only declared resources are written", hint: "Plan again." },
      },
    },
    "a create that the kind does not know": {
      run: () => told(world(), change("member", { level: 8 }, { name: "eve@acme.com" })),
      is: {
        status: "failed",
        id: null,
        error: { code: "unsupported", message: "a member cannot be created", hint: "Declare a membership instead." },
      },
    },
    "an update that the kind does not know": {
      run: () => {
        const given = world();
        given.add("invites", { target_email: "bob@acme.com", level: 1, is_expired: false });
        const [live] = given.live("invite");
        const replaced = change("invite", { target_email: "bob@acme.com", level: 8 }, { live });
        return told(given, { ...replaced, action: "update" });
      },
      is: {
        status: "failed",
        id: "invites-1",
        error: { code: "unsupported", message: "a invite cannot be changed", hint: "Replace it." },
      },
    },
    "a restore that the kind does not know": {
      run: () => {
        const { given, update } = updating();
        return told(given, { ...update, action: "restore" });
      },
      is: {
        status: "failed",
        id: "domains-1",
        error: { code: "unsupported", message: "a domain cannot be restored", hint: "Take out its pinned id." },
      },
    },
    "an intent of an earlier run that came to nothing": {
      run: () => {
        const given = world({ intents: [intentOf({})] });
        given.on("domains.list", "always", () => {
          given.abort.abort();
          return { status: 200, body: [] };
        });
        return told(given, change("domain", { domain: "a.com" }));
      },
      is: {
        status: "unknown",
        error: {
          code: "outcome_unknown",
          message: 'domain "a.com" may have been created: it was interrupted before that could be told',
        },
      },
    },
  };

  it.each(Object.entries(rows))("%s", async (_name, { run, is }) => {
    expect(await run()).toMatchObject(is);
  });
});
