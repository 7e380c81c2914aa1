import { describe, expect, it } from "vitest";
import { findPins, parseGivenId, withGivenIds, type GivenId } from "../../../../src/engine/pin/pin.ts";
import { apiError } from "../../apply/support.ts";
import { loadGood } from "../../config/helpers.ts";
import { ACME } from "../../plan/world.ts";
import { planned, type Answers } from "../world.ts";

const WEB = "acme/projects/web/insights";
const D = "018f0000-0000-4000-8000-00000000000d";
const FILE = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    domains: { d: { domain: a.com } }
    memberships: { ada@acme.com: { level: admin } }
    projects:
      web:
        name: Web
        insights:
          a: { name: A }
          b: { name: B }
          c: { id: 9, name: C }
`;
const insight = (id: number, name: string) => ({ id, short_id: `short${String(id)}`, name });
const LISTED: Answers = {
  "domains.list": [{ id: D, domain: "a.com" }],
  "members.list": [{ id: "m", level: 8, user: { uuid: "u", email: "ada@acme.com" } }],
  "insights.list": [insight(7, "A"), insight(8, "B"), insight(9, "C")],
};

interface Wish {
  readonly only?: readonly string[];
  readonly given?: readonly GivenId[];
}

/** The pins of files: `ADDRESS=ID`, and the addresses that get none. */
async function pins(text: string, answers: Answers, { only = [], given = [] }: Wish = {}) {
  const config = withGivenIds(await loadGood(text), given);
  const run = await planned("", answers, {
    config,
    options: { only: [...only, ...given.map(({ address }) => address)] },
  });
  const { edits, unpinned } = findPins(run, given, config.graph);
  return {
    edits: edits.map(({ source, value }) => `${source.address}=${Object.values(value as object).join()}`),
    unpinned,
  };
}

describe("an address with an id", () => {
  it.each<[string, GivenId | undefined]>([
    ["acme=7", { address: "acme", id: "7" }],
    [`${WEB}/a=7`, { address: `${WEB}/a`, id: "7" }],
    ["a=b/c=7", { address: "a=b/c", id: "7" }],
    [`${WEB}/a`, undefined],
    [`${WEB}/a=`, undefined],
    ["=7", undefined],
    [`${WEB}/=7`, undefined],
    ["a=b=7", undefined],
    ["a=b/7", undefined],
  ])("%s", (text, id) => {
    expect(parseGivenId(text)).toEqual(id);
  });
});

describe("the id of what was found by its name", () => {
  it("is pinned, numbers as numbers, and before the other members", async () => {
    const run = await planned(FILE, LISTED);
    const { edits } = findPins(run, [], run.input.config.graph);
    expect(edits.map(({ source, value }) => [source.address, value])).toEqual([
      ["acme", { id: ACME.id }],
      ["acme/domains/d", { id: D }],
      [`${WEB}/a`, { id: 7 }],
      [`${WEB}/b`, { id: 8 }],
      ["acme/projects/web", { id: "2" }],
    ]);
    expect(
      edits.every(({ add, first, path, at }) => add === true && first === true && path === "" && at.line !== undefined),
    ).toBe(true);
  });

  it.each<[Wish, readonly string[]]>([
    [{ only: [`${WEB}/b`] }, [`${WEB}/b=8`]],
    [{ only: ["acme/projects/web"] }, [`${WEB}/a=7`, `${WEB}/b=8`, "acme/projects/web=2"]],
    [{ given: [{ address: "acme/projects/web", id: "2" }] }, ["acme/projects/web=2"]],
    [{ given: [{ address: "acme", id: ACME.id }] }, [`acme=${ACME.id}`]],
    [{ given: [{ address: `${WEB}/a`, id: "7" }], only: [`${WEB}/b`] }, [`${WEB}/a=7`, `${WEB}/b=8`]],
  ])("is limited to what is asked for: %j", async (wish, edits) => {
    expect((await pins(FILE, LISTED, wish)).edits).toEqual(edits);
  });

  it.each([
    ["new", "insights: { it: { name: New } }", { "insights.list": [] }],
    ["to be removed", "insights: { it: { name: A, lifecycle: { state: absent } } }", LISTED],
    ["left alone", "insights: { it: { name: A, lifecycle: { forget: true } } }", LISTED],
    [
      "to be replaced",
      "batch_exports: { it: { name: E, interval: hour, destination: { type: NoOp, config: {} } } }",
      {
        "project_batch_exports.list": [
          { id: D, name: "E", interval: "hour", destination: { type: "HTTP", config: {} } },
        ],
      },
    ],
    ["not identified by an id", "insights: {} } }, memberships: { ada@acme.com: { level: admin", LISTED],
    [
      "in the place of another object",
      "insights: {} } }, invites: { it: { target_email: ada@acme.com",
      { ...LISTED, "invites.list": [] },
    ],
  ])("is not pinned if it is %s", async (_name, declared, answers) => {
    const text = `driftline: 1\norganizations: { acme: { id: ${ACME.id}, projects: { web: { id: "2", ${declared} } } } }\n`;
    const { edits, unpinned } = await pins(text, answers);
    expect([edits, unpinned.length]).toEqual([[], 1]);
    expect(unpinned[0]?.reason).toMatchSnapshot();
  });
});

describe("a given id", () => {
  const a = (id: string): GivenId => ({ address: `${WEB}/a`, id });
  const renamed: Answers = { ...LISTED, "insights.list": [insight(7, "Other"), insight(8, "B"), insight(9, "C")] };

  it("is pinned though its object has another name by now", async () => {
    expect((await pins(FILE, renamed, { given: [a("7")] })).edits).toEqual([`${WEB}/a=7`]);
  });

  it("may be of an object whose name another resource once had", async () => {
    const text = FILE.replace("{ name: A }", "{ name: New, lifecycle: { renamed_from: B } }");
    const given = [{ address: `${WEB}/b`, id: "8" }];
    expect((await pins(text, LISTED, { given })).edits).toEqual([`${WEB}/b=8`]);
  });

  it("may be of an object that exchanged its name with another one that is given", async () => {
    const given = [a("8"), { address: `${WEB}/b`, id: "7" }];
    expect((await pins(FILE, LISTED, { given })).edits).toEqual([`${WEB}/a=8`, `${WEB}/b=7`]);
  });

  it.each<[name: string, text: string, given: readonly GivenId[], answers: Answers, code: string]>([
    ["no list shows", FILE, [a("77")], LISTED, "unknown_id"],
    ["another resource has by its name", FILE, [a("8")], LISTED, "unknown_id"],
    ["another resource has by its pin", FILE, [a("9")], LISTED, "unknown_id"],
    [
      "another resource was renamed from",
      FILE.replace("name: B", "name: New, lifecycle: { renamed_from: Other }"),
      [a("7")],
      renamed,
      "unknown_id",
    ],
    ["cannot be an id of its kind", FILE, [a("x")], LISTED, "invalid_id"],
    ["is of what is pinned already", FILE, [{ address: `${WEB}/c`, id: "9" }], LISTED, "duplicate_pin"],
    [
      "is of a project that is pinned already",
      FILE.replace("name: Web", 'id: "2"'),
      [{ address: "acme/projects/web", id: "2" }],
      LISTED,
      "duplicate_pin",
    ],
    ["is of what is not declared", FILE, [{ address: `${WEB}/z`, id: "7" }], LISTED, "unknown_address"],
    ["could not be compared", FILE, [a("7")], { "insights.list": apiError("insights.list", {}) }, "not_compared"],
    [
      "another project has",
      FILE.replace("    projects:\n", '    projects:\n      app: { id: "2" }\n'),
      [{ address: "acme/projects/web", id: "2" }],
      LISTED,
      "duplicate_scope",
    ],
  ])("is refused if it %s", async (_name, text, given, answers, code) => {
    await expect(pins(text, answers, { given })).rejects.toMatchObject({ diagnostics: [{ code }] });
  });

  it("is refused if no organization lists the project, though its id would be trusted", async () => {
    const { teams: _teams, ...organization } = ACME;
    const given = [{ address: "acme/projects/web", id: "2" }];
    const answers = { ...LISTED, "organizations.list": [organization] };
    await expect(pins(FILE, answers, { given })).rejects.toMatchObject({ diagnostics: [{ code: "unknown_id" }] });
  });

  it("is refused before anything is read if nothing is declared at its address", async () => {
    const config = await loadGood(FILE);
    expect(() => withGivenIds(config, [{ address: `${WEB}/z`, id: "7" }])).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "unknown_address" })] }) as Error,
    );
  });

  it("changes nothing but the pin", async () => {
    const config = await loadGood(FILE);
    expect(withGivenIds(config, [])).toBe(config);
    const { graph } = withGivenIds(config, [a("7"), { address: "acme/projects/web", id: "2" }]);
    const changed = graph.resources.filter((one, index) => one !== config.graph.resources[index]);
    expect(changed.map(({ address, pin }) => [address, pin])).toEqual([[`${WEB}/a`, { field: "id", value: "7" }]]);
    expect(graph.projects.map(({ id }) => id)).toEqual(["2"]);
  });
});
