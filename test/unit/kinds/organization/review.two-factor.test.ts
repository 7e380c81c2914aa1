import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { peopleWithoutTwoFactor } from "../../../../src/kinds/organization/review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { LiveWorld } from "../../../../src/model/live.ts";
import { dataOf, sentencesOf } from "../../../support/sentences.ts";
import { ACME, checked, declare, live, plan } from "../../plan/world.ts";

const AT = { file: "a.yaml", line: 3, column: 5 };
const member = (name: string, level: number, has: boolean | null): JsonObject => ({
  id: `m-${name}`,
  level,
  is_2fa_enabled: has,
  user: { uuid: `u-${name}`, email: `${name}@acme.com` },
});

/** The plan of an organization whose service says `before` of two-factor authentication, and what it warns of. */
function enforcing(declared: Resource["values"], before: boolean | null, members?: readonly JsonObject[]) {
  const root = { "organizations.list": [{ ...ACME, enforce_2fa: before }] };
  const listed = live(members === undefined ? {} : { "members.list": members }, {}, root);
  return check(declare("acme", { name: "Acme Inc", ...declared }, { position: AT }), listed);
}

/** The organizations whose members a warning has to look at, and the warnings. */
function check(resource: Resource, listed: LiveWorld, more: readonly Resource[] = []) {
  const nothing = { ...listed, lists: new Map([...listed.lists].filter(([key]) => !key.endsWith(" member"))) };
  const look = (world: LiveWorld) =>
    checked(plan([resource, ...more], listed), [peopleWithoutTwoFactor], worldOf(world));
  const enforced = look(nothing).needs.map((read) => read.what === "objects" && read.scope);
  return { enforced, warnings: look(listed).warnings };
}

const ON = { enforce_2fa: true };

describe("two-factor authentication for everyone", () => {
  it.each<[string, Resource["values"], boolean | null, readonly string[]]>([
    ["is new where it was off", ON, false, ["acme"]],
    ["is new where it was never set", ON, null, ["acme"]],
    ["is not new if it was on", ON, true, []],
    ["is not new if it is turned off", { enforce_2fa: false }, true, []],
    ["is not new if only another field is changed", { is_member_join_email_enabled: true }, false, []],
  ])("%s", (_name, declared, before, expected) => {
    expect(enforcing(declared, before).enforced).toEqual(expected);
  });

  it("is not new in an organization that is created with it, because it has no members yet", () => {
    const resource = declare("beta", { name: "Beta", ...ON }, { lifecycle: { create: true } });
    expect(check(resource, live()).enforced).toEqual([]);
  });

  it("does not count people whom the plan removes", () => {
    const members = [member("ada", 15, true), member("bob", 1, false), member("eve", 1, false)];
    const listed = live({ "members.list": members }, {}, { "organizations.list": [{ ...ACME, enforce_2fa: false }] });
    const gone = declare("acme/members/bob@acme.com", { level: 1 }, { lifecycle: { state: "absent" } });
    const { warnings } = check(declare("acme", { name: "Acme Inc", ...ON }, { position: AT }), listed, [gone]);
    expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining("1 of 2")]);
    expect(warnings[0]?.message).not.toContain("bob");
  });

  it("counts the people without a second factor, and names them, those with most rights first", () => {
    const members = [
      member("ada", 15, false),
      member("bob", 15, true),
      member("eve", 15, null),
      member("dan", 8, false),
      member("zoe", 15, false),
    ];
    const { warnings } = enforcing(ON, false, members);
    expect(dataOf(warnings)).toEqual([{ severity: "warning", code: "people_without_2fa", address: "acme", ...AT }]);
    expect(warnings[0]?.message.match(/\w+@acme\.com/g)).toEqual(["ada@acme.com", "zoe@acme.com", "dan@acme.com"]);
    const many = Array.from({ length: 133 }, (_, index) => member(`p${String(index)}`, 1, false));
    const [warning] = enforcing(ON, false, [...many, ...members]).warnings;
    expect(warning?.message).toMatch(/136 of 138 .*2 owners, 1 admin.*ada@.*zoe@.*dan@.*p0@.*p4@.*p132@acme.com$/u);
    expect(sentencesOf(warnings)).toMatchSnapshot();
  });

  it("has no warning if all have one, the members were not read, or it is not new", () => {
    const ada = member("ada", 15, false);
    expect(enforcing(ON, false, [{ ...ada, is_2fa_enabled: true }]).warnings).toEqual([]);
    expect(enforcing(ON, false).warnings).toEqual([]);
    expect(enforcing(ON, true, [ada]).warnings).toEqual([]);
  });
});
