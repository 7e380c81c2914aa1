import { describe, expect, it } from "vitest";
import type { Importable } from "../../../../src/engine/import/candidates.ts";
import { namedInAnswer, selectCandidates, wantedAddress } from "../../../../src/engine/import/select.ts";
import { candidate } from "./candidate.ts";

const WEB = "acme/projects/web";

const A = candidate("insight", WEB, "a", "7", { pins: { id: "7", short_id: "AbcDefgh" } });
const B = candidate("insight", WEB, "b", "8");
const EXPORT = candidate("batch_export", WEB, "e", "018f0000-0000-4000-8000-00000000000a");
const DOMAIN = candidate("domain", "acme", "d", "9");
/** A person is listed as a member, and declared as a membership. */
const ADA = { ...candidate("membership", "acme", "ada@acme.com", "m", { kind: "member" }) };

const IMPORTABLE: Importable = {
  candidates: [A, B, EXPORT, DOMAIN, ADA],
  projects: [{ address: "acme/projects/app", organization: "acme", position: {} }],
  organizations: [],
  expired: [],
  declared: [{ address: `${WEB}/insights/old`, id: "1" }],
  collections: [`${WEB}/insights`, `${WEB}/batch_exports`, "acme/domains", "acme/memberships", "acme/members"],
  comments: new Map(),
  diagnostics: [],
};

const addresses = (...given: readonly string[]): readonly string[] =>
  selectCandidates(IMPORTABLE, given).candidates.map(({ address }) => address);

describe("an argument of an import means", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["the object at an address", [`${WEB}/insights/a`], [A.address]],
    ["everything in a collection", [`${WEB}/insights`], [A.address, B.address]],
    ["everything in a scope", [WEB], [A.address, B.address, EXPORT.address]],
    ["the object with an id", [`${WEB}/insights/8`], [B.address]],
    ["the object with another pin, in any case", [`${WEB}/insights/ABCDEFGH`], [A.address]],
    ["the object with an id, as plans write it", [`${WEB}/insights/id=7`], [A.address]],
    ["an object that the organization lists, too", [`acme/batch_exports/${EXPORT.live.id}`], [EXPORT.address]],
    ["a person by the list that shows the person", ["acme/members/m"], [ADA.address]],
    ["an object with the name that it is to have", [`${WEB}/insights/sign-ups=7`], [`${WEB}/insights/sign-ups`]],
    ["an object only once", [WEB, A.address], [A.address, B.address, EXPORT.address]],
    [
      "with its new name, if it is named twice",
      [WEB, `${WEB}/insights/x=7`],
      [`${WEB}/insights/x`, B.address, EXPORT.address],
    ],
    ["nothing by the beginning of a name", [`${WEB}/insights/old`], []],
  ])("%s", (_name, given, found) => {
    expect(addresses(...given)).toEqual(found);
  });

  it.each([
    ["what is declared", `${WEB}/insights/old`],
    ["what is declared, by its id", `${WEB}/insights/1`],
    ["a collection where everything is declared", "acme/domains"],
    ["a project without anything", "acme/projects/app"],
  ])("nothing but a remark for %s", (_name, given) => {
    const importable = { ...IMPORTABLE, candidates: [A] };
    const { candidates, notes } = selectCandidates(importable, [given]);
    expect([candidates, notes.length]).toEqual([[], 1]);
  });
});

describe("an argument is refused", () => {
  it.each<[string, readonly string[], string]>([
    ["with an id that no list shows", [`${WEB}/insights/77`], "unknown_id"],
    ["with a name for an id that no list shows", [`${WEB}/insights/x=abc`], "unknown_id"],
    ["at an address that nothing has", ["acme/nothing"], "unknown_address"],
    ["with one name for several objects", ["acme/projects/x=web"], "usage"],
    ["with a name that no key can be", [`${WEB}/insights/a b=7`], "invalid_name"],
    ["with a name for a person, whose key is the address", ["acme/members/ada=m"], "invalid_name"],
    ["with a name that is declared", [`${WEB}/insights/old=7`], "duplicate_address"],
    ["with a name that another one gets", [`${WEB}/insights/b=7`, B.address], "duplicate_address"],
    ["with a Terraform id of two parts", [`${WEB}/insights/x=2/7`], "invalid_id"],
  ])("%s", (_name, given, code) => {
    expect(() => selectCandidates(IMPORTABLE, given)).toThrow(
      expect.objectContaining({ reason: "invalid", diagnostics: [expect.objectContaining({ code })] }) as Error,
    );
  });
});

it.each([
  [`${WEB}/insights/sign-ups=7`, `${WEB}/insights/7`],
  [`${WEB}/insights/id=7`, `${WEB}/insights/7`],
  [`${WEB}/insights/a`, `${WEB}/insights/a`],
  ["acme", "acme"],
])("%s asks for the list of %s", (text, address) => {
  expect(wantedAddress(text)).toBe(address);
});

describe("an answer to the list of candidates", () => {
  const twins = { candidates: [A, { ...A, address: "beta/insights/a", live: { ...A.live, id: "70" } }, B] };

  it.each<[string, string, readonly string[]]>([
    ["addresses, as they are", `${A.address} acme/domains/d/`, [A.address, "acme/domains/d"]],
    ["names as they stand in the list", "b", [B.address]],
    ["lines of it, with title and id", `b "A title \\" with id 9" id 8`, [B.address]],
    ["a name that two have, with the id", "a id 70", ["beta/insights/a"]],
    ["what nothing is called", "z", ["z"]],
    ["an object without a title", "b (no name)", [B.address]],
    ["nothing", "  ", []],
  ])("names %s", (_name, answer, found) => {
    expect(namedInAnswer(twins, answer)).toEqual(found);
  });

  it("is refused with a name that two have", () => {
    expect(() => namedInAnswer(twins, "a")).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "ambiguous_name" })] }) as Error,
    );
  });
});
