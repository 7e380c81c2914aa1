/** Which object a resource is (src/plan/match.ts). */
import { describe, expect, it } from "vitest";
import { actions, changeOf, declare, live, plan, unreadable } from "./world.ts";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { Plan } from "../../../src/model/plan.ts";
import { dataOf, sentencesOf } from "../../support/sentences.ts";

const WEB = "acme/projects/web/insights";
const SIGNUPS = { id: 1, short_id: "abcdefgh", name: "Signups", query: { kind: "Trends" } };
const ADA = {
  id: "c0000000-0000-4000-8000-000000000001",
  level: 1,
  user: { uuid: "d0000000-0000-4000-8000-000000000001", email: "Ada@acme.com" },
};
const BOB_INVITE = {
  id: "e0000000-0000-4000-8000-000000000001",
  target_email: "bob@acme.com",
  level: 1,
  is_expired: false,
};

const people = (members: readonly object[], invites: readonly object[]) =>
  live({ "members.list": members as never, "invites.list": invites as never });

describe("identity", () => {
  it("a missing pinned insight is planned as restore", () => {
    const made = plan(
      [declare(`${WEB}/s`, { name: "Signups" }, { pin: { field: "id", value: "7" } })],
      live({}, { "insights.list": [] }),
    );
    expect(changeOf(made, `${WEB}/s`)).toMatchObject({ action: "restore", id: "7" });
  });

  it("an insight can be pinned by its short_id", () => {
    const made = plan(
      [declare(`${WEB}/s`, { description: "x" }, { pin: { field: "short_id", value: "abcdefgh" } })],
      live({}, { "insights.list": [SIGNUPS] }),
    );
    expect(changeOf(made, `${WEB}/s`)).toMatchObject({ action: "update", id: "1" });
  });

  it("two live objects with one natural key are an error that lists both ids and asks for a pin", () => {
    const made = plan(
      [declare(`${WEB}/s`, { name: "Signups" })],
      live({}, { "insights.list": [SIGNUPS, { ...SIGNUPS, id: 2 }] }),
    );
    expect(changeOf(made, `${WEB}/s`).action).toBe("unknown");
    expect(made.diagnostics[0]?.code).toBe("ambiguous");
    expect(made.diagnostics[0]?.message).toContain("1, 2");
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot();
  });

  it("renamed_from keeps identity over a rename", () => {
    const made = plan(
      [declare(`${WEB}/s`, { name: "New" }, { lifecycle: { renamed_from: "Signups" } })],
      live({}, { "insights.list": [SIGNUPS] }),
    );
    expect(changeOf(made, `${WEB}/s`)).toMatchObject({
      action: "update",
      id: "1",
      fields: [{ path: "/name", prior: "Signups", planned: "New" }],
    });
  });

  it("renamed_from counts only while the new key is absent; both present is an error", () => {
    const both = [SIGNUPS, { ...SIGNUPS, id: 2, name: "New" }];
    const resource = declare(`${WEB}/s`, { name: "New" }, { lifecycle: { renamed_from: "Signups" } });
    expect(plan([resource], live({}, { "insights.list": both })).diagnostics[0]?.code).toBe("rename_conflict");
    expect(changeOf(plan([resource], live({}, { "insights.list": both.slice(1) })), resource.address).action).toBe(
      "no_op",
    );
  });

  it("a plugin that already has its new name is not a rename conflict", () => {
    const values = { name: "New", plugin_type: "source" };
    const resource = declare("acme/pipeline_destinations/p", values, { lifecycle: { renamed_from: "Old" } });
    const made = (row: object) =>
      plan([resource], live({ "pipeline_destinations.list": [{ id: 1, ...values, ...row }] }));
    expect([changeOf(made({}), resource.address).action, made({}).diagnostics]).toEqual(["no_op", []]);
    expect(changeOf(made({ name: "Old" }), resource.address)).toMatchObject({ action: "update", id: "1" });
    expect(changeOf(made({ name: "Other" }), resource.address).action).toBe("create");
  });

  it("a create that equals an undeclared object in all but its name is blocked as a forgotten rename", () => {
    const declared = { name: "New", query: { kind: "Trends" } };
    const blocked = (lifecycle: object, values: object = declared) =>
      changeOf(
        plan([declare(`${WEB}/s`, values as never, { lifecycle })], live({}, { "insights.list": [SIGNUPS] })),
        `${WEB}/s`,
      ).blocked;
    expect(blocked({})).toMatchObject({ rule: "forgotten_rename" });
    expect(blocked({ create: true })).toBeNull();
    expect(blocked({}, { name: "New", query: { kind: "Funnels" } })).toBeNull();
    expect(blocked({}, { name: "New" })).toBeNull();
  });

  it("a create with the query of an undeclared insight is a warning: that one was probably renamed and edited", () => {
    const declared = { name: "New", query: { kind: "Trends" }, description: "declared" };
    const of = (values: object, more: object = {}, row: object = {}) =>
      plan([declare(`${WEB}/s`, values as never, more)], live({}, { "insights.list": [{ ...SIGNUPS, ...row }] }));
    const made = of(declared, {}, { description: "live" });
    expect(changeOf(made, `${WEB}/s`)).toMatchObject({ action: "create", blocked: null });
    expect(dataOf(made.diagnostics)).toEqual([{ severity: "warning", code: "probable_rename", address: `${WEB}/s` }]);
    expect(sentencesOf(made.diagnostics)).toMatchSnapshot();
    const codes = (found: Plan) => found.diagnostics.map(({ code }) => code);
    // This is a forgotten rename, which is blocked.
    expect(codes(of({ name: "New", query: { kind: "Trends" } }))).toEqual([]);
    expect(codes(of(declared, { lifecycle: { create: true } }))).toEqual([]);
    expect(codes(of(declared, { pin: { field: "short_id", value: "other" } }))).toEqual([]);
    expect(codes(of(declared, {}, { query: { kind: "Funnels" } }))).toEqual([]);
    expect(codes(of({ name: "New", query: {} }, {}, { query: {} }))).toEqual([]);
    expect(codes(of({ name: "New", description: "x" }))).toEqual([]);
  });

  it("an organization is created only with lifecycle.create", () => {
    const of = (lifecycle: object) => plan([declare("beta", { name: "Beta" }, { lifecycle })], live());
    expect(changeOf(of({}), "beta")).toMatchObject({ action: "create", blocked: { rule: "organization_create" } });
    expect(changeOf(of({ create: true }), "beta")).toMatchObject({ action: "create", blocked: null });
  });

  it("batch exports of both routes are one identity space", () => {
    const row = { id: "b0000000-0000-4000-8000-000000000001", name: "Events", paused: false };
    const made = plan(
      [declare("acme/projects/web/batch_exports/e", { name: "Events", paused: false })],
      live({ "batch_exports.list": [row] }, { "project_batch_exports.list": [row] }),
    );
    expect(made.summary).toMatchObject({ no_op: 1, unmanaged: 0 });
  });

  it("the three plugin groups are one identity space", () => {
    const made = plan(
      [declare("acme/pipeline_destinations/p", { name: "Sink", plugin_type: "source" })],
      live({
        "pipeline_destinations.list": [],
        "pipeline_frontend_apps.list": [{ id: 5, name: "Sink", plugin_type: "source" }],
        "pipeline_import_apps.list": [],
      }),
    );
    expect(changeOf(made, "acme/pipeline_destinations/p")).toMatchObject({ action: "no_op", id: "5" });
  });

  it("plugins of other organizations and global ones never match", () => {
    const rows = [
      { id: 5, name: "Sink", organization_id: "0000" },
      { id: 6, name: "Sink", is_global: true },
    ];
    const made = plan(
      [declare("acme/pipeline_destinations/p", { name: "Sink" })],
      live({ "pipeline_destinations.list": rows, "pipeline_frontend_apps.list": [], "pipeline_import_apps.list": [] }),
    );
    expect(actions(made)).toEqual({ "acme/pipeline_destinations/p": "create" });
  });

  it("a plugin is found by its url, or by type and name if the service has dropped the url", () => {
    const declared = declare("acme/pipeline_destinations/p", {
      url: "https://x.example/p",
      plugin_type: "custom",
      name: "P",
    });
    const of = (row: object) =>
      actions(
        plan(
          [declared],
          live({
            "pipeline_destinations.list": [row as never],
            "pipeline_frontend_apps.list": [],
            "pipeline_import_apps.list": [],
          }),
        ),
      )[declared.address];
    expect(of({ id: 5, name: "P", plugin_type: "custom", url: "https://x.example/p?private_token=z" })).toBe("no_op");
    expect(of({ id: 5, name: "P", plugin_type: "custom", url: null })).toBe("no_op");
    expect(of({ id: 5, name: "P", plugin_type: "custom", url: "https://other.example/p" })).toBe("create");
  });

  it("a kind that could not be read is unknown: it is neither created nor deleted nor pruned", () => {
    const resources = [
      declare("acme/domains/a", { domain: "a.com" }),
      declare("acme/domains/b", { domain: "b.com" }, { lifecycle: { state: "absent" } }),
    ];
    const made = plan(
      resources,
      unreadable(live({ "domains.list": [{ id: "x", domain: "b.com" }] }), "acme", "domain"),
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "domain" }] },
    );
    expect(actions(made)).toEqual({ "acme/domains/a": "unknown", "acme/domains/b": "unknown" });
  });
});

describe("people", () => {
  it("a member is patched, and nobody is invited twice", () => {
    const made = plan([declare("acme/memberships/ada@acme.com", { level: 8 })], people([ADA], []));
    expect(changeOf(made, "acme/memberships/ada@acme.com")).toMatchObject({ action: "update", id: ADA.user.uuid });
  });

  it("a person who is neither a member nor invited is invited, and the plan says that an e-mail is sent", () => {
    const change = changeOf(
      plan([declare("acme/memberships/eve@acme.com", { level: 8 })], people([ADA], [])),
      "acme/memberships/eve@acme.com",
    );
    expect(change.action).toBe("create");
    expect(change.reason).toMatchSnapshot();
  });

  it("a pending invite of another level is replaced; one of the same level is left alone", () => {
    const of = (level: number) =>
      changeOf(
        plan([declare("acme/memberships/bob@acme.com", { level })], people([], [BOB_INVITE])),
        "acme/memberships/bob@acme.com",
      );
    expect(of(1).action).toBe("no_op");
    expect(of(8)).toMatchObject({ action: "replace" });
    expect(of(8).reason).toMatchSnapshot();
  });

  const PROJECTS = [{ id: 1, level: "member" }];
  const invites = "acme/invites/bob";
  const memberships = "acme/memberships/bob@acme.com";
  const BOB = { target_email: "bob@acme.com" };

  it.each<[string, string, ValueObject, JsonObject, object, boolean | undefined]>([
    ["only changes the level", memberships, { level: 8 }, {}, {}, false],
    ["only changes the level of an invite", invites, { ...BOB, level: 8 }, {}, {}, false],
    ["changes the text of the e-mail", invites, { ...BOB, message: "Welcome" }, {}, {}, undefined],
    ["says send_email itself", invites, { ...BOB, level: 8, send_email: true }, {}, {}, true],
    ["renews an invite", memberships, { level: 8 }, { is_expired: true }, { renew: true }, undefined],
  ])("send_email of a replace that %s", (_name, address, values, row, lifecycle, sent) => {
    const replaceOf = (more: JsonObject) =>
      changeOf(
        plan([declare(address, values, { lifecycle })], people([], [{ ...BOB_INVITE, ...row, ...more }])),
        address,
      );
    const { action, work, reason } = replaceOf({ private_project_access: PROJECTS });
    expect([action, work?.body["send_email"]]).toEqual(["replace", sent]);
    expect(reason).toMatchSnapshot();
    expect(work?.body).toMatchObject({ private_project_access: PROJECTS });
    // A service without the field sends an e-mail whatever it is told.
    expect(replaceOf({}).work?.body["send_email"]).toBe(sent === false ? undefined : sent);
  });

  it("an expired invite is reported, and renewed only with lifecycle.renew", () => {
    const of = (lifecycle: object) =>
      plan(
        [declare("acme/memberships/bob@acme.com", { level: 1 }, { lifecycle })],
        people([], [{ ...BOB_INVITE, is_expired: true }]),
      );
    expect(actions(of({}))).toEqual({ "acme/memberships/bob@acme.com": "no_op" });
    expect(of({}).diagnostics[0]).toMatchObject({ severity: "warning", code: "invite_expired" });
    expect(actions(of({ renew: true }))).toEqual({ "acme/memberships/bob@acme.com": "replace" });
  });

  it("an absent membership removes member and invites", () => {
    const stray = { ...BOB_INVITE, target_email: "ADA@acme.com" };
    const made = plan(
      [declare("acme/memberships/ada@acme.com", {}, { lifecycle: { state: "absent" } })],
      people([ADA], [stray]),
    );
    expect(changeOf(made, "acme/memberships/ada@acme.com").work?.live?.parts).toEqual({
      member: ADA.user.uuid,
      invites: [stray.id],
    });
  });

  it("exclusive memberships cover members and invites", () => {
    const made = plan(
      [],
      people([ADA], [BOB_INVITE]),
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "membership" }], service: { self: "me@acme.com" } },
    );
    expect(made.changes.map(({ action, work }) => [action, work?.key])).toEqual([
      ["delete", "ada@acme.com"],
      ["delete", "bob@acme.com"],
    ]);
  });

  it("a declared invite whose address is a member by now is no_op", () => {
    const made = plan(
      [
        declare(
          "acme/invites/ada",
          { target_email: "ada@acme.com", level: 8 },
          { pin: { field: "id", value: BOB_INVITE.id } },
        ),
      ],
      people([ADA], []),
    );
    expect(actions(made)).toEqual({ "acme/invites/ada": "no_op" });
  });
});
