import { describe, expect, it } from "vitest";
import { Secret, type JsonObject, type ValueObject } from "../../../src/model/json.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Lifecycle, Resource } from "../../../src/model/resource.ts";
import { changeOf, declare, live, plan, unreadable } from "./world.ts";

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

function shown({ action, reason }: Change): Shown {
  return { action, reason };
}

function only(resource: Resource, snapshot: Parameters<typeof plan>[1], rotate = false): Shown {
  return shown(changeOf(plan([resource], snapshot, { rotate: rotate ? [resource.address] : [] }), resource.address));
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

/** Every reason that a plan can give. */
describe("every action says why", () => {
  it.each<[string, () => Shown, Shown]>([
    [
      "a replace of what is pinned",
      () =>
        only(
          declare("acme/invites/i", { target_email: "bob@acme.com", level: 8 }, { pin: { field: "id", value: "i1" } }),
          live({ "invites.list": [INVITE] }),
        ),
      {
        action: "replace",
        reason: "level cannot be changed in place; sends an e-mail; the id that pins it has to be changed then",
      },
    ],
    ["nothing differs", () => ofInsight({ name: "Signups" }, ROW), { action: "no_op", reason: "nothing differs" }],
    [
      "one field differs",
      () => ofInsight({ name: "Signups", description: "new" }, ROW),
      { action: "update", reason: "description differs" },
    ],
    [
      "several fields differ, each named once",
      () => ofInsight({ name: "Signups", description: "new", query: { kind: "Funnels", limit: 1 } }, ROW),
      { action: "update", reason: "description, query differ" },
    ],
    [
      "not there",
      () => ofInsight({ name: "Signups" }, undefined),
      { action: "create", reason: 'no insight "Signups"' },
    ],
    [
      "not there, and no natural key but the one it is declared under",
      () => ofPerson(8, {}),
      { action: "create", reason: 'no membership "bob@acme.com"; sends an e-mail' },
    ],
    [
      "soft-deleted",
      () => ofInsight({ name: "Signups" }, { ...ROW, deleted: true }, {}, "7"),
      { action: "restore", reason: "soft-deleted, or gone from every list: brought back under its id" },
    ],
    [
      "gone, and can be restored",
      () => ofInsight({ name: "Signups" }, undefined, {}, "7"),
      { action: "restore", reason: "soft-deleted, or gone from every list: brought back under its id" },
    ],
    [
      "to be absent",
      () => ofInsight({ name: "Signups" }, ROW, { state: "absent" }),
      { action: "delete", reason: "declared absent" },
    ],
    [
      "absent already",
      () => ofInsight({ name: "Signups" }, undefined, { state: "absent" }),
      { action: "no_op", reason: "declared absent, and absent" },
    ],
    [
      "absent already, as it is soft-deleted",
      () => ofInsight({}, { ...ROW, deleted: true }, { state: "absent" }, "7"),
      { action: "no_op", reason: "declared absent, and absent" },
    ],
    [
      "pinned, absent already",
      () => ofInsight({}, undefined, { state: "absent" }, "7"),
      { action: "no_op", reason: "declared absent, and absent" },
    ],
    [
      "forgotten",
      () => ofInsight({ name: "Signups", description: "new" }, ROW, { forget: true }),
      { action: "no_op", reason: "left alone: lifecycle.forget" },
    ],
    [
      "forgotten and not there",
      () => ofInsight({ name: "Signups" }, undefined, { forget: true }),
      { action: "no_op", reason: "declared absent, and absent" },
    ],
    [
      "forgotten, pinned and not there",
      () => ofInsight({ name: "Signups" }, undefined, { forget: true }, "7"),
      { action: "no_op", reason: "declared absent, and absent" },
    ],
    [
      "a field that cannot be changed in place",
      () =>
        ofExport({ interval: "day", ...S3({}) }, { interval: "hour", destination: { type: "BigQuery", config: {} } }),
      { action: "replace", reason: "destination cannot be changed in place" },
    ],
    [
      "a secret beside what is as declared",
      () => ofExport(S3({ aws_secret_access_key: SECRET }), { destination: { type: "S3", config: {} } }),
      {
        action: "no_op",
        reason:
          "nothing differs; never shown by the service, so not compared: /destination/config/aws_secret_access_key",
      },
    ],
    [
      "a secret that goes along with a changed field",
      () => ofExport(S3({ prefix: "x", aws_secret_access_key: SECRET }), { destination: { type: "S3", config: {} } }),
      { action: "update", reason: "destination differs; sends /destination/config/aws_secret_access_key again" },
    ],
    [
      "secrets of another field stay",
      () =>
        ofExport(
          { interval: "day", ...S3({ aws_secret_access_key: SECRET }) },
          {
            interval: "hour",
            destination: { type: "S3", config: {} },
          },
        ),
      { action: "update", reason: "interval differs" },
    ],
    [
      "a secret that is sent as asked",
      () =>
        ofExport(
          S3({ aws_access_key_id: SECRET, aws_secret_access_key: SECRET }),
          { destination: { type: "S3", config: {} } },
          true,
        ),
      {
        action: "update",
        reason: "/destination/config/aws_access_key_id, /destination/config/aws_secret_access_key sent again as asked",
      },
    ],
    [
      "a secret that is sent as asked beside another field",
      () =>
        ofExport(
          { interval: "day", ...S3({ aws_secret_access_key: SECRET }) },
          { interval: "hour", destination: { type: "S3", config: {} } },
          true,
        ),
      { action: "update", reason: "interval differs; sends /destination/config/aws_secret_access_key again as asked" },
    ],
    [
      "a field where there is no secret to be sent as asked",
      () => ofExport({ interval: "day" }, { interval: "hour" }, true),
      { action: "update", reason: "interval differs" },
    ],
    ["invited", () => ofPerson(1, { invites: [INVITE] }), { action: "no_op", reason: "invited, not yet accepted" }],
    [
      "invited with another level",
      () => ofPerson(8, { invites: [INVITE] }),
      { action: "replace", reason: "level differs; sends an e-mail" },
    ],
    [
      "invited, expired",
      () => ofPerson(8, { invites: [{ ...INVITE, is_expired: true }] }),
      { action: "no_op", reason: "the invite has expired; lifecycle.renew: true sends a new one" },
    ],
    [
      "invited, expired and renewed",
      () => ofPerson(8, { invites: [{ ...INVITE, is_expired: true }] }, { renew: true }),
      { action: "replace", reason: "the invite has expired and is renewed; sends an e-mail" },
    ],
    [
      "an invite that was accepted",
      () =>
        only(
          declare("acme/invites/ada", { target_email: "ada@acme.com", level: 1 }),
          live({ "invites.list": [], "members.list": [MEMBER] }),
        ),
      { action: "no_op", reason: "accepted: the address is a member by now" },
    ],
    [
      "an invite that was accepted, declared absent",
      () =>
        only(
          declare("acme/invites/ada", { target_email: "ada@acme.com", level: 1 }, { lifecycle: { state: "absent" } }),
          live({ "invites.list": [], "members.list": [MEMBER] }),
        ),
      { action: "no_op", reason: "accepted: the address is a member by now" },
    ],
    [
      "an organization that is not there yet",
      () =>
        only(declare("beta/domains/d", { domain: "b.com" }), {
          ...live(),
          scopes: new Map([["beta", { status: "absent" as const }]]),
        }),
      { action: "create", reason: "its organization is not there yet" },
    ],
    [
      "absent in an organization that is not there",
      () =>
        only(declare("beta/domains/d", { domain: "b.com" }, { lifecycle: { state: "absent" } }), {
          ...live(),
          scopes: new Map([["beta", { status: "absent" as const }]]),
        }),
      { action: "no_op", reason: "declared absent, and absent" },
    ],
    [
      "a scope that is not known",
      () =>
        only(declare("beta/domains/d", { domain: "b.com" }), {
          ...live(),
          scopes: new Map([["beta", { status: "unknown" as const, reason: "GET answered 500", denied: false }]]),
        }),
      { action: "unknown", reason: "GET answered 500" },
    ],
    [
      "a scope that nobody looked for",
      () => only(declare("beta/domains/d", { domain: "b.com" }), live()),
      { action: "unknown", reason: "its scope was not read" },
    ],
    [
      "a list that nobody asked for",
      () => only(declare("acme/domains/d", { domain: "b.com" }), live()),
      { action: "unknown", reason: "it was not read" },
    ],
    [
      "a list that could not be read",
      () =>
        only(
          declare("acme/domains/d", { domain: "b.com" }),
          unreadable(live({ "domains.list": [] }), "acme", "domain"),
        ),
      { action: "unknown", reason: "GET answered 500" },
    ],
  ])("%s", (_name, made, expected) => {
    expect(made()).toEqual(expected);
  });

  it.each([
    ["with its name", "Signups", 'insight "Signups" is not declared, and its kind is exclusive'],
    ["without one", "", "insight is not declared, and its kind is exclusive"],
  ])("what is pruned, %s", (_name, name, reason) => {
    const made = plan(
      [],
      live({}, { "insights.list": [{ ...ROW, name }] }),
      { prune: true },
      { exclusive: [{ scope: "acme/projects/web", kind: "insight" }] },
    );
    expect(changeOf(made, `${WEB}/id=7`)).toEqual({
      address: `${WEB}/id=7`,
      kind: "insight",
      action: "delete",
      reason,
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
