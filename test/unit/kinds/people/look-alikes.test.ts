import { expect, it } from "vitest";
import { lookAlikes } from "../../../../src/kinds/access.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { Unmanaged } from "../../../../src/model/plan.ts";
import type { Resource } from "../../../../src/model/resource.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { declare, graphOf, live, OPTIONS } from "../../plan/world.ts";
import { makePlan } from "../../../../src/plan/make-plan.ts";

const people = (...emails: readonly string[]): readonly Unmanaged[] =>
  emails.map((key, id) => ({ kind: "membership", scope: "acme", id: String(id), key }));

const OTHERS = ["ada@acme.com", "bob@acme.com", "carol@acme.com"];

/** What is said of unmanaged people, beside an organization without domains. */
const said = (unmanaged: readonly Unmanaged[]) => lookAlikes(graphOf([]), { changes: [], unmanaged }, worldOf());

it.each<[string, readonly Unmanaged[], number]>([
  ["one letter left out", people(...OTHERS, "eve@acme.co"), 1],
  ["two letters swapped", people(...OTHERS, "eve@amce.com"), 1],
  ["two letters that are read as one", people(...OTHERS, "eve@acrne.com"), 1],
  ["a digit that is read as a letter", people("a@loop.io", "b@loop.io", "c@loop.io", "eve@l00p.io"), 1],
  ["the same in capitals", people(...OTHERS, "eve@ACME.com"), 0],
  ["another domain", people(...OTHERS, "eve@partner.example"), 0],
  ["a part of the same domain", people(...OTHERS, "eve@eu.acme.com"), 0],
  ["too few people to have one in common", people("ada@acme.com", "eve@acme.co"), 0],
])("%s", (_name, unmanaged, count) => {
  const found = said(unmanaged);
  expect(found.map(({ code, address }) => [code, address])).toEqual(
    count === 0 ? [] : [["look_alike_domain", "acme/memberships/id=3"]],
  );
});

const member = (email: string) => ({ id: email, level: 1, user: { uuid: email, email } });
const corp = declare("acme/domains/corp", { domain: "acme.com" });
const other = declare("acme/domains/other", { domain: "acrne.com" });
const gone = { state: "absent" } as const;

/** What is said of an organization with a domain acrne.com, and people of acme.com and acrne.com. */
function about(resources: readonly Resource[], domain: { readonly is_verified?: boolean } = { is_verified: true }) {
  const graph = graphOf(resources);
  const snapshot = live({
    "domains.list": [{ id: "d", domain: "acrne.com", ...domain }],
    "members.list": [...OTHERS, "eve@acrne.com"].map(member),
    "invites.list": [],
  });
  return lookAlikes(graph, makePlan(graph, snapshot, OPTIONS).plan, worldOf(snapshot));
}

const EVE = "acme/memberships/id=eve@acrne.com";

it.each<[string, readonly Resource[], { readonly is_verified?: boolean }, readonly string[]]>([
  ["no domain of its own if another one is declared", [corp], { is_verified: true }, [EVE, "acme/domains/id=d"]],
  ["its own if it is declared", [corp, other], { is_verified: true }, []],
  ["not its own if it is declared to go", [corp, { ...other, lifecycle: gone }], { is_verified: true }, [EVE]],
  ["its own if none is declared and it is verified", [], { is_verified: true }, ["acme/domains/id=d"]],
  ["not its own before it is verified", [], { is_verified: false }, [EVE, "acme/domains/id=d"]],
  ["not its own if that is not shown", [], {}, [EVE, "acme/domains/id=d"]],
])("an organization has a domain that is %s", (_name, resources, domain, expected) => {
  const addresses = about(resources, domain).map(({ address = "" }) => address);
  expect(addresses.filter((address) => !address.startsWith("acme/members/"))).toEqual(expected);
});

it("says what an undeclared domain is taken for, and what to do", () => {
  expect(sentencesOf(about([corp]))).toMatchSnapshot();
});

it("says nothing of a person who is declared absent and is gone", () => {
  const eve = (lifecycle: Resource["lifecycle"]) => declare("acme/memberships/eve@acme.co", {}, { lifecycle });
  const codes = (lifecycle: Resource["lifecycle"]) => {
    const graph = graphOf([corp, eve(lifecycle)]);
    const snapshot = live({ "members.list": OTHERS.map(member), "invites.list": [] });
    return lookAlikes(graph, makePlan(graph, snapshot, OPTIONS).plan, worldOf(snapshot)).map(({ code }) => code);
  };
  expect(codes(gone)).toEqual([]);
  expect(codes({})).toEqual(["look_alike_domain"]);
});
