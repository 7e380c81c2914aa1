import { expect, it } from "vitest";
import { undeclaredRights } from "../../../../src/kinds/people/undeclared-rights.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import { makePlan } from "../../../../src/plan/make-plan.ts";
import { declare, graphOf, live, OPTIONS } from "../../plan/world.ts";

const member = (email: string, level: number | string) => ({ id: email, level, user: { uuid: email, email } });
const invite = (email: string, level: number) => ({ id: email, level, target_email: email });
const ADA = declare("acme/memberships/ada@acme.com", { level: 15 });
const CORP = declare("acme/domains/corp", { domain: "acme.com" });

const people = {
  "members.list": [
    member("ada@acme.com", 15),
    member("bob@acme.com", 1),
    member("max@acme.com", 8),
    member("zoe@acme.com", "?"),
  ],
  "invites.list": [invite("eve@acme.com", 15), invite("tim@acme.com", 1)],
};

/** The ids of undeclared people who are a difference. */
function differing(resources: readonly (typeof ADA)[], only: readonly string[] = [], self?: string) {
  const graph = { ...graphOf(resources), service: { self } };
  const world = worldOf(live(people));
  const { plan } = makePlan(graph, world, { ...OPTIONS, only });
  const found = undeclaredRights(graph, { ...plan, options: { ...plan.options, only } }, world);
  expect(new Set(found.map(({ code, severity }) => `${severity} ${code}`)).size).toBeLessThan(2);
  for (const { message, address = "" } of found) expect(message).toContain(address.replace(/^.*id=/u, ""));
  return found.map(({ address = "" }) => address.replace(/^.*id=/u, "")).toSorted();
}

it("names undeclared owners and admins, also those who are only invited or have an unknown level", () => {
  expect(differing([ADA])).toEqual(["eve@acme.com", "max@acme.com", "zoe@acme.com"]);
});

it("says nothing where nobody is declared who has such a level", () => {
  expect(differing([CORP])).toEqual([]);
  expect(differing([declare("acme/memberships/bob@acme.com", { level: 1 })])).toEqual([]);
});

it("says nothing outside of --only", () => {
  expect(differing([ADA], ["acme/memberships/ada@acme.com"])).toEqual([]);
});

it("says nothing of the user of the key, whom the files name", () => {
  expect(differing([ADA], [], "Zoe@acme.com")).toEqual(["eve@acme.com", "max@acme.com"]);
});

it("says nothing of who is left to others", () => {
  const forgotten = ["eve", "max", "zoe"].map((name) =>
    declare(`acme/memberships/${name}@acme.com`, {}, { lifecycle: { forget: true } }),
  );
  expect(differing([ADA, ...forgotten])).toEqual([]);
});
