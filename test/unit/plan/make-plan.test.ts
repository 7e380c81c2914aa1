import { describe, expect, it } from "vitest";
import { Secret } from "../../../src/model/json/json.ts";
import type { Resource } from "../../../src/model/resource.ts";
import { hashOf, planDocument } from "../../../src/plan/document.ts";
import { exampleOf } from "./rows.ts";
import { makePlan } from "../../../src/plan/make-plan.ts";
import { ACME, actions, changeOf, declare, graphOf, live, OPTIONS, plan } from "./world.ts";

const WEB = "acme/projects/web/insights";
const DOMAINS = [
  { id: "d1", domain: "a.com", sso_enforcement: "" },
  { id: "d2", domain: "b.com", sso_enforcement: "" },
];
const a = declare("acme/domains/a", { domain: "a.com" });
const b = declare("acme/domains/b", { domain: "b.com" });

describe("a change", () => {
  it("of an existing object has its id, the fingerprint of its live values and the request body", () => {
    const resource = declare("acme/domains/a", { domain: "a.com", sso_enforcement: "saml" });
    const change = changeOf(plan([resource], live({ "domains.list": DOMAINS })), "acme/domains/a");
    expect(change.reason).toMatchSnapshot();
    expect(change).toEqual({
      address: "acme/domains/a",
      kind: "domain",
      name: "a.com",
      action: "update",
      reason: expect.stringContaining("sso_enforcement") as string,
      id: "d1",
      blocked: null,
      fields: [{ path: "/sso_enforcement", prior: "", planned: "saml" }],
      fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      work: {
        scope: "acme",
        resource,
        live: expect.objectContaining({ id: "d1" }) as object,
        body: { sso_enforcement: "saml" },
        key: "a.com",
      },
    });
  });

  it("of an object that does not exist has no id and no fingerprint", () => {
    const resource = declare("acme/domains/c", { domain: "c.com", jit_provisioning_enabled: true });
    const change = changeOf(plan([resource], live({ "domains.list": [] })), "acme/domains/c");
    expect(change.reason).toMatchSnapshot();
    expect(change).toEqual({
      address: "acme/domains/c",
      kind: "domain",
      name: "c.com",
      action: "create",
      reason: expect.stringContaining("c.com") as string,
      id: null,
      blocked: null,
      fields: [
        { path: "/domain", prior: null, planned: "c.com" },
        { path: "/jit_provisioning_enabled", prior: null, planned: true },
      ],
      fingerprint: null,
      work: { scope: "acme", resource, live: undefined, body: resource.values, key: "c.com" },
    });
  });

  it("has no fields if it is a delete or a no_op, and a restore has those that it writes", () => {
    const gone = declare("acme/domains/a", { domain: "a.com" }, { lifecycle: { state: "absent" } });
    const made = plan([gone, b], live({ "domains.list": DOMAINS }));
    expect(made.changes).toMatchObject([
      { action: "delete", fields: [], id: "d1", work: { body: {}, key: "a.com" } },
      { action: "no_op", fields: [], id: "d2", work: { body: {} } },
    ]);
    const restored = declare(`${WEB}/s`, { name: "S" }, { pin: { field: "id", value: "7" } });
    expect(plan([restored], live({}, { "insights.list": [] })).changes).toMatchObject([
      {
        action: "restore",
        id: "7",
        fields: [{ path: "/name", prior: null, planned: "S" }],
        fingerprint: null,
        work: { body: { name: "S" }, key: "S" },
      },
    ]);
    expect(
      plan([restored], live({}, { "insights.list": [{ id: 7, name: "S", deleted: true }] })).changes,
    ).toMatchObject([{ action: "restore", id: "7", fields: [], work: { live: { id: "7" }, body: { name: "S" } } }]);
    expect(
      plan([restored], live({}, { "insights.list": [{ id: 7, name: "R", deleted: true }] })).changes,
    ).toMatchObject([{ action: "restore", fields: [{ path: "/name", prior: "R", planned: "S" }] }]);
  });

  it("of an absent object that stays absent has no id and no fingerprint", () => {
    const gone = declare("acme/domains/x", { domain: "x.com" }, { lifecycle: { state: "absent" } });
    expect(plan([gone], live({ "domains.list": DOMAINS })).changes).toMatchObject([
      { action: "no_op", id: null, fields: [], fingerprint: null, work: { body: {}, key: "x.com" } },
    ]);
  });

  it("of a pinned object without a declared key has the key of the live object", () => {
    const pinned = declare(`${WEB}/s`, { description: "x" }, { pin: { field: "id", value: "7" } });
    const key = (name: string) =>
      plan([pinned], live({}, { "insights.list": [{ id: 7, name }] })).changes[0]?.work?.key;
    expect(key("S")).toBe("S");
    expect(key("")).toBeNull();
  });

  it("that replaces an object shows the fields that differ", () => {
    const invite = { id: "i1", target_email: "b@b.com", level: 1, is_expired: true };
    const renewed = declare("acme/invites/b", { target_email: "b@b.com", level: 8 }, { lifecycle: { renew: true } });
    expect(plan([renewed], live({ "invites.list": [invite] })).changes).toMatchObject([
      {
        action: "replace",
        id: "i1",
        fields: [{ path: "/level", prior: 1, planned: 8 }],
        work: { body: { target_email: "b@b.com", level: 8 } },
      },
    ]);
  });

  it("that creates an object shows no secret, whether it was declared as one or is the value of a secret field", () => {
    const config = { bucket_name: "b", aws_access_key_id: "plain", aws_secret_access_key: new Secret("${secret:K}") };
    const made = plan(
      [declare("acme/batch_exports/e", { name: "E", paused: false, destination: { type: "S3", config } })],
      live({ "batch_exports.list": [] }),
    );
    const sensitive = { sensitive: true };
    expect(made.changes[0]?.fields.find(({ path }) => path === "/destination")).toEqual({
      path: "/destination",
      prior: null,
      planned: {
        type: "S3",
        config: { bucket_name: "b", aws_access_key_id: sensitive, aws_secret_access_key: sensitive },
      },
    });
  });
});

describe("a change of a value under the name of a secret", () => {
  it("shows neither value, even if it was not declared as a secret", () => {
    const declared = {
      name: "S",
      query: { api_key: "new-hush", deep: [{ password: "a" }], api_keys: ["e"], plain: "b" },
    };
    const shown = {
      id: 7,
      name: "S",
      query: { api_key: "old-hush", deep: [{ password: "c" }], api_keys: ["f"], plain: "d" },
    };
    const made = plan([declare(`${WEB}/s`, declared)], live({}, { "insights.list": [shown] }));
    const sensitive = { sensitive: true };
    expect(made.changes[0]?.fields).toEqual([
      { path: "/query/api_key", prior: sensitive, planned: sensitive },
      { path: "/query/deep/0/password", prior: sensitive, planned: sensitive },
      { path: "/query/api_keys/0", prior: sensitive, planned: sensitive },
      { path: "/query/plain", prior: "d", planned: "b" },
    ]);
  });
});

describe("a plan", () => {
  const TWICE = ["d5", "d6"].map((id) => ({ id, domain: "twice.com" }));
  const mixed: readonly Resource[] = [
    declare("acme/domains/new", { domain: "new.com" }),
    declare("acme/domains/a", { domain: "a.com", sso_enforcement: "saml" }),
    declare("acme/domains/b", { domain: "b.com" }, { lifecycle: { state: "absent", protect: true } }),
    declare("acme/domains/same", { domain: "c.com" }),
    declare("acme/invites/x", { target_email: "x@x.com", level: 8 }),
    declare("acme/domains/twice", { domain: "twice.com" }),
    declare(`${WEB}/s`, { name: "S" }, { pin: { field: "id", value: "7" } }),
  ];
  const world = live(
    {
      "domains.list": [...DOMAINS, { id: "d3", domain: "c.com" }, { id: "d4", domain: "left.com" }, ...TWICE],
      "invites.list": [{ id: "i1", target_email: "x@x.com", level: 1 }],
      "members.list": [exampleOf("ada", 15)],
    },
    { "insights.list": [] },
  );

  it("counts its changes by action, the blocked ones, and the unmanaged objects", () => {
    expect(plan(mixed, world).summary).toEqual({
      create: 1,
      update: 1,
      replace: 1,
      delete: 1,
      restore: 1,
      no_op: 1,
      unknown: 1,
      blocked: 1,
      unmanaged: 4,
    });
  });

  it("keeps the order of the graph, regardless of the order of matching", () => {
    expect(plan(mixed, world).changes.map(({ address }) => address)).toEqual(mixed.map(({ address }) => address));
  });

  it("limited to addresses has only the changes and diagnostics at or below them", () => {
    const of = (...only: readonly string[]) => {
      const made = plan(mixed, world, { only });
      return [Object.keys(actions(made)), made.diagnostics.map(({ code }) => code)];
    };
    expect(of("acme/domains/a")).toEqual([["acme/domains/a"], []]);
    expect(of("acme/invites", "acme/domains/twice")).toEqual([["acme/invites/x", "acme/domains/twice"], ["ambiguous"]]);
    expect(of("acme/dom")).toEqual([[], []]);
    expect(of("acme")).toEqual([mixed.map(({ address }) => address), ["ambiguous"]]);
  });

  it("limited to some resources does not treat the objects of the others as undeclared", () => {
    const made = plan(
      [a, b],
      live({ "domains.list": DOMAINS }),
      { only: ["acme/domains/a"], prune: true },
      { exclusive: [{ scope: "acme", kind: "domain" }] },
    );
    expect(actions(made)).toEqual({ "acme/domains/a": "no_op" });
    expect(made.unmanaged).toEqual([]);
  });

  it("prunes only selected objects, and lists the rest as unmanaged", () => {
    const of = (only: readonly string[]) =>
      plan(
        [],
        live({ "domains.list": DOMAINS }),
        { only, prune: true },
        { exclusive: [{ scope: "acme", kind: "domain" }] },
      );
    const made = of(["acme/domains/id=d1"]);
    expect(actions(made)).toEqual({ "acme/domains/id=d1": "delete" });
    expect(made.unmanaged).toEqual([{ kind: "domain", scope: "acme", id: "d2", key: "b.com" }]);
    expect(made.summary.unmanaged).toBe(1);
    expect(of([]).unmanaged).toEqual([]);
  });

  it("prunes nothing of another kind or in another scope", () => {
    const made = plan(
      [],
      live(
        { "domains.list": DOMAINS, "batch_exports.list": [{ id: "e", name: "E" }] },
        { "insights.list": [{ id: 7 }] },
      ),
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "batch_export" }] },
    );
    expect(actions(made)).toEqual({ "acme/batch_exports/id=e": "delete" });
  });

  it("lists unmanaged objects with their first key, or with null", () => {
    const made = plan(
      [],
      live(
        {},
        {
          "insights.list": [
            { id: 7, name: "S" },
            { id: 8, name: "" },
          ],
        },
      ),
    );
    expect(made.unmanaged.map(({ id, key }) => [id, key])).toEqual([
      ["7", "S"],
      ["8", null],
    ]);
  });

  it("matches objects by pins first, and by names afterwards", () => {
    const rows = [
      { id: 7, name: "S" },
      { id: 8, name: "T" },
    ];
    const byName = declare(`${WEB}/a`, { name: "S" });
    const byPin = declare(`${WEB}/b`, { name: "S2" }, { pin: { field: "id", value: "7" } });
    for (const resources of [
      [byName, byPin],
      [byPin, byName],
    ])
      expect(actions(plan(resources, live({}, { "insights.list": rows })))).toEqual({
        [`${WEB}/a`]: "create",
        [`${WEB}/b`]: "update",
      });
  });

  it("assigns an export that both routes show to its project, regardless of the order", () => {
    const row = { id: "e", name: "E", paused: false };
    const outer = declare("acme/batch_exports/e", { name: "E", paused: false });
    const inner = declare("acme/projects/web/batch_exports/e", { name: "E", paused: false });
    const found = live({ "batch_exports.list": [row] }, { "project_batch_exports.list": [row] });
    for (const resources of [
      [outer, inner],
      [inner, outer],
    ])
      expect(actions(plan(resources, found))).toEqual({ [inner.address]: "no_op", [outer.address]: "create" });
    expect(plan([], found).unmanaged).toEqual([
      { kind: "batch_export", scope: "acme/projects/web", id: "e", key: "E" },
    ]);
  });

  it("does not count organizations, soft-deleted objects, placeholders and unreadable lists as unmanaged", () => {
    const found = live(
      { "invites.list": [], "members.list": [exampleOf("ada", 15)] },
      { "insights.list": [{ id: 7, name: "S", deleted: true }] },
    );
    // The member itself is the only unmanaged object.
    expect(plan([], found).unmanaged).toMatchObject([{ key: "ada@acme.com" }]);
    const unread = { status: "unknown", reason: "GET answered 500", isDenied: false } as const;
    const objects = found.lists.get("acme member")?.objects ?? [];
    expect(objects).toHaveLength(1);
    expect(plan([], { ...found, lists: new Map([["acme member", { ...unread, objects }]]) }).unmanaged).toEqual([]);
  });
});

describe("the matches of a plan", () => {
  it("tell which object is whose, which ones are nobody's, and which resources are not known for certain", () => {
    const unsure = declare("acme/domains/unsure", { domain: "u.com" }, { pin: { field: "id", value: "gone" } });
    const of = (only: readonly string[]) =>
      makePlan(graphOf([a, unsure]), live({ "domains.list": DOMAINS }), { ...OPTIONS, only }).matches;
    const { claims, undeclared, elsewhere } = of([a.address]);
    expect([claims.size, undeclared.map(({ id }) => id), elsewhere]).toEqual([1, ["d2"], [unsure]]);
    expect(of([]).elsewhere).toEqual([]);
  });
});

describe("the author and time of an object's last change", () => {
  const DRIFT = { type: "driftline.drift", config_hash: "", tool_version: "", url: "", diagnostics: [] } as const;
  const [at, email] = ["2024-05-01T10:00:00Z", "eve@acme.com"];
  const row = (id: number, name: string) => ({ id, name, last_modified_at: at, last_modified_by: { email } });
  const made = () =>
    plan(
      [
        declare(`${WEB}/a`, { name: "A", description: "mine" }),
        declare(`${WEB}/b`, { name: "B" }),
        declare(`${WEB}/c`, { name: "C" }),
        declare("acme/domains/d", { domain: "d.com" }),
      ],
      live({}, { "insights.list": [row(1, "A"), row(2, "B"), { id: 3, name: "D" }] }),
    );

  it("are reported by drift for each object that differs", () => {
    const shown = planDocument(made(), DRIFT).changes;
    expect(shown.map((change) => [change.action, change.modified])).toEqual([
      ["update", { at, by: email }],
      ["no_op", undefined],
      ["create", undefined],
      ["unknown", undefined],
    ]);
    expect(shown.map((change) => "modified" in change)).toEqual([true, false, false, false]);
    const { work: _work, ...rest } = changeOf(made(), `${WEB}/a`);
    expect(shown[0]).toEqual({ ...rest, modified: { at, by: email } });
  });

  it("are reported for members and for invites", () => {
    const people = {
      "members.list": [{ ...exampleOf("ada", 15), updated_at: at }],
      "invites.list": [{ id: "i", target_email: "bob@acme.com", level: 1, updated_at: at }],
    };
    const membership = (who: string) => declare(`acme/memberships/${who}@acme.com`, { level: 8 });
    for (const resources of [
      [membership("ada"), membership("bob")],
      [declare("acme/members/ada@acme.com", { level: 8 })],
    ])
      for (const change of planDocument(plan(resources, live(people)), DRIFT).changes)
        expect(change).toMatchObject({ kind: resources[0]?.kind, modified: { at, by: null } });
  });

  it("are not part of a plan, because its hash would change with them", () => {
    const { changes } = planDocument(made(), { ...DRIFT, type: "driftline.plan" });
    expect(changes.filter((change) => "modified" in change)).toEqual([]);
  });
});

describe("a plan as a document", () => {
  const planned = () => plan([a, declare("acme/domains/c", { domain: "c.com" })], live({ "domains.list": DOMAINS }));
  const CONTEXT = {
    type: "driftline.plan",
    config_hash: "sha256:1",
    tool_version: "1.2.3",
    url: "https://example.com",
    diagnostics: [],
  } as const;

  it("has everything but what apply needs", () => {
    const made = planned();
    const document = planDocument(made, CONTEXT);
    expect(document).toEqual({
      type: "driftline.plan",
      schema_version: 1,
      hash: document.hash,
      config_hash: "sha256:1",
      tool_version: "1.2.3",
      url: "https://example.com",
      options: made.options,
      summary: made.summary,
      changes: made.changes.map(({ work: _work, ...change }) => change),
      unmanaged: made.unmanaged,
      diagnostics: [],
    });
    expect(JSON.stringify(document)).not.toContain('"work"');
  });

  it("has a hash that covers all but the version, the diagnostics and itself", () => {
    const document = planDocument(planned(), CONTEXT);
    expect(document.hash).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(hashOf({ ...document })).toBe(document.hash);
    expect(hashOf({ ...document, hash: "", tool_version: "", diagnostics: [{}] })).toBe(document.hash);
    for (const key of Object.keys(document).filter((name) => !["hash", "tool_version", "diagnostics"].includes(name)))
      expect(hashOf({ ...document, [key]: "edited" }), key).not.toBe(document.hash);
    expect(hashOf({ ...document, more: 1 })).not.toBe(document.hash);
  });

  it("has the diagnostics that it is given", () => {
    const warning = { severity: "warning", code: "x", message: "y" } as const;
    expect(planDocument(planned(), { ...CONTEXT, diagnostics: [warning] }).diagnostics).toEqual([warning]);
  });
});

describe("an organization", () => {
  it("is found by its exact name, or pinned", () => {
    expect(actions(plan([declare("acme", { name: ACME.name })], live()))).toEqual({ acme: "no_op" });
    const pinned = declare("acme", { name: "Acme Ltd" }, { pin: { field: "id", value: ACME.id.toUpperCase() } });
    expect(plan([pinned], live()).changes).toMatchObject([
      { action: "update", id: ACME.id, fields: [{ path: "/name", prior: "Acme Inc", planned: "Acme Ltd" }] },
    ]);
  });
});
