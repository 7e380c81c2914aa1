import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { checkedDiagnostics } from "../../../src/config/index.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { isObject } from "../../../src/model/json/json.ts";
import { messyOrganization } from "../../support/messy.ts";
import { load } from "./helpers.ts";

async function warningsOf(project: object, options?: Parameters<typeof load>[1]): Promise<readonly Diagnostic[]> {
  const config = {
    driftline: 1,
    organizations: { acme: { name: "Acme", projects: { web: { id: "2", ...project } } } },
  };
  return checkedDiagnostics(await load(stringify(config), options));
}

function exportTo(type: string, config: object): object {
  return { batch_exports: { "to-s3": { name: "S3", interval: "day", destination: { type, config } } } };
}

const S3 = { bucket_name: "b", region: "r", prefix: "p" };

describe("a secret in plain text", () => {
  it.each([
    ["by schema", exportTo("S3", { ...S3, aws_access_key_id: "hush-hush" }), "DL_VALUE_TO_S3_AWS_ACCESS_KEY_ID"],
    ["by name", exportTo("Newest", { apiToken: "hush-hush" }), "DL_VALUE_TO_S3_API_TOKEN"],
    ["in a list", exportTo("Newest", { hosts: [{ password: "hush-hush" }] }), "DL_VALUE_TO_S3_PASSWORD"],
  ])("is a warning with the expression to use: a secret %s", async (_name, project, variable) => {
    const found = await warningsOf(project);
    expect(found).toMatchObject([
      {
        severity: "warning",
        code: "plain_text_secret",
        address: "acme/projects/web/batch_exports/to-s3",
        hint: expect.stringContaining(`\${secret:${variable}}`) as string,
      },
    ]);
    expect(JSON.stringify(found)).not.toContain("hush");
  });

  it("is a warning even if it comes from a variable", async () => {
    const project = exportTo("S3", { ...S3, aws_access_key_id: "${env:KEY}" });
    expect(await warningsOf(project, { env: { KEY: "hush" } })).toMatchObject([{ code: "plain_text_secret" }]);
  });

  it.each([
    ["a secret expression", "${secret:KEY}"],
    ["a mask", "********"],
    ["nothing", ""],
    ["null", null],
  ])("is not %s", async (_name, value) => {
    const found = await warningsOf(exportTo("S3", { ...S3, aws_access_key_id: value }));
    expect(found.filter(({ severity }) => severity === "warning")).toEqual([]);
  });
});

function insight(query: object): object {
  return { insights: { a: { name: "A", query } } };
}

const viz = (source: object): object => insight({ kind: "InsightVizNode", source });

describe("a query", () => {
  it.each([
    ["the root", insight({ kind: "InsightVizNod", source: {} }), "unknown_query_node", "InsightVizNode"],
    ["a source", viz({ kind: "TrendQuery" }), "unknown_query_node", "TrendsQuery"],
    [
      "a series",
      viz({ kind: "TrendsQuery", series: [{ kind: "EventNode", event: "a" }] }),
      "unknown_query_node",
      "EventsNode",
    ],
    ["a key", viz({ kind: "TrendsQuery", series: [], intervall: "day" }), "unknown_query_key", "interval"],
    [
      "a key of a series",
      viz({ kind: "TrendsQuery", series: [{ kind: "EventsNode", evnt: "a" }] }),
      "unknown_query_key",
      "event",
    ],
    [
      "a setting",
      viz({ kind: "TrendsQuery", series: [], trendsFilter: { showLegnd: true } }),
      "unknown_query_key",
      "showLegend",
    ],
  ])("with something misspelt is a warning that names the right word: %s", async (_name, project, code, word) => {
    const found = await warningsOf(project);
    expect(found).toMatchObject([
      { severity: "warning", code, line: expect.any(Number) as number, hint: expect.stringContaining(word) as string },
    ]);
  });

  it.each([
    ["a node whose keys are not all known", viz({ kind: "EventsQuery", select: [], newest: true })],
    ["keys of a kind that is reported already", viz({ kind: "ActorsQuery", sauce: 1 })],
    ["a setting of a newer service", viz({ kind: "TrendsQuery", series: [], trendsFilter: { sparkles: true } })],
    ["settings that are not nodes", viz({ kind: "TrendsQuery", series: [], modifiers: { kind: "anything" } })],
    ["a node without a kind", viz({ series: [{ event: "a" }] })],
    ["a kind that is no text", viz({ kind: 7 })],
  ])("may have %s", async (_name, project) => {
    expect(await warningsOf(project)).toEqual([]);
  });

  it("of the messy organization has no unknown node or key", async () => {
    const insights = messyOrganization().organizations.flatMap(({ projects = [] }) =>
      projects.flatMap(({ insights: own = [] }) => own.flatMap(({ query }) => (isObject(query) ? [query] : []))),
    );
    expect(insights.length).toBeGreaterThan(50);
    const all = Object.fromEntries(insights.map((query, index) => [`i${String(index)}`, { name: `I${index}`, query }]));
    expect(await warningsOf({ insights: all })).toEqual([]);
  });
});

describe("protect beside state: absent", () => {
  const removed = (lifecycle: object): object => ({ insights: { a: { name: "A", lifecycle } } });

  it("is a warning at protect for somebody who checks the files: a plan blocks the removal itself", async () => {
    const found = await warningsOf(removed({ state: "absent", protect: true }));
    expect(found).toMatchObject([{ severity: "warning", code: "protected_absent", line: 13 }]);
  });

  it.each([{ state: "absent", protect: false }, { state: "absent" }, { protect: true }])(
    "is no %o",
    async (lifecycle) => {
      expect(await warningsOf(removed(lifecycle))).toEqual([]);
    },
  );
});
