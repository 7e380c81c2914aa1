import { expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import { dataOf, sentencesOf } from "../../../support/sentences.ts";
import { ACME, declare, live, plan } from "../../plan/world.ts";

const AT = { file: "a.yaml", line: 3, column: 5 };

it("a deletion says at the place of the declaration what prevents it", () => {
  const organization = { ...ACME, enforce_verified_domains: null };
  const absent = declare("acme", { name: "Acme Inc" }, { lifecycle: { state: "absent" }, position: AT });
  const { changes } = plan([absent], live({}, {}, { "organizations.list": [organization] }));
  const warnings = changes.flatMap((change) => kinds.organization.review?.warnings(change, () => [], organization));
  const said = warnings.flatMap((one) => one ?? []);
  expect(dataOf(said)).toEqual([{ severity: "warning", code: "subscription_blocks_delete", address: "acme", ...AT }]);
  expect(sentencesOf(said)).toMatchSnapshot();
});
