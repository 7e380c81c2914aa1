import { expect, it } from "vitest";
import { lookAlikes, namedIn } from "../../../../src/kinds/people/look-alikes.ts";
import { reviewPeople } from "../../../../src/kinds/people/plan-review.ts";
import { worldOf } from "../../../../src/kinds/world.ts";
import type { Unmanaged } from "../../../../src/model/plan.ts";
import type { DesiredGraph, Resource } from "../../../../src/model/resource.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { declare, graphOf, live, OPTIONS } from "../../plan/world.ts";
import { makePlan } from "../../../../src/plan/make-plan.ts";

const people = (...emails: readonly string[]): readonly Unmanaged[] =>
  emails.map((key, id) => ({ kind: "membership", scope: "acme", id: String(id), key }));

const OTHERS = ["ada@acme.com", "bob@acme.com", "carol@acme.com"];

/** What is said of unmanaged people, beside an organization without domains. */
const said = (unmanaged: readonly Unmanaged[]) =>
  lookAlikes(namedIn(graphOf([]), { changes: [], unmanaged }, worldOf()));

it.each<[string, readonly Unmanaged[], number]>([
  ["one letter left out", people(...OTHERS, "eve@acme.co"), 1],
  ["two letters swapped", people(...OTHERS, "eve@amce.com"), 1],
  ["two letters that are read as one", people(...OTHERS, "eve@acrne.com"), 1],
  ["a digit that is read as a letter", people("a@loop.io", "b@loop.io", "c@loop.io", "eve@l00p.io"), 1],
  ["a letter of another alphabet", people(...OTHERS, "eve@\u0430cme.com"), 1],
  ["the same, as the network writes it", people(...OTHERS, "eve@xn--cme-5cd.com"), 1],
  ["the domain as the beginning of another", people(...OTHERS, "eve@acme.com.evil.example"), 1],
  ["the address of somebody else with such a letter", people(...OTHERS, "\u0430da@acme.com"), 1],
  ["with a letter that is read as another", people(...OTHERS, "caro1@acme.com"), 1],
  ["with a capital i for a small L", people(...OTHERS, "caroi@acme.com"), 1],
  ["only one letter from it", people(...OTHERS, "bobo@acme.com"), 0],
  ["the same person in capitals", people(...OTHERS, "ADA@acme.com"), 0],
  ["the same in capitals", people(...OTHERS, "eve@ACME.com"), 0],
  ["another domain", people(...OTHERS, "eve@partner.example"), 0],
  ["a part of the same domain", people(...OTHERS, "eve@eu.acme.com"), 0],
  ["too few people to have one in common", people("ada@acme.com", "eve@acme.co"), 0],
])("%s", (_name, unmanaged, count) => {
  const found = said(unmanaged);
  expect(found.map(({ code, address }) => [code, address])).toEqual(
    count === 0 ? [] : [["look_alike", "acme/memberships/id=3"]],
  );
});

const member = (email: string) => ({ id: email, level: 1, user: { uuid: email, email } });
const corp = declare("acme/domains/corp", { domain: "acme.com" });
const other = declare("acme/domains/other", { domain: "acrne.com" });
const gone = { state: "absent" } as const;

/** What is said of an organization with a domain acrne.com, and people of acme.com and acrne.com. */
function about(resources: readonly Resource[], domain: { readonly is_verified?: boolean } = { is_verified: true }) {
  const graph = graphOf(resources);
  const world = live({
    "domains.list": [{ id: "d", domain: "acrne.com", ...domain }],
    "members.list": [...OTHERS, "eve@acrne.com"].map(member),
    "invites.list": [],
  });
  return lookAlikes(namedIn(graph, makePlan(graph, world, OPTIONS).plan, worldOf(world)));
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

it.each<[string, string, readonly string[]]>([
  ["that looks like another one", "acmee.com", ["acme/domains/evil"]],
  ["that looks like none", "partner.example", []],
])("a new domain %s", (_name, domain, expected) => {
  const graph = graphOf([corp, declare("acme/domains/evil", { domain })]);
  const world = live({ "domains.list": [{ id: "d", domain: "acme.com", is_verified: true }] });
  const found = lookAlikes(namedIn(graph, makePlan(graph, world, OPTIONS).plan, worldOf(world)));
  expect(found.map(({ address }) => address)).toEqual(expected);
  expect(sentencesOf(found)).toMatchSnapshot();
});

it("says what an undeclared domain is taken for, and what to do", () => {
  expect(sentencesOf(about([corp]))).toMatchSnapshot();
});

const IDA = "id\u0430.lund@acme.com";
const SAID = String.raw`id\u0430.lund@acme.com looks like ida.lund@acme.com`;
const ida = (email: string) => declare(`acme/memberships/${email}`, { level: 1 });

it.each<[string, readonly Resource[], readonly string[], readonly string[]]>([
  ["who is invited", [ida(IDA)], ["ida.lund@acme.com"], [SAID]],
  ["who is not declared", [ida("ida.lund@acme.com")], [IDA, "ida.lund@acme.com"], [SAID]],
  ["nobody who is declared and does not change", [ida("ida.lund@acme.com"), ida(IDA)], ["ida.lund@acme.com", IDA], []],
  ["nobody of somebody who is gone", [{ ...ida(IDA), lifecycle: gone }], ["ida.lund@acme.com"], []],
])("of two people who look alike, it names %s", (_name, resources, others, expected) => {
  const graph = graphOf([corp, ...resources]);
  const world = live({ "members.list": [...OTHERS, ...others].map(member), "invites.list": [] });
  const { plan } = makePlan(graph, world, OPTIONS);
  const unmanaged = plan.unmanaged.filter(({ kind }) => kind === "membership");
  const found = lookAlikes(namedIn(graph, { ...plan, unmanaged }, worldOf(world)));
  expect(found.map(({ message }) => message)).toEqual(expected.map((text) => expect.stringContaining(text)));
});

const eve = (values: Resource["values"], lifecycle: Resource["lifecycle"] = {}) =>
  declare("acme/memberships/eve@acme.co", values, { lifecycle });

it.each<[string, readonly Resource[], readonly string[], number]>([
  ["says nothing of who is declared absent and is gone", [eve({}, gone)], [], 0],
  ["warns of who is invited", [eve({ level: 1 })], [], 1],
  ["says nothing of who is declared and does not change", [eve({ level: 1 })], ["eve@acme.co"], 0],
  ["warns of who is promoted", [eve({ level: 8 })], ["eve@acme.co"], 1],
])("%s", (_name, resources, others, count) => {
  const graph = graphOf([corp, ...resources]);
  const world = live({ "members.list": [...OTHERS, ...others].map(member), "invites.list": [] });
  const { plan } = makePlan(graph, world, OPTIONS);
  const unmanaged = plan.unmanaged.filter(({ kind }) => kind === "membership");
  const found = lookAlikes(namedIn(graph, { ...plan, unmanaged }, worldOf(world)));
  expect(found.map(({ code }) => code)).toEqual(Array.from({ length: count }, () => "look_alike"));
});

it("marks who is removed or undeclared, and not of the organization's own domains", () => {
  const emails = [...OTHERS, "eve@acrne.com", "max@partner.example"];
  const world = live({ "members.list": emails.map(member), "invites.list": [] });
  const domains = (exclusive: DesiredGraph["exclusive"]) => {
    const graph = graphOf([corp], { exclusive });
    const { plan } = makePlan(graph, world, OPTIONS);
    const changes = plan.changes.map((change) => ({ ...change, removes: [] }));
    const { plan: marked } = reviewPeople(graph, { ...plan, changes }, worldOf(world));
    const values = [
      ...marked.changes.flatMap(({ removes }) => removes),
      ...marked.unmanaged.flatMap((one) => one.about ?? []),
    ];
    return values.flatMap((one) => (one?.path === "/address_domain" ? one.value : []));
  };
  expect(domains([{ scope: "acme", kind: "membership" }])).toEqual(["looks like acme.com", "outside"]);
  expect(new Set(domains([]))).toEqual(new Set(["looks like acme.com", "outside"]));
});
