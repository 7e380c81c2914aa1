import { expect, it } from "vitest";
import { lookAlikes } from "../../../../src/kinds/access.ts";
import type { Unmanaged } from "../../../../src/model/plan.ts";

const people = (...emails: readonly string[]): readonly Unmanaged[] =>
  emails.map((key, id) => ({ kind: "membership", scope: "acme", id: String(id), key }));

const OTHERS = ["ada@acme.com", "bob@acme.com", "carol@acme.com"];
const DOMAIN: Unmanaged = { kind: "domain", scope: "acme", id: "d", key: "acme.co" };

it.each<[string, readonly Unmanaged[], number]>([
  ["one letter left out", people(...OTHERS, "eve@acme.co"), 1],
  ["two letters swapped", people(...OTHERS, "eve@amce.com"), 1],
  ["two letters that are read as one", people(...OTHERS, "eve@acrne.com"), 1],
  ["a digit that is read as a letter", people("a@loop.io", "b@loop.io", "c@loop.io", "eve@l00p.io"), 1],
  ["the same in capitals", people(...OTHERS, "eve@ACME.com"), 0],
  ["another domain", people(...OTHERS, "eve@partner.example"), 0],
  ["a part of the same domain", people(...OTHERS, "eve@eu.acme.com"), 0],
  ["a domain of the organization", [...people(...OTHERS, "eve@acme.co"), DOMAIN], 0],
  ["too few people to have one in common", people("ada@acme.com", "eve@acme.co"), 0],
])("%s", (_name, unmanaged, count) => {
  const found = lookAlikes([], unmanaged);
  expect(found.map(({ code, address }) => [code, address])).toEqual(
    count === 0 ? [] : [["look_alike_domain", "acme/memberships/id=3"]],
  );
});
