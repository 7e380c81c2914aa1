/** Values of any length, and any number of mistakes: messages stay short, and cost about as much as reading the file. */
import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../../src/api/redact/redact.ts";
import { redacted } from "../../../../src/engine/redact.ts";
import { suggest } from "../../../../src/model/text/suggest.ts";
import { load, loadGood } from "../../config/helpers.ts";

const project = (fields: string): string => `projects: { web: { name: Web, ${fields} } }`;
const PLACES = [
  "enforce_2fa: VALUE",
  'members: { "ada@acme.com": { level: VALUE } }',
  "members: VALUE",
  "members: { VALUE: { level: 1 } }",
  "domains: { corp: VALUE }",
  "domains: { corp: { domain: VALUE, state: VALUE } }",
  "domains: { corp: { domain: acme.com, lifecycle: { ignore: [VALUE], state: VALUE, partial: [VALUE] } } }",
  "projects: { web: { name: [VALUE], id: [1] } }",
  project("batch_exports: { a: { name: A, interval: VALUE, destination: { type: VALUE, config: { VALUE: VALUE } } } }"),
  project("batch_exports: { a: { name: A, interval: day, start_at: VALUE } }"),
  project("insights: { a: { name: A, tags: VALUE, dashboards: VALUE, query: { kind: VALUE, VALUE: 1 } } }"),
  project("insights: { a: { name: A, query: { kind: TrendsQuery, series: VALUE, interval: VALUE } } }"),
  "VALUE: 1",
  "projects: { VALUE: { VALUE: 1 } }",
  "exclusive: [VALUE]",
  'name: "${var:VALUE}"',
];
const UNITS = ["1", "a", "A", "a ", "\t", "1,", "a:", "a.", "a@", "-", "$", "{", "_a", "aB", "\u00a0", "/", "a-"];
const ROWS = PLACES.flatMap((place) => UNITS.map((unit) => [place, unit] as const));

/** The milliseconds that the processor was busy: others may be busy as well. */
async function busyFor(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe("a value of 40,000 characters", () => {
  it.each(ROWS)("is quoted in part, and soon: %s with %j", async (place, unit) => {
    const value = JSON.stringify(unit.repeat(40_000 / unit.length));
    const text = place.replace('"${var:VALUE}"', () => JSON.stringify(`\${var:${JSON.parse(value) as string}}`));
    const fields = text.replaceAll("VALUE", () => value);
    const found: { readonly message: string; readonly hint?: string | undefined }[] = [];
    const time = await busyFor(async () => {
      const { diagnostics, fieldWarnings } = await load(`{ driftline: 1, organizations: { acme: { ${fields} } } }`);
      const all = [...diagnostics, ...fieldWarnings.map(({ diagnostic }) => diagnostic)];
      found.push(...redacted(all, createRedactor()));
    });
    expect(time).toBeLessThan(3_000);
    const quoted = (said: string): number => said.split(unit).length - 1;
    for (const { message, hint = "" } of found) {
      expect(message.length).toBeLessThanOrEqual(2_000);
      expect(hint.length).toBeLessThanOrEqual(2_000);
      expect(quoted(hint)).toBeLessThanOrEqual(Math.max(150, quoted(message)));
    }
  });
});

describe("10,000 unknown keys", () => {
  const keys = Array.from({ length: 10_000 }, (_, index) => `key${String(index)}: x`).join(", ");
  const file = (fields: string): string => `{ driftline: 1, organizations: { acme: { name: Acme, ${fields} } } }`;

  it.each([
    ["an organization", keys],
    ["a resource", project(`insights: { a: { name: A, ${keys} } }`)],
    ["a lifecycle", `lifecycle: { ${keys} }`],
    ["a query", project(`insights: { a: { name: A, query: { kind: TrendsQuery, ${keys} } } }`)],
    [
      "the settings of a destination",
      project(`batch_exports: { a: { name: A, interval: day, destination: { type: S3, config: { ${keys} } } } }`),
    ],
  ])("in %s take a few times as long as known ones", async (_what, fields) => {
    const known = await busyFor(() => load(file(project(`insights: { a: { name: A, filters: { ${keys} } } }`))));
    expect(await busyFor(() => load(file(fields)))).toBeLessThan(4 * known + 500);
  });
});

it("a suggestion does not depend on the order of the candidates, and is none for a text that is no word", () => {
  expect([suggest("nome", ["name", "node"]), suggest("nome", ["node", "name"])]).toEqual(["name", "name"]);
  expect(suggest("jitProvisioningEnable", ["name", "jit_provisioning_enabled"])).toBe("jit_provisioning_enabled");
  expect(suggest("1".repeat(300_000), ["1".repeat(299_999)])).toBeUndefined();
});

describe("aliases", () => {
  it("may add many values if the document is large", async () => {
    const uses = (count: number, size: number): string =>
      `driftline: 1\nvariables: { b: &b [${"1,".repeat(size)}], l: [${"*b ,".repeat(count)}] }\n`;
    expect((await load(uses(60_000, 9))).diagnostics).toEqual([]);
    expect((await load(uses(30_000, 20))).diagnostics).toMatchObject([{ code: "alias_bomb" }]);
  });

  it("may be used thousands of times for a short mapping", async () => {
    const insights = Array.from(
      { length: 3000 },
      (_, index) => `          i${index}: { <<: *base, name: Insight ${index}, saved: true }`,
    );
    const tags = Array.from({ length: 40 }, (_, index) => `tag${index}`);
    const base = `{ favorited: true, description: text, tags: [${tags.join(", ")}] }`;
    const head = `driftline: 1\nvariables: { base: &base ${base} }\n`;
    const body = `organizations:\n  acme:\n    name: Acme\n    projects:\n      web:\n        id: 2\n        insights:\n`;
    const loaded = await loadGood(`${head}${body}${insights.join("\n")}\n`);
    expect(loaded.graph.resources).toHaveLength(3001);
    expect(loaded.graph.resources.at(-1)?.values).toMatchObject({ favorited: true, saved: true, tags });
  });
});
