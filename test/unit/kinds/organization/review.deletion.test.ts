import { expect, it } from "vitest";
import { subscription } from "../../../../src/kinds/organization/review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { dataOf, sentencesOf } from "../../../support/sentences.ts";
import { ACME, checked, declare, live, plan } from "../../plan/world.ts";

const AT = { file: "a.yaml", line: 3, column: 5 };

it("a deletion says at the place of the declaration what prevents it", () => {
  const organization = { ...ACME, enforce_verified_domains: null };
  const absent = declare("acme", { name: "Acme Inc" }, { lifecycle: { state: "absent" }, position: AT });
  const world = live({}, {}, { "organizations.list": [organization] });
  const said = checked(plan([absent], world), [subscription], worldOf(world)).warnings;
  expect(dataOf(said)).toEqual([{ severity: "warning", code: "subscription_blocks_delete", address: "acme", ...AT }]);
  expect(sentencesOf(said)).toMatchSnapshot();
});
