import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Acceptance, chosenUnmanaged } from "../../../../src/engine/accept/acceptance.ts";
import { ExactNumber } from "../../../../src/model/json/json.ts";
import { undeclaredAddress } from "../../../../src/model/plan.ts";
import { apiError } from "../../apply/support.ts";
import { ACME } from "../../plan/world.ts";
import { acceptIn, driftOf, driftOfOne, previewIn, textIn, type Preview } from "./support.ts";

const FILE = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    enforce_2fa: false
    projects:
      web:
        id: "2"
        insights:
          one: { id: 7, description: a }
          two: { id: 8, description: a, tags: [a] }
`;
const ONE = "acme/projects/web/insights/one";
const TWO = "acme/projects/web/insights/two";
const rowsOf = (one: string, two: string, tags = ["a"]) => [
  { id: 7, short_id: "aaaaaaaa", name: "One", description: one },
  { id: 8, short_id: "bbbbbbbb", name: "Two", description: two, tags },
];
const DRIFT = { "organizations.list": [{ ...ACME, enforce_2fa: true }], "insights.list": rowsOf("b", "b", ["b"]) };

describe("an accepted drift", () => {
  it("is written, named by file, and leaves nothing", async () => {
    const run = await driftOf(FILE, DRIFT);
    expect(await acceptIn(run)).toEqual({
      written: new Map([
        ["driftline.yaml", ["acme/enforce_2fa", `${ONE}/description`, `${TWO}/description`, `${TWO}/tags`]],
      ]),
      left: [],
      diagnostics: [],
    });
    expect(textIn(run)).toBe(
      FILE.replace("false", "true").replaceAll("description: a", "description: b").replace("[a]", "[b]"),
    );
  });

  it.each([
    [[ONE], [ONE], ["acme", TWO]],
    [["acme/projects/web"], [ONE, TWO], ["acme"]],
    [["acme"], ["acme", ONE, TWO], []],
  ])("is limited to %j", async (only, accepted, left) => {
    const preview = await previewIn(await driftOf(FILE, DRIFT), { only });
    const addresses = preview.accepted.map((name) => name.replace(/\/(?:enforce_2fa|description|tags)$/u, ""));
    expect([[...new Set(addresses)], preview.left.map(({ address }) => address)]).toEqual([accepted, left]);
  });

  it.each([
    ["an address where nothing differs", [ONE, TWO], { "insights.list": rowsOf("a", "b") }],
    ["an address that nothing declares", [TWO, `${TWO}o`], DRIFT],
    ["an address that could not be compared", [ONE], { "insights.list": apiError("insights.list", {}) }],
  ])("does not take %s, and writes nothing", async (_name, only, answers) => {
    const run = await driftOf(FILE, answers);
    await expect(acceptIn(run, { only })).rejects.toMatchObject({
      reason: "invalid",
      diagnostics: [{ code: "not_different" }],
    });
    expect(textIn(run)).toBe(FILE);
  });

  it("takes nothing of what could not be read, and says nothing about it", async () => {
    const run = await driftOf(FILE, { ...DRIFT, "insights.list": apiError("insights.list", {}) });
    const { accepted, left, diagnostics } = await previewIn(run);
    expect([accepted, left, diagnostics]).toEqual([["acme/enforce_2fa"], [], []]);
  });

  it("is not written over a change that a person made meanwhile", async () => {
    const run = await driftOf(FILE, DRIFT);
    writeFileSync(join(run.input.config.root, "driftline.yaml"), `${FILE}# mine\n`);
    await expect(acceptIn(run)).rejects.toMatchObject({ reason: "stale", diagnostics: [{ code: "file_changed" }] });
    expect(textIn(run)).toBe(`${FILE}# mine\n`);
  });
});

describe("a live value", () => {
  const ADDRESS = "acme/projects/web/insights/it";
  const DECLARED = "{ id: 7, description: a, tags: [a], query: { a: 1 } }";
  /** Accepts a drift of the tags and of what is given, while one word is a secret. */
  async function acceptAround(values: object, declared = DECLARED): Promise<Preview> {
    const live = { id: 7, short_id: "abcdefgh", name: "S", description: "a", query: { a: 1 }, tags: ["b"], ...values };
    const run = await driftOfOne({ kind: "insight", declared, live: [live] });
    run.input.context.redactor.add("hush-hush");
    return previewIn(run);
  }

  it.each([
    ["that holds a secret", { description: "it is hush-hush" }],
    ["with a secret deep in it", { query: { a: ["hush-hush"] } }],
    ["with a new key that is a secret", { query: { a: 1, "hush-hush": 2 } }],
    ["with a new key that is the name of a secret", { query: { a: 1, api_key: "phx_1" } }],
    ["with a number that YAML cannot hold exactly", { query: { a: new ExactNumber("9007199254740993") } }],
    ["that the configuration would refuse", { description: 5 }],
  ])("%s stays out of the file, and the others are written", async (_name, values) => {
    const { accepted, left, diagnostics, text } = await acceptAround(values);
    expect(text).toContain(DECLARED.replace("tags: [a]", "tags: [b]"));
    expect(accepted).toEqual([`${ADDRESS}/tags`]);
    expect(left.map(({ address }) => address)).toEqual([ADDRESS]);
    expect(diagnostics).toMatchObject([{ severity: "warning", code: "not_accepted", address: ADDRESS, line: 2 }]);
  });

  it("is written below a key that is a secret and stands in the file already", async () => {
    const declared = "{ id: 7, tags: [b], query: { hush-hush: 1 } }";
    const { text, diagnostics } = await acceptAround({ query: { "hush-hush": 2 } }, declared);
    expect([text.includes("{ hush-hush: 2 }"), diagnostics]).toEqual([true, []]);
  });
});

describe("a prepared acceptance", () => {
  const HEAD = "driftline: 1\norganizations:\n  acme:\n";
  const FILES = {
    "a.yaml": `${HEAD}    name: Acme Inc\n    enforce_2fa: false\n`,
    "b.yaml": `${HEAD}    projects: { web: { id: "2", insights: { one: { id: 7, description: a } } } }\n`,
  };

  it("writes nothing, and says what remains after some of its files were written", async () => {
    const run = await driftOf(FILES, DRIFT);
    const acceptance = await Acceptance.prepare(run, run.input.config.root, {});
    const after = (file: string): readonly string[] =>
      acceptance.remainingAfter(acceptance.files.filter((one) => one.file === file)).map(({ address }) => address);
    expect([after("a.yaml"), after("b.yaml"), after("none")]).toEqual([[ONE], ["acme"], ["acme", ONE]]);
    expect([textIn(run, "a.yaml"), textIn(run, "b.yaml")]).toEqual(Object.values(FILES));
  });

  it("counts a difference as remaining if it was not chosen, whatever was written", async () => {
    const run = await driftOf(FILES, DRIFT);
    const acceptance = await Acceptance.prepare(run, run.input.config.root, { only: [ONE] });
    expect(acceptance.remainingAfter(acceptance.files).map(({ address }) => address)).toEqual(["acme"]);
  });
});

const STRAY = { id: 9, short_id: "cccccccc", name: "Stray" };

it("an unmanaged object is chosen by its own address, by what is above it, or by nothing, if it was asked for", async () => {
  const run = await driftOf(FILE, { "insights.list": [...rowsOf("a", "a"), STRAY] }, { unmanaged: true });
  const [one] = run.plan.unmanaged.map(undeclaredAddress);
  if (one === undefined) throw new Error("nothing is unmanaged");
  const chosen = (only: readonly string[]) => chosenUnmanaged(run, only).map(undeclaredAddress);
  expect([chosen([one]), chosen(["acme/projects/web"]), chosen([]), chosen([ONE])]).toEqual([[one], [one], [one], []]);
  expect((await previewIn(run, { only: [one] })).accepted).toEqual([]);
  const { input } = run;
  expect(chosenUnmanaged({ ...run, input: { ...input, unmanaged: false } }, [])).toEqual([]);
});
