import { expect, it } from "vitest";
import { mayBeDelegated } from "../../../../src/kinds/people/people.ts";
import type { LiveObject } from "../../../../src/model/live.ts";

const INVITE: LiveObject = {
  kind: "invite",
  scope: "acme",
  id: "1",
  pins: {},
  keys: ["setup@acme.com"],
  values: { level: 8 },
  onDifference: "replace",
};

it.each([
  ["today's service", { name: "Acme Inc", enforce_verified_domains: null }, true],
  ["a service without the newer settings", { name: "Acme Inc" }, false],
  ["a service whose organization was not read: unknown is not absent", {}, true],
])("an invite of an admin may delegate the set-up on %s", (_name, organization, expected) => {
  expect(mayBeDelegated(INVITE, organization) !== undefined).toBe(expected);
  expect(mayBeDelegated({ ...INVITE, parts: { member: "m", invites: [] } }, organization)).toBeUndefined();
});

it("says what removes it", () => {
  expect(mayBeDelegated(INVITE, {})).toMatchSnapshot();
});
