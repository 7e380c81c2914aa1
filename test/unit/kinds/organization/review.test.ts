import { describe, expect, it } from "vitest";
import { peopleWithoutTwoFactor, personalKeysStop } from "../../../../src/kinds/organization/review.ts";
import { type Read, worldOf } from "../../../../src/kinds/world.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { ACME, checked, declare, live, plan, unreadable } from "../../plan/world.ts";

const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

const said = (resource: Resource, world: LiveWorld) =>
  checked(plan([resource], world), [peopleWithoutTwoFactor], worldOf(world));
const needed = (reads: readonly Read[]) => reads.map((read) => read.what === "objects" && [read.scope, read.kind]);

describe("what a change would do to others", () => {
  const organization = declare("acme", { name: "Acme Inc", enforce_2fa: true });
  const owner = (has2fa: boolean) => ({
    id: "m",
    level: 15,
    is_2fa_enabled: has2fa,
    user: { uuid: "u", email: "ada@acme.com" },
  });
  const root = { "organizations.list": [{ ...ACME, enforce_2fa: false }] };

  it.each([
    [[owner(false)], ["people_without_2fa"]],
    [[owner(true)], []],
  ])("is seen in the lists of its organization: %j", (members, codes) => {
    const world = live({ "members.list": members }, {}, root);
    expect(codesOf(said(organization, world).warnings)).toEqual(codes);
  });

  it.each([
    [false, 15, [false]],
    [false, 8, [false]],
    [false, 1, [true]],
    [true, 15, []],
  ])(
    "is that keys of plain members stop, once they may use none: %j, by a key of level %i",
    (value, level, namesOwnKey) => {
      const before = { ...ACME, members_can_use_personal_api_keys: !value, membership_level: level };
      const world = live({}, {}, { "organizations.list": [before] });
      const changed = plan([declare("acme", { name: "Acme Inc", members_can_use_personal_api_keys: value })], world);
      const { warnings } = checked(changed, [personalKeysStop], worldOf(world));
      expect(warnings.map(({ message }) => message.includes("this run"))).toEqual(namesOwnKey);
    },
  );

  it("is whose keys stop, if the plan has read the people: nobody but plain members", () => {
    const member = (name: string, level: number) => ({
      id: name,
      level,
      user: { uuid: name, email: `${name}@acme.com` },
    });
    const before = { "organizations.list": [{ ...ACME, members_can_use_personal_api_keys: true }] };
    const members = [member("ada", 15), member("bob", 8), member("eve", 1), member("zoe", 1)];
    const world = live({ "members.list": members }, {}, before);
    const changed = plan([declare("acme", { name: "Acme Inc", members_can_use_personal_api_keys: false })], world);
    const { warnings, needs } = checked(changed, [personalKeysStop], worldOf(world));
    expect(warnings.map(({ message }) => message)).toEqual([
      expect.stringMatching(/2 of 4 people .*: eve@acme\.com, zoe@acme\.com$/u),
    ]);
    expect(needs).toEqual([]);
  });

  it("is said where the field is declared", () => {
    const [at, ofField] = [
      { file: "a.yaml", line: 3, column: 3 },
      { file: "a.yaml", line: 5, column: 5 },
    ];
    const positionOf = (field: string) => (field === "enforce_2fa" ? ofField : undefined);
    const world = live({ "members.list": [owner(false)] }, {}, root);
    expect(said({ ...organization, position: at, positionOf }, world).warnings).toMatchObject([ofField]);
    expect(said({ ...organization, position: at }, world).warnings).toMatchObject([at]);
  });

  it("is only looked up where the plan has not read it", () => {
    const without = live({}, {}, root);
    expect(needed(said(organization, without).needs)).toEqual([["acme", "member"]]);
    expect(said(organization, live({ "members.list": [] }, {}, root)).needs).toEqual([]);
    expect(said(declare("acme", { name: "Acme Inc" }), without).needs).toEqual([]);
  });

  it("is not claimed if the list could not be read", () => {
    const members = unreadable(live({ "members.list": [owner(false)] }, {}, root), "acme", "member");
    const world = unreadable(members, "acme", "membership");
    expect(said(organization, world).warnings).toEqual([]);
  });
});
