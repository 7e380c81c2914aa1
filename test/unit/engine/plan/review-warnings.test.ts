import { describe, expect, it } from "vitest";
import { peopleWithoutTwoFactor, personalKeysStop } from "../../../../src/kinds/organization/review.ts";
import { type Read, worldOf } from "../../../../src/kinds/world.ts";
import type { LiveSnapshot } from "../../../../src/model/live.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import { ACME, checked, declare, live, plan, unreadable } from "../../plan/world.ts";

const codesOf = (diagnostics: readonly Diagnostic[]): readonly string[] => diagnostics.map(({ code }) => code);

const said = (resource: Resource, snapshot: LiveSnapshot) =>
  checked(plan([resource], snapshot), [peopleWithoutTwoFactor], worldOf(snapshot));
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
    const snapshot = live({ "members.list": members }, {}, root);
    expect(codesOf(said(organization, snapshot).warnings)).toEqual(codes);
  });

  it.each([
    [false, ["personal_keys_stop"]],
    [true, []],
  ])("is that keys stop, once members may use none: %j", (members_can_use_personal_api_keys, codes) => {
    const snapshot = live(
      {},
      {},
      { "organizations.list": [{ ...ACME, members_can_use_personal_api_keys: !members_can_use_personal_api_keys }] },
    );
    const changed = plan([declare("acme", { name: "Acme Inc", members_can_use_personal_api_keys })], snapshot);
    expect(codesOf(checked(changed, [personalKeysStop], worldOf(snapshot)).warnings)).toEqual(codes);
  });

  it("is only looked up where the plan has not read it", () => {
    const without = live({}, {}, root);
    expect(needed(said(organization, without).needs)).toEqual([["acme", "member"]]);
    expect(said(organization, live({ "members.list": [] }, {}, root)).needs).toEqual([]);
    expect(said(declare("acme", { name: "Acme Inc" }), without).needs).toEqual([]);
  });

  it("is not claimed if the list could not be read", () => {
    const members = unreadable(live({ "members.list": [owner(false)] }, {}, root), "acme", "member");
    const snapshot = unreadable(members, "acme", "membership");
    expect(said(organization, snapshot).warnings).toEqual([]);
  });
});
