/** Which differences are not accepted, and which declarations go. */
import { describe, expect, it } from "vitest";
import { Acceptance, undeclaredChanges } from "../../../../src/engine/accept/acceptance.ts";
import { removalPolicy, type RemovalPolicy } from "../../../../src/engine/accept/refusals.ts";
import type { PlannedRun } from "../../../../src/engine/plan/plan-config.ts";
import type { Diagnostic } from "../../../../src/model/diagnostic.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { loadGood } from "../../config/helpers.ts";
import { ACME } from "../../plan/world.ts";
import type { Answers } from "../world.ts";
import { driftOf, textIn } from "./support.ts";

const WEB = "acme/projects/web/insights";
const organization = (text: string): string =>
  `driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    ${text}\n`;
const insights = (text: string, more = ""): string =>
  organization(`projects: { web: { id: "2", ${more}insights: { ${text} } } }`);
const insight = (id: number, name: string, more: JsonObject = {}): JsonObject => ({
  id,
  short_id: `short${String(id)}`,
  name,
  ...more,
});

/** What would be removed, what is refused, and what can be imported instead. */
async function prepare(run: PlannedRun, remove: RemovalPolicy) {
  const acceptance = await Acceptance.prepare(run, run.input.config.root, { remove });
  const sources = acceptance.files.flatMap(({ edits }) => edits.map(({ source }) => source));
  return {
    removed: sources.flatMap(({ type, address }) => (type === "removal" ? [address] : [])),
    diagnostics: acceptance.diagnostics,
    undeclared: undeclaredChanges(run, []).map(({ address }) => address),
  };
}

const sentences = (diagnostics: readonly Diagnostic[]) =>
  diagnostics.map(({ message, hint, command }) => ({ message, hint, command }));

describe("the declaration of an object that is gone goes", () => {
  const ID = "018f0000-0000-4000-8000-000000000001";
  const DELETED = { "insights.get": insight(7, "A", { deleted: true }) };

  it.each<[name: string, policy: RemovalPolicy, declared: string, answers: Answers, isRemoved: boolean]>([
    ["with an id", "pinned", `domains: { a: { id: ${ID}, domain: a.com } }`, {}, true],
    ["without an id, if a person names it", "all", "domains: { a: { domain: a.com } }", {}, true],
    ["not without an id", "pinned", "domains: { a: { domain: a.com } }", {}, false],
    [
      "not with an id that does not show that it is deleted",
      "pinned",
      insightOf("short_id: abcdefgh, name: A"),
      {},
      false,
    ],
    ["if it is only soft-deleted, too", "pinned", insightOf("id: 7, name: A"), DELETED, true],
    ["not unless that is wanted", "none", insightOf("id: 7, name: A"), DELETED, false],
    ["not if it is protected", "all", insightOf("id: 7, name: A, lifecycle: { protect: true }"), DELETED, false],
  ])("%s", async (_name, policy, declared, answers, isRemoved) => {
    const run = await driftOf(organization(declared), answers);
    const { removed, diagnostics } = await prepare(run, policy);
    const gone = run.plan.changes.find(({ action }) => action === "create" || action === "restore");
    expect(removed).toEqual(isRemoved ? [gone?.address] : []);
    expect(diagnostics.map(({ code, address, line }) => ({ code, address, line }))).toEqual(
      isRemoved ? [] : [{ code: "not_accepted", address: gone?.address, line: 5 }],
    );
  });

  it.each([
    ["a pinned object", `domains: { a: { id: ${ID}, domain: a.com } }`, ["apply", "--recreate", "acme/domains/a"]],
    ["one that never had an id", "domains: { a: { domain: a.com } }", ["apply"]],
    ["a soft-deleted one", insightOf("id: 7, name: A"), ["apply"]],
  ])("or a command has %s again", async (_name, declared, words) => {
    const { diagnostics } = await prepare(await driftOf(organization(declared), DELETED), "none");
    expect(diagnostics.map(({ command }) => command?.slice(1))).toEqual([words]);
  });

  it("but no command is offered that would refuse it for another reason", async () => {
    const renamed = { "insights.list": [insight(9, "B", { query: { kind: "TrendsQuery", interval: "day" } })] };
    const declared = insightOf("name: A, query: { kind: TrendsQuery, interval: day }");
    const run = await driftOf(organization(declared), renamed);
    for (const policy of ["pinned", "all"] as const) {
      const { removed, diagnostics } = await prepare(run, policy);
      expect(removed).toEqual([]);
      const own = diagnostics.filter(({ address }) => address?.endsWith("/insights/a"));
      expect(own.map(({ code, command }) => [code, command])).toEqual([["not_accepted", undefined]]);
    }
  });

  it("and the lines around it stay", async () => {
    const file = organization("domains:\n      a: { domain: a.com }\n      b: { domain: b.com } # ours");
    const run = await driftOf(file, { "domains.list": [{ id: ID, domain: "b.com" }] });
    const { files } = await Acceptance.prepare(run, run.input.config.root, { remove: "all" });
    expect(files.map(({ after }) => after)).toEqual([file.replace("      a: { domain: a.com }\n", "")]);
  });

  function insightOf(text: string): string {
    return `projects: { web: { id: "2", insights: { a: { ${text} } } } }`;
  }
});

describe("nothing is accepted", () => {
  const RENAMED = { "insights.list": [insight(8, "B", { query: { kind: "T", a: 1 } })] };
  const A = "a: { name: A, query: { kind: T, a: 1 } }";
  const twoProjects = organization(
    'projects: { web: { id: "2", insights: { a: { id: 7 } } }, app: { id: "3", insights: { b: { name: B } } } }',
  );
  const IN_APP: Answers = {
    "organizations.list": [{ ...ACME, teams: [...ACME.teams, { id: 3, name: "App" }] }],
    "insights.list": ({ project_id: project }) => (project === "3" ? [insight(7, "A"), insight(8, "B")] : []),
  };

  it.each<[name: string, files: Parameters<typeof driftOf>[0], answers: Answers, addresses: readonly string[]]>([
    ["of an object that may have another name", insights(A), RENAMED, [`${WEB}/a`]],
    ["of an object that is in another project", twoProjects, IN_APP, [`${WEB}/a`]],
    [
      "of an object that nothing declares",
      insights("a: { id: 7 }", "exclusive: [insights], "),
      { "insights.list": [insight(7, "A"), insight(8, "B")] },
      [`${WEB}/id=8`],
    ],
    [
      "of an undeclared object that may be a declared one",
      insights(A, "exclusive: [insights], "),
      RENAMED,
      [`${WEB}/a`, `${WEB}/id=8`],
    ],
    [
      "of an object that is to be removed",
      insights("a: { id: 7, lifecycle: { state: absent } }"),
      { "insights.list": [insight(7, "A")] },
      [`${WEB}/a`],
    ],
    [
      "of an expired object",
      organization("invites: { a: { target_email: ada@acme.com, lifecycle: { renew: true } } }"),
      { "invites.list": [{ id: "i", target_email: "ada@acme.com", level: 1, is_expired: true }] },
      ["acme/invites/a"],
    ],
    [
      "of an organization with other declarations in it",
      organization("lifecycle: { create: true }\n    domains: { a: { domain: a.com } }"),
      { "organizations.list": [] },
      ["acme", "acme/domains/a"],
    ],
  ])("%s", async (_name, files, answers, addresses) => {
    const { removed, diagnostics } = await prepare(await driftOf(files, answers), "all");
    expect([removed, diagnostics.map(({ address }) => address)]).toEqual([[], addresses]);
    expect(new Set(diagnostics.map(({ severity, code }) => `${severity} ${code}`))).toEqual(
      new Set(["warning not_accepted"]),
    );
    expect(sentences(diagnostics)).toMatchSnapshot();
  });

  it("of what a program declares", async () => {
    const loaded = await loadGood(
      organization(
        'domains: { gone: { domain: a.com } }\n    projects: { web: { id: "2", insights: { a: { id: 7, name: A } } } }',
      ),
    );
    const resources = loaded.graph.resources.map((one) => ({ ...one, position: { file: "a.driftline.ts" } }));
    const config = { ...loaded, graph: { ...loaded.graph, resources } };
    const run = await driftOf("", { "insights.list": [insight(7, "C")] }, { config });
    const { removed, diagnostics } = await prepare(run, "all");
    expect([removed, diagnostics.map(({ address }) => address)]).toEqual([[], ["acme/domains/gone", `${WEB}/a`]]);
    expect(sentences(diagnostics)).toMatchSnapshot();
  });
});

describe("an object of an exclusive kind that nothing declares", () => {
  const exclusive = (text: string): string => insights(text, "exclusive: [insights], ");

  it("can be declared, unless it may be a declared one under another name", async () => {
    const stray = await driftOf(exclusive("a: { id: 7 }"), { "insights.list": [insight(7, "A"), insight(8, "B")] });
    const { undeclared, diagnostics } = await prepare(stray, "all");
    expect([undeclared, diagnostics[0]?.command?.slice(1)]).toEqual([
      [`${WEB}/id=8`],
      ["import", "--only", `${WEB}/id=8`],
    ]);
    const query = { kind: "T", a: 1 };
    const renamed = await driftOf(exclusive("a: { name: A, query: { kind: T, a: 1 } }"), {
      "insights.list": [insight(8, "B", { query })],
    });
    expect((await prepare(renamed, "all")).undeclared).toEqual([]);
  });

  it("is not refused once an edit declares it", async () => {
    const run = await driftOf(exclusive("a: { id: 7 }"), { "insights.list": [insight(7, "A"), insight(8, "B")] });
    const change = run.plan.changes.find(({ address }) => address === `${WEB}/id=8`);
    if (change === undefined) throw new Error("it is not in the plan");
    const [{ position: at } = { position: {} }] = run.input.config.graph.projects;
    const source = { type: "addition", address: change.address, change, added: `${WEB}/b` } as const;
    const edit = { at, path: "/insights", value: { b: { id: 8 } }, add: true, source };
    const added = { edits: [edit], newFiles: [] };
    const { files, diagnostics } = await Acceptance.prepare(run, run.input.config.root, { added });
    expect([files[0]?.after, diagnostics]).toEqual([
      textIn(run).replace("a: { id: 7 }", "a: { id: 7 }, b: { id: 8 }"),
      [],
    ]);
  });
});

it.each([
  ["pinned", { only: [], isAsked: false }],
  ["all", { only: ["acme"], isAsked: false }],
  ["all", { only: [], isAsked: true }],
] as const)("the policy is %s for %j", (policy, given) => {
  expect(removalPolicy(given)).toBe(policy);
});

it.each([
  ["a new element", '[{ event: a, name: "${secret:X}" }]', [{ event: "a", name: "live" }, { event: "b" }]],
  [
    "elements that moved",
    '[{ event: a, name: "${secret:X}" }, { event: b }]',
    [{ event: "b" }, { event: "a", name: "live" }],
  ],
  ["texts that moved", '["${secret:X}", a]', ["a", "live"]],
  ["a text that is gone", '["${secret:X}", a]', ["a"]],
  ["texts without any to be seen", '["${secret:X}"]', []],
])("a list that declares a secret keeps it: %s", async (_name, series, live) => {
  const declared = insights(`one: { id: 7, query: { kind: T, series: ${series} } }`);
  const run = await driftOf(declared, { "insights.list": [insight(7, "A", { query: { kind: "T", series: live } })] });
  const { files, diagnostics } = await Acceptance.prepare(run, run.input.config.root, {});
  expect([files, diagnostics.map(({ code }) => code)]).toEqual([[], ["not_accepted"]]);
});
