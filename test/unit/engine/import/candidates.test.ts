import { describe, expect, it } from "vitest";
import { findImportable } from "../../../../src/engine/import/candidates.ts";
import { secretsOf } from "../../../../src/engine/import/needed-secrets.ts";
import { ExactNumber } from "../../../../src/model/json/json.ts";
import { apiError } from "../../apply/support.ts";
import { loadGood } from "../../config/helpers.ts";
import { ACME } from "../../plan/world.ts";
import { denied, inputOf, serviceOf, type Answers } from "../world.ts";

const WEB = "acme/projects/web";
const B = "018f0000-0000-4000-8000-00000000000b";
const BETA = { id: "b0000000-0000-4000-8000-000000000002", name: "Beta" };
const file = (insights: string, more = ""): string => `driftline: 1
organizations:
  acme:
    name: Acme Inc
    ${more}
    projects: { web: { id: "2", insights: { ${insights} } } }
`;
const insight = (id: number, name: string) => ({ id, short_id: `short${String(id)}`, name });
const LISTED: Answers = { "insights.list": [insight(1, "A"), insight(2, "A"), insight(3, "B")] };

async function find(text: string, answers: Answers, wanted: readonly string[] = []) {
  const service = serviceOf(answers);
  const importable = await findImportable(inputOf(await loadGood(text), service), wanted);
  return {
    ...importable,
    addresses: importable.candidates.map(({ address }) => address),
    codes: importable.diagnostics.map(({ severity, code, address }) => `${severity} ${code} ${address ?? ""}`),
    asked: service.asked,
  };
}

describe("what can be imported", () => {
  it("is what nothing declares, under names that are free", async () => {
    const { candidates, declared, codes } = await find(file("a: { id: 1 }, b: { name: Other }"), LISTED);
    expect(candidates.map(({ address, live, fields }) => [address, live.id, fields])).toEqual([
      [`${WEB}/insights/a-2`, "2", { id: 2, name: "A" }],
      [`${WEB}/insights/b-2`, "3", { id: 3, name: "B" }],
    ]);
    expect(declared).toContainEqual(expect.objectContaining({ address: `${WEB}/insights/a`, id: "1" }));
    expect(codes).toEqual([]);
  });

  it.each([[[]], [[`${WEB}/insights/4`]]])(
    "has a warning about a number that no file holds: wanted %j",
    async (wanted) => {
      const big = new ExactNumber("12345678901234567890");
      const row = { ...insight(4, "C"), query: { kind: "X", list: [{ id: big, v: 1 }] } };
      const { candidates, codes } = await find(file("a: { id: 1 }"), { "insights.list": [row] }, wanted);
      expect(candidates.map(({ fields }) => fields)).toEqual([{ id: 4, name: "C" }]);
      expect(codes).toContain(`warning not_declarable ${WEB}/insights/c`);
    },
  );

  it("is looked for only where that is wanted", async () => {
    const { addresses, collections, asked } = await find(file("a: { id: 1 }"), LISTED, [`${WEB}/insights`]);
    expect(addresses).toEqual([`${WEB}/insights/a-2`, `${WEB}/insights/b`]);
    expect(collections).toEqual([`${WEB}/insights`]);
    expect(asked.toSorted()).toEqual(["insights.list", "organizations.list"]);
  });

  it.each([
    ["to the collection of an address", `${WEB}/insights/3`, [`${WEB}/insights/a-2`, `${WEB}/insights/b`]],
    ["to nothing at another collection", "acme/domains", []],
    [
      "by the list of the organization around it",
      `acme/batch_exports/${B}`,
      ["acme/batch_exports/f", `${WEB}/batch_exports/e`],
    ],
    ["by the list that shows a person", "acme/members/m", ["acme/memberships/eve@acme.com"]],
    ["to people, though no list shows memberships", "acme/memberships", ["acme/memberships/eve@acme.com"]],
    [
      "to a project, though a list around it shows others",
      `${WEB}/batch_exports`,
      [`${WEB}/batch_exports/e`, `${WEB}/batch_exports/g`],
    ],
  ])("is limited %s", async (_name, wanted, addresses) => {
    const exported = { id: B, name: "E", interval: "hour", destination: { type: "NoOp", config: {} } };
    const other = (digit: string, title: string) => ({ ...exported, id: B.replace(/b$/u, digit), name: title });
    const answers = {
      ...LISTED,
      "members.list": [{ id: "m", level: 8, user: { uuid: "u", email: "eve@acme.com" } }],
      "batch_exports.list": [exported, other("f", "F"), other("1", "G")],
      "project_batch_exports.list": [exported, other("1", "G")],
    };
    expect((await find(file("a: { id: 1 }"), answers, [wanted])).addresses).toEqual(addresses);
  });

  it("has new projects with what is in them, and the names of new organizations", async () => {
    const teams = [...ACME.teams, { id: 3, name: "Web" }];
    const answers: Answers = {
      "organizations.list": [{ ...ACME, teams }, BETA],
      "insights.list": ({ project_id: project }) => (project === "3" ? [insight(9, "X")] : [insight(1, "A")]),
    };
    const { addresses, projects, organizations } = await find(file("a: { id: 1 }"), answers);
    expect(projects).toMatchObject([{ address: "acme/projects/web-2", organization: "acme", id: "3", name: "Web" }]);
    expect(addresses).toEqual(["acme/projects/web-2/insights/x"]);
    expect(organizations).toEqual([{ id: BETA.id, title: "Beta" }]);
  });

  it("leaves out expired invites, and says which", async () => {
    const invites = [
      { id: "i", target_email: "old@acme.com", level: 1, is_expired: true },
      { id: "j", target_email: "new@acme.com", level: 1, is_expired: false },
    ];
    const { expired, addresses } = await find(file(""), { "invites.list": invites }, ["acme/invites"]);
    expect([expired, addresses.filter((address) => address.includes("old"))]).toEqual([["old@acme.com"], []]);
    expect((await find(file(""), { "invites.list": invites }, ["acme/domains"])).expired).toEqual([]);
  });
});

describe("what may be declared already", () => {
  it("is not offered: a resource that two objects match may be any of them", async () => {
    const { addresses, codes } = await find(file("a: { name: A }"), LISTED);
    expect(addresses).toEqual([]);
    expect(codes).toEqual([`error ambiguous ${WEB}/insights/a`, `warning not_importable ${WEB}/insights/a`]);
  });

  it("is not offered of a project that the organization around it may declare", async () => {
    const twins = [B, "018f0000-0000-4000-8000-00000000000c"].map((id) => ({
      id,
      name: "E",
      interval: "hour",
      destination: { type: "NoOp", config: {} },
    }));
    const answers = { ...LISTED, "batch_exports.list": twins, "project_batch_exports.list": twins };
    const outer = "batch_exports: { e: { name: E, interval: hour, destination: { type: NoOp, config: {} } } }";
    const { addresses, codes } = await find(file("a: { id: 1 }", outer), answers, [WEB]);
    expect(addresses).toEqual([`${WEB}/insights/a-2`, `${WEB}/insights/b`]);
    expect(codes).toContain("warning not_importable acme/batch_exports/e");
  });

  it("does not include an object that the key cannot see: it is none of those that the list shows", async () => {
    const { addresses } = await find(file("a: { id: 7 }"), { ...LISTED, "insights.get": denied("insights.get") });
    expect(addresses).toEqual([`${WEB}/insights/a-2`, `${WEB}/insights/a-3`, `${WEB}/insights/b`]);
  });
});

it("a list that cannot be read offers nothing, and is an error", async () => {
  const { addresses, codes } = await find(file(""), { ...LISTED, "domains.list": apiError("domains.list", {}) });
  expect(addresses).toEqual([`${WEB}/insights/a`, `${WEB}/insights/a-2`, `${WEB}/insights/b`]);
  expect(codes).toEqual(["error outage acme"]);
});

it("a list that cannot be read has no warning about each resource that may be in it", async () => {
  const answers = { ...LISTED, "insights.list": apiError("insights.list", {}) };
  const { codes } = await find(file("a: { name: A }, b: { name: B }"), answers);
  expect(codes).toEqual(["error outage acme/projects/web"]);
});

describe("a secret of an imported resource", () => {
  const destination = { type: "HTTP", config: { url: "u", token: "***" } };
  const exported = { id: B, name: "E", interval: "hour", destination };

  it("is a reference to a name that the configuration does not use", async () => {
    const token = (name: string) => ({ name, address: `${WEB}/batch_exports/e`, path: "/destination/config/token" });
    const answers = { "project_batch_exports.list": [exported] };
    const { candidates } = await find(file(""), answers, [`${WEB}/batch_exports`]);
    expect(secretsOf(candidates)).toEqual([token("DL_VALUE_E_TOKEN")]);
    const taken = 'o: { name: O, query: { kind: "${secret:DL_VALUE_E_TOKEN}" } }';
    const { candidates: others } = await find(file(taken), answers, [`${WEB}/batch_exports`]);
    expect(secretsOf(others)).toEqual([token("DL_VALUE_E_TOKEN_2")]);
  });

  it("is not one for a resource without any", async () => {
    expect(secretsOf((await find(file(""), LISTED)).candidates)).toEqual([]);
  });
});
