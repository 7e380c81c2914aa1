import { describe, expect, it } from "vitest";
import { Secret, type JsonObject, type ValueObject } from "../../../src/model/json/json.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { ACME, changeOf, declare, live, plan, unreadable } from "./world.ts";

const WEB = "acme/projects/web/insights";
const EXPORT = "acme/batch_exports/e";
const SECRET = new Secret("${secret:KEY}");
const S3 = (config: ValueObject): ValueObject => ({ destination: { type: "S3", config } });
const INVITE = { id: "i1", target_email: "bob@acme.com", level: 1, is_expired: false };
const MEMBER = { id: "m1", level: 15, user: { uuid: "u1", email: "ada@acme.com" } };
const ROW = {
  id: 7,
  short_id: "abcdefgh",
  name: "Signups",
  description: "old",
  tags: ["a"],
  query: { kind: "Trends" },
};

interface Shown {
  readonly action: Change["action"];
  readonly reason: string;
}

interface Expected {
  readonly action: Change["action"];
  /** The data that the reason names. */
  readonly says?: readonly string[];
}

function shown({ action, reason }: Change): Shown {
  return { action, reason };
}

function only(resource: Resource, world: Parameters<typeof plan>[1], rotate = false): Shown {
  return shown(changeOf(plan([resource], world, { rotate: rotate ? [resource.address] : [] }), resource.address));
}

const ofInsight = (values: ValueObject, row: JsonObject | undefined, lifecycle: Lifecycle = {}, pin?: string): Shown =>
  only(
    declare(`${WEB}/s`, values, { lifecycle, ...(pin === undefined ? {} : { pin: { field: "id", value: pin } }) }),
    live({}, { "insights.list": row === undefined ? [] : [row] }),
  );

const ofExport = (values: ValueObject, row: JsonObject, rotate = false): Shown =>
  only(
    declare(EXPORT, { name: "E", paused: false, ...values }),
    live({ "batch_exports.list": [{ id: "b1", name: "E", paused: false, ...row }] }),
    rotate,
  );

const ofPerson = (
  level: number | undefined,
  rows: { members?: JsonObject[]; invites?: JsonObject[] },
  lifecycle: Lifecycle = {},
): Shown =>
  only(
    declare("acme/memberships/bob@acme.com", level === undefined ? {} : { level }, { lifecycle }),
    live({ "members.list": rows.members ?? [], "invites.list": rows.invites ?? [] }),
  );

function withoutBeta(): ReturnType<typeof live> {
  const world = live();
  return { ...world, scopes: new Map([...world.scopes, ["beta", { status: "absent" }]]) };
}

/** Every reason in a plan. */
describe("every action says why", () => {
  it.each<[string, () => Shown, Expected]>([
    [
      "a replace of a pinned object",
      () =>
        only(
          declare("acme/invites/i", { target_email: "bob@acme.com", level: 8 }, { pin: { field: "id", value: "i1" } }),
          live({ "invites.list": [INVITE] }),
        ),
      { action: "replace", says: ["level"] },
    ],
    ["nothing differs", () => ofInsight({ name: "Signups" }, ROW), { action: "no_op" }],
    [
      "one field differs",
      () => ofInsight({ name: "Signups", description: "new" }, ROW),
      { action: "update", says: ["description"] },
    ],
    [
      "one field with a plural name differs",
      () => ofInsight({ name: "Signups", tags: ["b"] }, ROW),
      { action: "update", says: ["tags"] },
    ],
    [
      "one setting of several words differs, which is one thing",
      () =>
        only(
          declare("acme", { name: "Acme Inc", enforce_verified_domains: true }),
          live({}, {}, { "organizations.list": [{ ...ACME, enforce_verified_domains: false }] }),
        ),
      { action: "update", says: ["enforce_verified_domains differs"] },
    ],
    [
      "a value is sent again that the service would change",
      () => ofInsight({ name: "Signups", description: "new" }, { ...ROW, saved: false, search_match_type: null }),
      { action: "update", says: ["description", "saved: false"] },
    ],
    [
      "a removal has another effect as well",
      () =>
        only(
          declare("acme/identity_provider_configs/okta", { name: "Okta" }, { lifecycle: { state: "absent" } }),
          live({ "identity_provider_configs.list": [{ id: "i", name: "Okta" }] }),
        ),
      { action: "delete", says: ["people can no longer sign in"] },
    ],
    [
      "declared absent without its name, and absent already",
      () =>
        only(
          declare("acme/domains/d", {}, { lifecycle: { state: "absent" }, pin: { field: "id", value: "d1" } }),
          live({ "domains.list": [] }),
        ),
      { action: "no_op" },
    ],
    [
      "several fields differ, each named once",
      () => ofInsight({ name: "Signups", description: "new", query: { kind: "Funnels", limit: 1 } }, ROW),
      { action: "update", says: ["description", "query"] },
    ],
    [
      "the object does not exist",
      () => ofInsight({ name: "Signups" }, undefined),
      { action: "create", says: ["Signups"] },
    ],
    [
      "the person does not exist, and is invited",
      () => ofPerson(8, {}),
      { action: "create", says: ["invite as ADMIN"] },
    ],
    ["soft-deleted", () => ofInsight({ name: "Signups" }, { ...ROW, deleted: true }, {}, "7"), { action: "restore" }],
    [
      "the object does not exist, and can be restored",
      () => ofInsight({ name: "Signups" }, undefined, {}, "7"),
      { action: "restore" },
    ],
    ["declared absent", () => ofInsight({ name: "Signups" }, ROW, { state: "absent" }), { action: "delete" }],
    [
      "declared absent, and absent already",
      () => ofInsight({ name: "Signups" }, undefined, { state: "absent" }),
      { action: "no_op" },
    ],
    [
      "declared absent, and already soft-deleted",
      () => ofInsight({}, { ...ROW, deleted: true }, { state: "absent" }, "7"),
      { action: "no_op" },
    ],
    [
      "pinned, declared absent, and absent already",
      () => ofInsight({}, undefined, { state: "absent" }, "7"),
      { action: "no_op" },
    ],
    [
      "forgotten",
      () => ofInsight({ name: "Signups", description: "new" }, ROW, { forget: true }),
      { action: "no_op", says: ["lifecycle.forget"] },
    ],
    [
      "forgotten, and the object does not exist",
      () => ofInsight({ name: "Signups" }, undefined, { forget: true }),
      { action: "no_op", says: ["lifecycle.forget"] },
    ],
    [
      "forgotten and pinned, and the object does not exist",
      () => ofInsight({ name: "Signups" }, undefined, { forget: true }, "7"),
      { action: "no_op", says: ["lifecycle.forget"] },
    ],
    [
      "a field that cannot be changed in place",
      () =>
        ofExport(
          { interval: "day", ...S3({}) },
          { interval: "hour", destination: { type: "BigQuery", config: {} }, schema: null },
        ),
      { action: "replace", says: ["destination"] },
    ],
    [
      "a secret beside unchanged fields",
      () => ofExport(S3({ aws_secret_access_key: SECRET }), { destination: { type: "S3", config: {} } }),
      { action: "no_op", says: ["destination.config.aws_secret_access_key"] },
    ],
    [
      "a secret that is sent with a changed field",
      () => ofExport(S3({ prefix: "x", aws_secret_access_key: SECRET }), { destination: { type: "S3", config: {} } }),
      { action: "update", says: ["destination", "destination.config.aws_secret_access_key"] },
    ],
    [
      "secrets of another field are not sent",
      () =>
        ofExport(
          { interval: "day", ...S3({ aws_secret_access_key: SECRET }) },
          { interval: "hour", destination: { type: "S3", config: {} } },
        ),
      { action: "update", says: ["interval"] },
    ],
    [
      "a secret that is sent by --rotate",
      () =>
        ofExport(
          S3({ aws_access_key_id: SECRET, aws_secret_access_key: SECRET }),
          { destination: { type: "S3", config: {} } },
          true,
        ),
      { action: "update", says: ["destination.config.aws_access_key_id", "destination.config.aws_secret_access_key"] },
    ],
    [
      "a secret that is sent by --rotate beside another field",
      () =>
        ofExport(
          { interval: "day", ...S3({ aws_secret_access_key: SECRET }) },
          { interval: "hour", destination: { type: "S3", config: {} } },
          true,
        ),
      { action: "update", says: ["interval", "destination.config.aws_secret_access_key"] },
    ],
    [
      "a field that differs, without a secret for --rotate to send",
      () => ofExport({ interval: "day" }, { interval: "hour" }, true),
      { action: "update", says: ["interval"] },
    ],
    [
      "an organization that is created",
      () => only(declare("beta", { name: "Beta" }, { lifecycle: { create: true } }), live()),
      { action: "create", says: ["current organization"] },
    ],
    [
      "an organization that is deleted",
      () => only(declare("acme", { name: "Acme Inc" }, { lifecycle: { state: "absent" } }), live()),
      { action: "delete", says: ["current organization"] },
    ],
    [
      "a person of an organization that does not exist yet",
      () => only(declare("beta/memberships/ada@acme.com", { level: 15 }), withoutBeta()),
      { action: "create", says: ["sends an e-mail", "the key's user"] },
    ],
    ["invited", () => ofPerson(1, { invites: [INVITE] }), { action: "no_op" }],
    ["invited with another level", () => ofPerson(8, { invites: [INVITE] }), { action: "replace", says: ["level"] }],
    [
      "invited, expired",
      () => ofPerson(8, { invites: [{ ...INVITE, is_expired: true }] }),
      { action: "no_op", says: ["lifecycle.renew: true"] },
    ],
    [
      "invited, expired and renewed",
      () => ofPerson(8, { invites: [{ ...INVITE, is_expired: true }] }, { renew: true }),
      { action: "replace" },
    ],
    [
      "invited, expired and renewed with what the person was told",
      () =>
        ofPerson(8, { invites: [{ ...INVITE, is_expired: true, first_name: "Bob", message: "Hi" }] }, { renew: true }),
      { action: "replace", says: ["first_name", "message"] },
    ],
    [
      "an invite that was accepted",
      () =>
        only(
          declare("acme/invites/ada", { target_email: "ada@acme.com", level: 1 }),
          live({ "invites.list": [], "members.list": [MEMBER] }),
        ),
      { action: "no_op" },
    ],
    [
      "an invite that was accepted, declared absent",
      () =>
        only(
          declare("acme/invites/ada", { target_email: "ada@acme.com", level: 1 }, { lifecycle: { state: "absent" } }),
          live({ "invites.list": [], "members.list": [MEMBER] }),
        ),
      { action: "no_op" },
    ],
    [
      "an organization that does not exist yet",
      () =>
        only(declare("beta/domains/d", { domain: "b.com" }), {
          ...live(),
          scopes: new Map([["beta", { status: "absent" as const }]]),
        }),
      { action: "create" },
    ],
    [
      "declared absent in an organization that does not exist",
      () =>
        only(declare("beta/domains/d", { domain: "b.com" }, { lifecycle: { state: "absent" } }), {
          ...live(),
          scopes: new Map([["beta", { status: "absent" as const }]]),
        }),
      { action: "no_op" },
    ],
    [
      "forgotten in an organization that does not exist",
      () => only(declare("beta/domains/d", { domain: "b.com" }, { lifecycle: { forget: true } }), withoutBeta()),
      { action: "no_op", says: ["lifecycle.forget"] },
    ],
    [
      "an unknown scope",
      () =>
        only(declare("beta/domains/d", { domain: "b.com" }), {
          ...live(),
          scopes: new Map([["beta", { status: "unknown" as const, reason: "GET answered 500", isDenied: false }]]),
        }),
      { action: "unknown", says: ["GET answered 500"] },
    ],
    [
      "an organization that the service is deleting",
      () =>
        only(
          declare("acme", { name: "Acme Ltd" }, { pin: { field: "id", value: ACME.id } }),
          live({}, {}, { "organizations.list": [{ ...ACME, is_pending_deletion: true }] }),
        ),
      { action: "unknown" },
    ],
    [
      "declared absent, and the service is deleting it",
      () =>
        only(
          declare("acme", {}, { pin: { field: "id", value: ACME.id }, lifecycle: { state: "absent" } }),
          live({}, {}, { "organizations.list": [{ ...ACME, is_pending_deletion: true }] }),
        ),
      { action: "no_op" },
    ],
    [
      "a scope that was not read",
      () => only(declare("beta/domains/d", { domain: "b.com" }), live()),
      { action: "unknown" },
    ],
    [
      "a list that was not read",
      () => only(declare("acme/domains/d", { domain: "b.com" }), live()),
      { action: "unknown" },
    ],
    [
      "a list that could not be read",
      () =>
        only(
          declare("acme/domains/d", { domain: "b.com" }),
          unreadable(live({ "domains.list": [] }), "acme", "domain"),
        ),
      { action: "unknown", says: ["GET answered 500"] },
    ],
  ])("%s", (_name, made, { action, says = [] }) => {
    const { reason, ...rest } = made();
    expect(rest).toEqual({ action });
    for (const part of says) expect(reason).toContain(part);
    expect(reason).toMatchSnapshot("sentences");
  });

  it("in a new organization, service.self shows who is invited and who gets no e-mail", () => {
    const address = (name: string): string => `beta/memberships/${name}@acme.com`;
    const people = ["ada", "eve"].map((name) => declare(address(name), { level: 15 }));
    const made = plan(people, withoutBeta(), {}, { service: { self: "Ada@acme.com" } });
    expect(changeOf(made, address("ada")).reason).not.toContain("sends an e-mail");
    expect(changeOf(made, address("ada")).reason).toMatchSnapshot("sentences");
    expect(changeOf(made, address("eve")).reason).toMatch(/sends an e-mail$/);
  });

  it.each([
    ["says it already, but for signs and case", "sign-ups", "Sign Ups!", undefined],
    ["says something else", "sign-ups", "Sign-up", "Sign-up"],
    ["ends with it", "my-sign-ups", "Sign-ups", "Sign-ups"],
    ["has its letters in other scripts", "регистрации", "Регистрации", undefined],
    ["differs in a number", "week-1", "Week 2", "Week 2"],
    ["spells it in another way", "strasse", "Straße", "Straße"],
  ])("names the object, unless the address %s", (_case, name, title, shownName) => {
    const address = `${WEB}/${name}`;
    const row = { ...ROW, name: title };
    expect(
      changeOf(plan([declare(address, { name: title })], live({}, { "insights.list": [row] })), address).name,
    ).toBe(shownName);
  });

  it("of the removal of an undeclared invite names what it is", () => {
    const { changes } = plan(
      [],
      live({ "members.list": [MEMBER], "invites.list": [INVITE] }),
      { prune: true },
      { exclusive: [{ scope: "acme", kind: "membership" }] },
    );
    expect(changes.map(({ address, reason }) => [address, reason])).toMatchSnapshot("sentences");
  });

  it.each([
    ["with its name", "Signups"],
    ["without a name", ""],
  ])("a pruned object is reported %s", (_name, name) => {
    const made = plan(
      [declare(`${WEB}/kept`, { name: "Kept" })],
      live(
        {},
        {
          "insights.list": [
            { ...ROW, name },
            { id: 8, name: "Kept" },
          ],
        },
      ),
      { prune: true },
      { exclusive: [{ scope: "acme/projects/web", kind: "insight" }] },
    );
    const change = changeOf(made, `${WEB}/id=7`);
    expect(change.reason).toMatchSnapshot("sentences");
    expect(change).toEqual({
      address: `${WEB}/id=7`,
      kind: "insight",
      ...(name === "" ? {} : { name }),
      action: "delete",
      reason: change.reason,
      id: "7",
      blocked: null,
      fields: [],
      fingerprint: expect.stringMatching(/^sha256:[0-9a-f]{64}$/) as string,
      work: {
        scope: "acme/projects/web",
        live: expect.objectContaining({ id: "7" }) as object,
        body: {},
        key: name === "" ? null : name,
      },
    });
  });
});
