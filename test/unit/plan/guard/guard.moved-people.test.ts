import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { budget } from "../../../support/budget.ts";
import { changeOf, declare, live, plan } from "../world.ts";

interface Person {
  readonly local: string;
  readonly first: string;
  readonly last: string;
  readonly level: number;
}

const LOCALS = ["ada", "ada.lovelace", "Ada+work", "bob", "bobby.tables", "eve"];
const level = fc.constantFrom(1, 8, 15);
const member: fc.Arbitrary<Person> = fc.record({
  local: fc.constantFrom(...LOCALS),
  first: fc.constantFrom("", "Ada", "Bob", "Zoë"),
  last: fc.constantFrom("", "Lovelace"),
  level,
});
const invite = fc.record({ local: fc.constantFrom(...LOCALS, "zoe"), level, isOther: fc.boolean() });

const world = fc.record({
  members: fc.uniqueArray(member, { maxLength: 4, selector: ({ local }) => local.toLowerCase() }),
  invites: fc.uniqueArray(invite, { maxLength: 4, selector: ({ local }) => local.toLowerCase() }),
  isExclusive: fc.boolean(),
  collection: fc.constantFrom("memberships", "invites"),
});

const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[@+].*/u, "")
    .replaceAll(/[^a-zë]/gu, "")
    .replaceAll("ë", "e");

describe("a member that nothing declares, and an invite to be sent, of one level", () => {
  it("are one person if their names agree, or if exactly one of each is there, and then both are blocked", () => {
    fc.assert(
      fc.property(world, ({ members, invites, isExclusive, collection }) => {
        const rows = members.map(({ local, first, last, level: of }, index) => ({
          id: `m${String(index)}`,
          level: of,
          user: { uuid: `u${String(index)}`, email: `${local}@new.com`, first_name: first, last_name: last },
        }));
        const declared = invites.map(({ local, level: of, isOther }, index) => {
          const lifecycle = isOther ? { lifecycle: { create: true } } : {};
          const email = `${local}@old.com`;
          return collection === "memberships"
            ? declare(`acme/memberships/${email}`, { level: of }, lifecycle)
            : declare(`acme/invites/i${String(index)}`, { level: of, target_email: email }, lifecycle);
        });
        const exclusive = isExclusive ? [{ scope: "acme", kind: "membership" as const }] : [];
        const made = plan(
          declared,
          live({ "members.list": rows, "invites.list": [] }),
          { prune: true },
          { exclusive, service: { self: "key@acme.com" } },
        );
        const counted = invites.filter(({ isOther }) => !isOther);
        const same = new Set<string>();
        for (const [index, { local, level: of, isOther }] of invites.entries()) {
          const near = members.filter((one) => one.level === of);
          const alike = near.filter((one) =>
            [one.local, `${one.first}${one.last}`].some((name) => plain(name) === plain(local)),
          );
          const isOnly = isExclusive && near.length === 1 && counted.filter((one) => one.level === of).length === 1;
          const isMoved = !isOther && (alike.length > 0 || isOnly);
          const change = changeOf(made, declared[index]?.address ?? "");
          expect([change.action, change.blocked?.rule ?? null]).toEqual([
            "create",
            isMoved ? "forgotten_rename" : null,
          ]);
          const [found] = alike.length > 0 ? alike : near;
          if (!isMoved || found === undefined) continue;
          same.add(found.local);
          expect(change.blocked?.lift).toContain(`${found.local}@new.com`.toLowerCase());
        }
        for (const change of made.changes.filter(({ action }) => action === "delete")) {
          const { local = "" } = members.find((one) => `${one.local}@new.com`.toLowerCase() === change.work?.key) ?? {};
          expect(change.blocked?.rule === "forgotten_rename").toBe(same.has(local));
        }
      }),
      { numRuns: budget(2000) },
    );
  });
});

const MEMBERS = { scope: "acme", kind: "membership" } as const;
const person = (email: string, first = "", of = 1) => ({
  id: email,
  level: of,
  user: { uuid: email, email, first_name: first },
});
const invites = (name: string, email: string, values = {}, lifecycle = {}) =>
  declare(`acme/invites/${name}`, { target_email: email, ...values }, { lifecycle });

/** What a plan does beside members that nothing declares. */
const beside = (members: readonly JsonObject[], resource: Resource, isExclusive: boolean) =>
  plan(
    [resource],
    live({ "members.list": members, "invites.list": [] }),
    { prune: true },
    { exclusive: isExclusive ? [MEMBERS] : [], service: { self: "key@acme.com" } },
  );

it("each of the two changes names the other person, and the command that takes the new address", () => {
  const ada = declare("acme/memberships/ada@old.com", { level: 1 });
  const { changes } = beside([person("ada@new.com")], ada, true);
  const removal = "acme/memberships/id=ada@new.com";
  const accept = ["driftline", "drift", "--accept", "--only", ada.address];
  const liftFor = (other: string): unknown =>
    expect.stringMatching(new RegExp(`${other}.*lifecycle.create.*${ada.address}`, "u"));
  expect(changes).toMatchObject([
    {
      action: "create",
      blocked: { command: accept, lift: liftFor("ada@new.com") },
      work: { moved: { address: removal, email: "ada@new.com" } },
    },
    {
      action: "delete",
      blocked: { command: accept, lift: liftFor("ada@old.com") },
      work: { moved: { address: ada.address, email: "ada@old.com" } },
    },
  ]);
  // Nothing removes the member, so the address is the one that a prune would have.
  expect(beside([person("ada@new.com")], ada, false).changes).toMatchObject([
    { work: { moved: { address: removal } } },
  ]);
});

it.each<[string, boolean, readonly JsonObject[], Resource]>([
  ["has the key of an invite as its name", true, [person("ada@new.com")], invites("ada", "x@old.com")],
  ["has the name before the sign of an address", true, [person("Ada.L+x@new.com")], invites("x", "adal@old.com")],
  ["has a name with an accent", true, [person("x@new.com", "Zoë")], invites("x", "zoe@old.com")],
  ["has another level than the default", false, [person("ada@new.com", "", 8)], invites("ada", "x@old.com")],
  ["has no letter in its address, as the other one", false, [person("-@new.com")], invites("x", "+@old.com")],
  ["is declared to be another one", false, [person("ada@new.com")], invites("ada", "x@old.com", {}, { create: true })],
])("a member who %s may be the one who is invited: %s", (_name, isMoved, members, resource) => {
  const [change] = beside(members, resource, false).changes;
  expect(change?.blocked?.rule).toBe(isMoved ? "forgotten_rename" : undefined);
});

it.each(["invite", "domain"] as const)(
  "the only member of a level is not taken for the invited one if only a %s goes",
  (kind) => {
    const listed = live({ "members.list": [person("eve@new.com")], "invites.list": [], "domains.list": [] });
    const { changes } = plan(
      [invites("x", "x@old.com")],
      listed,
      { prune: true },
      { exclusive: [{ scope: "acme", kind }] },
    );
    expect(changes).toMatchObject([{ action: "create", blocked: null }]);
  },
);

it.each<[string, readonly JsonObject[], readonly JsonObject[]]>([
  ["are two", [person("eve@new.com"), person("zed@new.com")], []],
  ["is only invited", [], [{ id: "i", target_email: "eve@new.com", level: 1, is_expired: false }]],
])("nobody of a level is taken for the invited one if who nothing declares %s", (_name, members, pending) => {
  const { changes } = plan(
    [invites("x", "x@old.com")],
    live({ "members.list": members, "invites.list": pending }),
    { prune: false },
    { exclusive: [MEMBERS], service: { self: "key@acme.com" } },
  );
  expect(changes[0]).toMatchObject({ action: "create", blocked: null });
});
