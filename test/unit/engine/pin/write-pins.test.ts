import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writePins } from "../../../../src/engine/pin/write-pins.ts";
import type { PlannedRun } from "../../../../src/engine/plan/plan-config.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { Outcome } from "../../../../src/model/outcome.ts";
import type { PlanOptions } from "../../../../src/model/plan.ts";
import { apiError } from "../../apply/support.ts";
import { loadGood } from "../../config/helpers.ts";
import { planned, type Answers } from "../world.ts";

const OLD = "018f0000-0000-4000-8000-00000000000a";
const NEW = "018f0000-0000-4000-8000-00000000000b";
const project = (text: string): string =>
  `driftline: 1\norganizations: { acme: { name: Acme Inc, projects: { web: { id: "2", ${text} } } } }\n`;
const insight = (text: string): string => project(`insights: { it: { ${text} } }`);
const exported = (pin: string): string =>
  project(`batch_exports: { it: { ${pin}name: E, interval: hour, destination: { type: NoOp, config: {} } } }`);
const HTTP: Answers = {
  "project_batch_exports.list": [{ id: OLD, name: "E", interval: "hour", destination: { type: "HTTP", config: {} } }],
};

/** The run of a plan, and its outcome for the resource `it`. */
async function ended(text: string, answers: Answers, outcome: Partial<Outcome>, options: Partial<PlanOptions> = {}) {
  const run = await planned(text, answers, { options });
  return { run, outcomes: [outcomeOf(run, outcome)] };
}

function outcomeOf(run: PlannedRun, outcome: Partial<Outcome>): Outcome {
  const change = run.plan.changes.find(({ address }) => address.endsWith("/it"));
  if (change === undefined) throw new Error("it is not planned");
  const { work: _work, ...shown } = change;
  return { ...shown, status: "applied", error: null, requests: 1, ...outcome };
}

type Ended = Awaited<ReturnType<typeof ended>>;

const textOf = ({ input }: PlannedRun): string => readFileSync(join(input.config.root, "driftline.yaml"), "utf8");

async function written({ run, outcomes }: Ended, which: "outdated" | "all") {
  const { written: files, diagnostics } = await writePins(run, outcomes, run.input.config.root, which);
  return {
    text: textOf(run),
    addresses: files.flatMap(({ addresses }) => addresses.map((one) => one.split("/").at(-1))),
    codes: diagnostics.map(({ severity, code, address }) => `${severity} ${code} ${address?.split("/").at(-1) ?? ""}`),
  };
}

describe("the pin of an object that an apply made", () => {
  const NOTHING = { "insights.list": [] };

  const A = insight("name: A");
  const PINNED = exported(`id: ${OLD}, `);
  const REPLACED = exported(`id: ${NEW}, `);
  const EXPORT = ["acme/projects/web/batch_exports/it"];
  const AGAIN = { recreate: ["acme/projects/web/insights/it"] };

  type Given = Partial<Outcome> & Partial<PlanOptions>;
  it.each<[name: string, text: string, answers: Answers, given: Given, which: "outdated" | "all", becomes: string]>([
    ["is written if all are", A, NOTHING, { id: "7" }, "all", insight("id: 7, name: A")],
    ["is not if only outdated ones are", A, NOTHING, { id: "7" }, "outdated", A],
    [
      "is written if not all of it is as declared",
      A,
      NOTHING,
      { id: "7", status: "unverified" },
      "all",
      insight("id: 7, name: A"),
    ],
    ["is not written after a failure", A, NOTHING, { id: "7", status: "failed" }, "all", A],
    ["is not written if the create may not have happened", A, NOTHING, { id: "7", status: "unknown" }, "all", A],
    ["takes the place of that of a replaced object", PINNED, HTTP, { id: NEW }, "outdated", REPLACED],
    [
      "does so even if the rest of a replace is unknown",
      PINNED,
      HTTP,
      { id: NEW, status: "unknown" },
      "outdated",
      REPLACED,
    ],
    ["stays as long as a replace has the old object", PINNED, HTTP, { id: OLD, status: "unknown" }, "outdated", PINNED],
    ["is new for a replaced object that had none", exported(""), HTTP, { id: NEW }, "all", REPLACED],
    ["takes the place of one whose object was gone", PINNED, {}, { id: NEW, recreate: EXPORT }, "outdated", REPLACED],
    [
      "stays if its object was there after all",
      PINNED,
      {
        "project_batch_exports.list": [
          { id: OLD, name: "E", interval: "day", destination: { type: "NoOp", config: {} } },
        ],
      },
      { recreate: EXPORT },
      "all",
      PINNED,
    ],
    ["stays if nothing says that its object is to be made again", PINNED, {}, { id: NEW }, "all", PINNED],
    [
      "is not written if the object was only changed",
      insight("name: A, tags: [a]"),
      { "insights.list": [{ id: 7, name: "A" }] },
      {},
      "all",
      insight("name: A, tags: [a]"),
    ],
  ])("%s", async (_name, text, answers, { recreate, ...outcome }, which, becomes) => {
    const result = await written(await ended(text, answers, outcome, { recreate }), which);
    expect(result).toEqual({ text: becomes, addresses: text === becomes ? [] : ["it"], codes: [] });
  });

  const PAGE = "https://eu.example/project/2/insights";
  const block = (id: string): string =>
    `driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    projects:\n      web:\n        id: "2"\n        insights:\n          it:\n            ${id}\n            name: A # ours\n`;

  it.each([
    ["is replaced", "id: 7", `${PAGE}/new`, `id: 8 # ${PAGE}/new`],
    ["goes if that of the new object is not known", "id: 7", undefined, "id: 8"],
    ["goes if that of the new object holds a secret", "id: 7", `${PAGE}/hidden-key`, "id: 8"],
  ])("and the page beside it %s", async (_name, id, link, becomes) => {
    const gone = apiError("insights.get", { kind: "not_found", status: 404 });
    const ending = await ended(
      block(`${id} # ${PAGE}/old`),
      { ...NOTHING, "insights.get": gone },
      { id: "8", link },
      AGAIN,
    );
    ending.run.input.context.redactor.add("hidden-key");
    expect((await written(ending, "outdated")).text).toBe(block(becomes));
  });

  it.each([
    [`${PAGE}/new`, `id: 8 # ${PAGE}/new`],
    [`${PAGE}/hidden-key`, "id: 8"],
  ])("has the page %s beside it only if that holds no secret", async (link, becomes) => {
    const ending = await ended(block("tags: [a]"), NOTHING, { id: "8", link });
    ending.run.input.context.redactor.add("hidden-key");
    expect((await written(ending, "all")).text).toBe(block(`${becomes}\n            tags: [a]`));
  });

  it("stays if the object was restored", async () => {
    const text = insight("id: 7, name: A");
    const ending = await ended(text, { "insights.get": { id: 7, name: "A", deleted: true } }, { id: "8" }, AGAIN);
    expect(ending.outcomes[0]?.action).toBe("restore");
    expect(await written(ending, "all")).toEqual({ text, addresses: [], codes: [] });
  });

  const SHORT = insight("short_id: abcdefgh, name: A");

  it.each<[string, JsonObject | Error, string, readonly string[]]>([
    ["read by the id", { id: 7, short_id: "bbbbbbbb", name: "A" }, SHORT.replace("abcdefgh", "bbbbbbbb"), []],
    ["said to be unknown if that fails", apiError("insights.get", {}), SHORT, ["warning pin_not_written it"]],
    ["said to be unknown if that cannot be asked", new Error("no answer"), SHORT, ["warning pin_not_written it"]],
  ])("is %s if it is not the id itself", async (_name, made, text, codes) => {
    const gone = apiError("insights.get", { kind: "not_found", status: 404 });
    const answers: Answers = { ...NOTHING, "insights.get": ({ id }) => (id === "7" ? made : gone) };
    const ending = await ended(SHORT, answers, { id: "7" }, AGAIN);
    expect(await written(ending, "outdated")).toMatchObject({ text, codes });
  });
});

describe("a pin that cannot be written", () => {
  it("is a warning, and no error, if the file was changed meanwhile", async () => {
    const { run, outcomes } = await ended(insight("name: A"), { "insights.list": [] }, { id: "7" });
    writeFileSync(join(run.input.config.root, "driftline.yaml"), "# mine\n");
    expect(await written({ run, outcomes }, "all")).toEqual({
      text: "# mine\n",
      addresses: [],
      codes: ["warning not_pinned it"],
    });
  });

  it.each<[string, string, Answers, string]>([
    ["new", exported(""), {}, "warning not_pinned it"],
    ["outdated", exported(`id: ${OLD}, `), HTTP, "warning pin_not_written it"],
  ])("is a warning with the line, if it is %s and in a program", async (_name, text, answers, code) => {
    const loaded = await loadGood(text);
    const resources = loaded.graph.resources.map((one) => ({ ...one, position: { file: "a.driftline.ts" } }));
    const run = await planned("", answers, { config: { ...loaded, graph: { ...loaded.graph, resources } } });
    const ending = { run, outcomes: [outcomeOf(run, { id: NEW })] };
    expect(await written(ending, "all")).toEqual({ text, addresses: [], codes: [code] });
    const { diagnostics } = await writePins(run, ending.outcomes, run.input.config.root, "all");
    expect(diagnostics[0]?.hint).toContain(NEW);
  });

  it("does not keep the pins of other files out", async () => {
    const other = "driftline: 1\norganizations: { acme: { domains: { d: { domain: a.com } } } }\n";
    const run = await planned({ "driftline.yaml": insight("name: A"), "other.yaml": other }, { "insights.list": [] });
    const made = run.plan.changes.filter(({ action }) => action === "create");
    const outcomes = made.map(({ work: _work, ...change }): Outcome => ({
      ...change,
      id: change.kind === "insight" ? "7" : NEW,
      status: "applied",
      error: null,
      requests: 1,
    }));
    writeFileSync(join(run.input.config.root, "other.yaml"), "# mine\n");
    const { written: files, diagnostics } = await writePins(run, outcomes, run.input.config.root, "all");
    expect([files.map(({ file }) => file), diagnostics.map(({ address }) => address)]).toEqual([
      ["driftline.yaml"],
      ["acme/domains/d"],
    ]);
  });
});
