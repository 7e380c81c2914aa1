import { expect, it } from "vitest";
import { explain } from "../../../src/cli/commands/explain.ts";
import { allKinds } from "../../../src/kinds/registry.ts";

const left = allKinds.flatMap((kind) =>
  explain(kind).fields.flatMap((field) =>
    field.left === undefined ? [] : [[`${kind.name}.${field.name}`, field] as const],
  ),
);

it("there are fields that today's service no longer takes", () => {
  expect(left.map(([name]) => name).toSorted()).toEqual([
    "domain.saml_acs_url",
    "domain.saml_entity_id",
    "domain.saml_x509_cert",
    "insight.filters",
    "organization.is_member_join_email_enabled",
  ]);
});

it.each(left)("explain %s says once where the field went", (_name, { description, left: instead = "" }) => {
  expect(description).not.toMatch(/today's service|identity_provider_configs|declare a|account/iu);
  expect(instead).not.toBe("");
});
