import { liftInJson } from "../support/lift.ts";
import { expect, it } from "vitest";
import { describeDialects } from "../support/dialects.ts";
import { applyJson } from "../support/acme.ts";
import { outcomesOf } from "../support/cli.ts";
import { SELF, acme, member, memberships, peopleOf, writes } from "../support/people.ts";

describeDialects("the last owner", (dialect) => {
  // On a deployed server only an owner can lower or invite an owner.
  const self = member(SELF, dialect === "deployed" ? 15 : 8);
  const others = { members: [member("ada@acme.com", 15), member(SELF, 8)] };

  it.each([
    ["lowered", memberships({ "ada@acme.com": { level: "member" } })],
    ["removed", memberships({ "ada@acme.com": { lifecycle: { state: "absent" } } })],
    ["pruned", { exclusive: ["memberships"], ...memberships({ [SELF]: { level: "admin" } }) }],
    ["lowered as a member", { members: { "ada@acme.com": { level: "admin" } } }],
  ])("is never %s", async (_name, declared) => {
    const space = await acme(others, declared);
    const result = await applyJson(space, "--prune");
    expect(result.code).toBe(13);
    expect(outcomesOf(result).changes.flatMap(({ blocked }) => blocked?.rule ?? [])).toEqual(["last_owner"]);
    expect(peopleOf(space).members).toMatchObject({ "ada@acme.com": 15 });
  });

  it("may be removed once another owner exists", async () => {
    const space = await acme(
      { members: [member("ada@acme.com", 15), member("bob@acme.com", 15), self] },
      memberships({ "ada@acme.com": { level: "admin" } }),
    );
    await space.apply();
    expect(peopleOf(space).members).toMatchObject({ "ada@acme.com": 8, "bob@acme.com": 15 });
  });
});

describeDialects("the key's own user", (dialect) => {
  const seed = { members: [member("ada@acme.com", 15), member("bob@acme.com", 8)] };

  it.each([
    ["lowered", memberships({ [SELF]: { level: "admin" } })],
    ["removed", memberships({ [SELF]: { lifecycle: { state: "absent" } } })],
    [
      "pruned",
      {
        exclusive: ["memberships"],
        ...memberships({ "ada@acme.com": { level: "owner" }, "bob@acme.com": { level: "admin" } }),
      },
    ],
    ["lowered as a member", { members: { [SELF]: { level: "member" } } }],
  ])("is never %s, with service.self and without", async (name, declared) => {
    for (const service of [{ self: SELF }, { self: "Owner@Example.com" }, {}]) {
      const space = await acme(seed, declared, { service });
      const result = await applyJson(space, "--prune");
      expect(result.code).toBe(13);
      const rules = outcomesOf(result).changes.flatMap(({ blocked }) => blocked ?? []);
      expect(rules.map(({ rule }) => rule)).toEqual(["own_user"]);
      expect(liftInJson(rules[0])).toMatchSnapshot(JSON.stringify(service));
      expect(writes(space)).toEqual([]);
    }
  });

  it(dialect === "deployed" ? "may be raised, which such a server refuses" : "may be raised", async () => {
    const space = await acme(
      { members: [member("ada@acme.com", 15), member(SELF, 8)] },
      memberships({ [SELF]: { level: "owner" } }),
    );
    const { changes } = await space.apply([], dialect === "deployed" ? 11 : 0);
    expect(changes.at(-1)?.error?.hint).toMatchSnapshot();
    expect(peopleOf(space).members).toMatchObject({ [SELF]: dialect === "deployed" ? 8 : 15 });
  });
});
