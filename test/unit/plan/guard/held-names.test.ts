/** A name that only one domain can have is taken only if its holder gives it up before, in the same plan. */
import { expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { liftOf } from "../../../support/lift.ts";
import { ACME, changeOf, declare, live, plan } from "../world.ts";

const EXCLUSIVE = { exclusive: [{ scope: "acme", kind: "domain" }] } as const;
const GONE = { lifecycle: { state: "absent" } } as const;
const VERIFIED = { is_verified: true, sso_enforcement: "github" };

const domain = (id: string, name: string, more: Partial<Resource> = {}): Resource =>
  declare(`acme/domains/${id}`, { domain: name }, { pin: { field: "id", value: id }, ...more });
const created = (id: string, name: string): Resource => declare(`acme/domains/${id}`, { domain: name });
const TAKER = domain("a", "b.com");

/** The plan where a is a.com, and b is b.com. */
function planned(
  resources: readonly Resource[],
  b: JsonObject = {},
  { prune = false, organization = {}, a = {} }: { prune?: boolean; organization?: JsonObject; a?: JsonObject } = {},
) {
  const rows = [
    { id: "a", domain: "a.com", ...a },
    { id: "b", domain: "b.com", ...b },
  ];
  const world = live({ "domains.list": rows }, {}, { "organizations.list": [{ ...ACME, ...organization }] });
  return plan(resources, world, { prune }, EXCLUSIVE);
}

it.each<[string, readonly Resource[], Readonly<Record<string, string>>]>([
  ["is free if its holder is removed", [TAKER, domain("b", "b.com", GONE)], {}],
  ["is free if its holder gets another one", [TAKER, domain("b", "c.com")], {}],
  ["is free for a new object, too", [TAKER, domain("b", "c.com"), created("n", "a.com")], {}],
  ["is not free in a swap", [TAKER, domain("b", "a.com")], { a: "service_refuses", b: "service_refuses" }],
  ["is not free if its holder keeps it", [TAKER, domain("b", "b.com")], { a: "service_refuses" }],
  [
    "is not free if its holder is changed, and keeps it",
    [TAKER, domain("b", "b.com", { values: { domain: "b.com", jit_provisioning_enabled: true } })],
    { a: "service_refuses" },
  ],
  [
    "is not free if the new one of its holder is ignored",
    [
      TAKER,
      domain("b", "c.com", {
        values: { domain: "c.com", jit_provisioning_enabled: true },
        lifecycle: { ignore: ["domain"] },
      }),
    ],
    { a: "service_refuses" },
  ],
  [
    "is not free if another rule keeps its holder",
    [TAKER, domain("b", "b.com", { lifecycle: { state: "absent", protect: true } })],
    { a: "service_refuses", b: "protect" },
  ],
])("a name %s", (_name, resources, expected) => {
  const { changes } = planned(resources);
  const rules = changes.flatMap(({ address, blocked }) =>
    blocked === null ? [] : [[address.replace("acme/domains/", ""), blocked.rule]],
  );
  expect(Object.fromEntries(rules)).toEqual(expected);
});

it.each<[string, JsonObject, string]>([
  ["renamed", {}, "service_refuses"],
  ["replaced", { is_verified: false }, "replacement_exists"],
])("the name of an undeclared object is free for one that is %s only if that is pruned", (_how, a, rule) => {
  const blockIn = (prune: boolean) => changeOf(planned([TAKER], {}, { prune, a }), TAKER.address).blocked;
  expect(blockIn(false)?.rule).toBe(rule);
  expect(liftOf(blockIn(false))).toMatch(/\bb\b/u);
  expect(blockIn(true)).toBeNull();
});

it("the name of a replacement is not free if a prune leaves its holder alone", () => {
  const rows = [
    { id: "a", domain: "a.com", is_verified: false },
    { id: "b", domain: "b.com" },
  ];
  const { changes } = plan([TAKER], live({ "domains.list": rows }), { prune: true });
  expect(changes).toMatchObject([{ action: "replace", blocked: { rule: "replacement_exists" } }]);
});

it("the holder of a name is named by the address that its prune has", () => {
  expect(liftOf(changeOf(planned([TAKER]), TAKER.address).blocked)).toMatch(/b\.com.*acme\/domains\/id=b/u);
  const declared = planned([TAKER, domain("b", "b.com")]);
  expect(liftOf(changeOf(declared, TAKER.address).blocked)).toMatch(/b\.com.*acme\/domains\/b \(id b\)/u);
});

it.each<[string, boolean, JsonObject, Resource, JsonObject]>([
  ["is verified, and decides how they sign in", true, VERIFIED, domain("b", "b.com", GONE), {}],
  [
    "is one of those that alone let people in",
    true,
    { is_verified: true },
    domain("b", "b.com", GONE),
    { enforce_verified_domains: true },
  ],
  ["is verified, and does not", false, { is_verified: true }, domain("b", "b.com", GONE), {}],
  ["only gets another name", false, VERIFIED, domain("b", "c.com"), {}],
])("people may be locked out by a domain in the place of one that %s", (_name, isBlocked, b, holder, organization) => {
  const made = planned([TAKER, holder], b, { organization });
  const blocks = [TAKER, holder].map(({ address }) => changeOf(made, address).blocked);
  const command = ["driftline", "apply", "--allow-loss", holder.address, "--allow-loss", TAKER.address];
  if (isBlocked) expect(blocks).toMatchObject([TAKER, holder].map(() => ({ rule: "lock_out", command })));
  else expect(blocks).toEqual([null, null]);
  expect(blocks.map(sentencesOf)).toMatchSnapshot();
});
