/** What --prune removes (src/plan/undeclared.ts, pruneChanges). */
import { describe, expect, it } from "vitest";
import type { KindName } from "../../../src/model/kind-name.ts";
import { listKey } from "../../../src/model/live.ts";
import type { DesiredGraph, Resource } from "../../../src/model/resource.ts";
import { listReads } from "../../../src/kinds/world.ts";
import { declaredReads } from "../../../src/plan/lists-to-read.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { domains, exampleOf } from "./rows.ts";
import { ACME, declare, graphOf, live, plan, unreadable } from "./world.ts";

const exclusive = (scope: string, kind: KindName): Partial<DesiredGraph> => ({ exclusive: [{ scope, kind }] });
const EXPORT = { id: "e0000000-0000-4000-8000-000000000001", name: "Events" };

/** Kinds and ids of the deleted objects. */
function deleted(resources: readonly Resource[], world: ReturnType<typeof live>, more: Partial<DesiredGraph>) {
  return plan(resources, world, { prune: true }, more)
    .changes.filter(({ action }) => action === "delete")
    .map(({ kind, id }) => `${kind} ${String(id)}`);
}

describe("pruning where nothing is exclusive", () => {
  const codes = (prune: boolean, more: Partial<DesiredGraph>) =>
    plan([], live({}), { prune }, more).diagnostics.map(({ severity, code }) => `${severity} ${code}`);

  it("is a warning, because it removes nothing", () => {
    expect(codes(true, {})).toEqual(["warning nothing_exclusive"]);
    expect(sentencesOf(plan([], live({}), { prune: true }).diagnostics)).toMatchSnapshot("sentences");
    expect(codes(false, {})).toEqual([]);
    expect(codes(true, exclusive("acme/projects/web", "insight"))).toEqual([]);
  });
});

describe("an undeclared object", () => {
  it("is left alone and counted as unmanaged", () => {
    const made = plan([declare("acme/domains/d0", { domain: "d0.com" })], live({ "domains.list": domains(3) }));
    expect(made.summary).toMatchObject({ no_op: 1, delete: 0, unmanaged: 2 });
    expect(made.unmanaged.map(({ key }) => key)).toEqual(["d1.com", "d2.com"]);
  });

  it("is not counted if a resource that is not selected may be it", () => {
    const a = declare("acme/domains/a", { domain: "d0.com" });
    const missing = declare("acme/domains/b", { domain: "b.com" }, { pin: { field: "id", value: "gone" } });
    const unmanaged = (only: readonly string[]) =>
      plan([a, missing], live({ "domains.list": domains(2) }), { only }).unmanaged.map(({ key }) => key);
    expect([unmanaged([]), unmanaged([a.address]), unmanaged([missing.address])]).toEqual([["d1.com"], [], ["d1.com"]]);
  });

  it("is listed by collection and name, as people sort names, with those without a name at the end", () => {
    const insights = [
      { id: 3, name: "" },
      { id: 1, name: "w10" },
      { id: 2, name: "w2" },
    ];
    const made = plan([], live({ "domains.list": domains(1) }, { "insights.list": insights }));
    expect(made.unmanaged.map(({ kind, id, key }) => [kind, id, key])).toEqual([
      ["domain", "id-0", "d0.com"],
      ["insight", "2", "w2"],
      ["insight", "1", "w10"],
      ["insight", "3", null],
    ]);
  });

  it("is removed as it was seen: each of its fields is covered by the fingerprint", () => {
    const printOf = (row: object) =>
      plan(
        [],
        live({ "domains.list": [{ id: "d", domain: "d.com", ...row }] }),
        { prune: true },
        exclusive("acme", "domain"),
      ).changes.map(({ fingerprint }) => fingerprint);
    expect(printOf({ sso_enforcement: "saml" })).not.toEqual(printOf({ sso_enforcement: "" }));
  });

  it("is listed after those with more rights, if it is a person", () => {
    const members = [exampleOf("bob", 1), exampleOf("zoe", 15), exampleOf("ann", 1), exampleOf("eve", 8)];
    const made = plan([], live({ "members.list": members, "invites.list": [] }));
    expect(made.unmanaged.map(({ key }) => key)).toEqual(
      ["zoe", "eve", "ann", "bob"].map((name) => `${name}@acme.com`),
    );
  });

  it("of an exclusive kind is always listed as a delete, blocked without prune", () => {
    const of = (prune: boolean) =>
      plan(
        [declare("acme/domains/d1", { domain: "d1.com" })],
        live({ "domains.list": domains(2) }),
        { prune },
        exclusive("acme", "domain"),
      ).changes.slice(1);
    expect(of(false)).toMatchObject([
      {
        action: "delete",
        id: "id-0",
        blocked: { rule: "prune", lift: "", command: ["driftline", "apply", "--prune"] },
      },
    ]);
    expect(of(true)).toMatchObject([{ action: "delete", id: "id-0", blocked: null }]);
  });
});

describe("pruning an exclusive kind", () => {
  const sink = { name: "Sink", plugin_type: "source" };
  const plugins = live({
    "pipeline_destinations.list": [
      { id: 1, ...sink },
      { id: 2, name: "Other", plugin_type: "source" },
    ],
  });

  it("deletes nothing if a declared resource may be in a group that could not be read", () => {
    const declared = [declare("acme/pipeline_destinations/sink", sink)];
    const more = exclusive("acme", "pipeline_destination");
    expect(deleted(declared, plugins, more)).toEqual(["pipeline_destination 2"]);
    expect(deleted(declared, unreadable(plugins, "acme", "pipeline_frontend_app"), more)).toEqual([]);
  });

  it("deletes neither of two objects with the name of a resource until a pin selects one", () => {
    const rows = [1, 2, 3].map((id) => ({ id, name: id === 3 ? "Old" : "Signups" }));
    const world = live({}, { "insights.list": rows });
    const more = exclusive("acme/projects/web", "insight");
    const insight = declare("acme/projects/web/insights/i", { name: "Signups" });
    expect(deleted([insight], world, more)).toEqual([]);
    expect(deleted([{ ...insight, pin: { field: "id", value: "1" } }], world, more)).toEqual([
      "insight 3",
      "insight 2",
    ]);
  });

  it("deletes no export of an organization if those of one of its projects could not be read", () => {
    const world = live({ "batch_exports.list": [EXPORT] }, { "project_batch_exports.list": [EXPORT] });
    const declared = [declare("acme/projects/web/batch_exports/e", { name: "Events" })];
    const more = exclusive("acme", "batch_export");
    expect(deleted(declared, world, more)).toEqual([]);
    expect(deleted(declared, unreadable(world, "acme/projects/web", "batch_export"), more)).toEqual([]);
    expect(deleted([], world, exclusive("acme/projects/web", "batch_export"))).toHaveLength(1);
  });

  it("does not delete an accepted invite, because its member is a placeholder for it", () => {
    const member = { id: "m", level: 1, user: { uuid: "u", email: "bob@acme.com" } };
    const invite = { id: "i", target_email: "eve@acme.com", level: 1 };
    const { scopes, lists } = live({ "invites.list": [invite], "members.list": [member] });
    const own = new Map([...lists].filter(([key]) => key === listKey("acme", "invite")));
    expect(deleted([], { scopes, lists: own }, exclusive("acme", "invite"))).toEqual(["invite i"]);
    expect(plan([], { scopes, lists: own }).unmanaged.map(({ id }) => id)).toEqual(["i"]);
  });

  it("deletes people as the exclusive kind, and only once if several kinds with the same people are exclusive", () => {
    const member = { id: "m", level: 1, user: { uuid: "u", email: "bob@acme.com" } };
    const invites = ["i1", "i2"].map((id) => ({ id, target_email: "eve@acme.com", level: 1 }));
    const people = live({ "invites.list": invites, "members.list": [member] });
    const membership = declare("acme/memberships/ada@acme.com", {}, { lifecycle: { state: "absent" } });
    const kinds = (...names: readonly KindName[]) => ({ exclusive: names.map((kind) => ({ scope: "acme", kind })) });
    const removed = (...names: readonly KindName[]) => deleted([membership], people, kinds(...names));
    expect(removed("invite")).toEqual(["invite i1", "invite i2"]);
    expect(removed("member")).toEqual(["member u"]);
    expect(removed("invite", "member")).toEqual(["invite i1", "invite i2", "member u"]);
    for (const names of [
      ["membership", "member"],
      ["invite", "membership"],
    ] as const)
      expect(removed(...names)).toEqual(["membership u", "membership i1"]);
    const declared = declare("acme/members/bob@acme.com", { level: 1 });
    expect(deleted([declared], people, kinds("membership"))).toEqual(["membership i1"]);
    const { unmanaged } = plan([membership], people, { prune: true }, kinds("invite"));
    expect(unmanaged.map(({ id }) => id)).toEqual(["u"]);
  });

  it("is not stopped by an unknown list of another organization, even if its address is similar", () => {
    const { scopes, lists } = live({ "batch_exports.list": [EXPORT] });
    for (const other of ["beta", "acme2", "acm"]) {
      const unsure = declare(`${other}/batch_exports/e`, { name: "Events" });
      expect(deleted([unsure], { scopes, lists }, exclusive("acme", "batch_export"))).toHaveLength(1);
    }
    const near = declare("acme/projects/web/batch_exports/e", { name: "Events" });
    expect(deleted([near], { scopes, lists }, exclusive("acme", "batch_export"))).toEqual([]);
    const around = declare("acme/batch_exports/e", { name: "Events" });
    const inner = live({}, { "project_batch_exports.list": [EXPORT] });
    expect(deleted([around], inner, exclusive("acme/projects/web", "batch_export"))).toEqual([]);
  });

  it("leaves an invite that may be there for another reason, and says why, with or without the option", () => {
    const invites = [8, 1].map((level) => ({
      id: `i${String(level)}`,
      target_email: `l${String(level)}@acme.com`,
      level,
    }));
    const ofToday = { "organizations.list": [{ ...ACME, enforce_verified_domains: null }] };
    const of = (prune: boolean) =>
      plan(
        [],
        live({ "invites.list": invites, "members.list": [] }, {}, ofToday),
        { prune },
        exclusive("acme", "invite"),
      ).changes;
    // Nothing that is declared would be left.
    expect(of(true)).toMatchObject([
      { id: "i1", blocked: { rule: "delete_limit" } },
      { id: "i8", action: "delete", blocked: { rule: "delegated", lift: expect.stringMatching(/./u) as string } },
    ]);
    expect(of(true)[1]?.blocked).not.toHaveProperty("command");
    expect(sentencesOf(of(true)[1]?.blocked)).toMatchSnapshot("sentences");
    expect(of(false)[1]?.blocked).toEqual(of(true)[1]?.blocked);
    expect(of(false)[0]?.blocked?.command).toEqual(["driftline", "apply", "--prune"]);
  });

  it("is not stopped by an unreadable list of another kind", () => {
    const world = live({ "domains.list": [{ id: "d", domain: "a.com" }], "invites.list": [], "members.list": [] });
    const declared = [declare("acme/memberships/a@acme.com", { level: 1 })];
    expect(deleted(declared, unreadable(world, "acme", "membership"), exclusive("acme", "domain"))).toEqual([
      "domain d",
    ]);
  });

  it("reads every list that may show a declared object, even if only the collection is selected", () => {
    const graph = graphOf(
      [
        declare("acme/projects/web/batch_exports/e", { name: "Events" }),
        declare("acme/domains/d", { domain: "a.com" }),
      ],
      exclusive("acme", "batch_export"),
    );
    const reads = listReads({ scopes: live().scopes }, declaredReads(graph, ["acme/batch_exports"]));
    expect(reads.map(({ scope, kind, isFull: full }) => `${scope} ${kind}${full ? " in full" : ""}`)).toEqual([
      "acme batch_export",
      "acme/projects/web batch_export",
    ]);
  });
});

describe("an exclusive collection that was not read", () => {
  it("is not pruned", () => {
    expect(plan([], live(), { prune: true }, exclusive("acme", "domain")).changes).toEqual([]);
  });
});
