import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mapSecrets } from "../../../src/model/json/json.ts";
import { mapValues } from "../../../src/model/json/object.ts";
import { budget } from "../../support/budget.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { at, codes, load, loadGood } from "./helpers.ts";

/** Texts that YAML reads as something else: numbers, null, notation. */
const TRICKY = [
  ...`1.10|007|0474915|1e5|0x1f|0o17|.5|+1|-0|1_000|.inf|true|No|null|~|&x|&x 1|*x|!x|!!str 1|[a]|{a: 1}|a: b|- a|? a|--- a`.split(
    "|",
  ),
  ...` a | 1 || |a #b|#a|'5'|"a"|\${var:v}|$\${|1\n|a\nb|\n|a\n...\n|%YAML 1.1\n---\na`.split("|"),
  "|\n a",
];
const ANY = fc.oneof(fc.constantFrom(...TRICKY), fc.string({ unit: "grapheme" }), fc.double().map(String));

/** Scalars without quotes, as they stand in a file. */
const PLAIN = fc.oneof(
  fc.constantFrom(..."1.10|007|0474915|1e5|0x1f|0o17|.5|+1|-0|1_000|true|True|FALSE|no|a|-.5|12e03|1.0".split("|")),
  fc.stringMatching(/^[-+]?[0-9]{1,4}(\.[0-9]{1,3})?([eE][-+]?[0-9])?$/u),
);

const FILE = `driftline: 1
organizations:
  acme:
    name: \${var:v}
    projects:
      web:
        id: 2
        insights:
          i:
            name: <\${var:v}\${var:w}>
            description: \${var:v}
            tags: ["\${var:v}"]
            query: { source: "\${var:v}" }
        batch_exports:
          e:
            name: <\${var:w}>
            interval: hour
            destination: { type: S3, config: { bucket_name: "\${var:v}", region: x, prefix: p } }
    batch_exports: {}
`;

async function fieldsOf(files: Readonly<Record<string, string>>, options: Parameters<typeof load>[1]) {
  const loaded = await load(files, { paths: ["driftline.yaml"], ...options });
  expect(codes(loaded).filter((code) => !/length|format|missing/u.test(code))).toEqual([]);
  const { name, description, tags } = at(loaded, "acme/projects/web/insights/i").values;
  const { destination } = at(loaded, "acme/projects/web/batch_exports/e").values;
  const { name: organization } = at(loaded, "acme").values;
  return { name, description, tags, destination, organization };
}

function expected(text: string): object {
  return {
    name: `<${text}${text}>`,
    description: text,
    tags: [text],
    destination: { type: "S3", config: { bucket_name: text, region: "x", prefix: "p" } },
    organization: text,
  };
}

describe("a variable is what was written, inside of a text and in a field that must be a text", () => {
  it("on the command line, where it is any text", async () => {
    await fc.assert(
      fc.asyncProperty(ANY, async (text) => {
        const vars = [`v=${text}`, `w=${text}`];
        // What a field refuses, such as an empty text, is reported and left out.
        const found = mapValues(await fieldsOf({ "driftline.yaml": FILE }, { vars }), (value) =>
          value === undefined ? null : mapSecrets(value, () => text),
        );
        // A description may be null.
        const description = found.description === null ? text : found.description;
        expect({ ...found, description }).toEqual(expected(text));
      }),
      { numRuns: budget(1000), examples: TRICKY.map((text): [string] => [text]) },
    );
  });

  it("under variables, in a file of variables, and through another variable", async () => {
    await fc.assert(
      fc.asyncProperty(PLAIN, fc.constantFrom("file", "chain", "option"), async (text, way) => {
        const variables = `v: ${way === "chain" ? "${var:w}" : text}\nw: ${text}\n`;
        const inside = `variables:\n${variables.replaceAll(/^/gmu, "  ").trimEnd()}\n`;
        const files = { "driftline.yaml": way === "option" ? FILE : FILE + inside, "vars.txt": variables };
        const found = await fieldsOf(files, way === "option" ? { varFiles: ["vars.txt"] } : {});
        expect(found).toEqual(expected(text));
      }),
      { numRuns: budget(500) },
    );
  });
});

it("a value that is written in two ways is two variables", async () => {
  const file = (n: string): string =>
    `driftline: 1\nvariables: { n: ${n} }\norganizations: { acme: { name: "\${var:n}" } }\n`;
  expect(codes(await load({ "a.yaml": file("1.10"), "b.yaml": file("1.1") }))).toEqual(["duplicate_variable"]);
  expect(at(await loadGood({ "a.yaml": file("1.10"), "b.yaml": file("1.10") }), "acme").values).toEqual({
    name: "1.10",
  });
});

it("a project, a former name and the service take the text as well", async () => {
  const { graph } = await loadGood(
    `driftline: 1
organizations:
  acme:
    name: A
    projects:
      web:
        name: \${var:n}
        insights: { i: { name: I, query: {}, lifecycle: { renamed_from: "\${var:n}" } } }
`,
    { vars: ["n=0474915"] },
  );
  expect(graph.projects).toMatchObject([{ name: "0474915" }]);
  expect(graph.resources.find(({ kind }) => kind === "insight")?.lifecycle).toEqual({ renamed_from: "0474915" });
});

it("a hint about the value of a variable names the variable, and not the quotes around ${var:...}", async () => {
  const field = (line: string): string => `driftline: 1\norganizations:\n  acme:\n    name: A\n    ${line}\n`;
  const text = `${field('enforce_2fa: "${var:flag}"')}    projects: { web: { id: 2, insights: { i: { name: I, query: {}, tags: "\${var:tags}", order: "\${var:order}" } } } }\n`;
  const variables = "variables: { flag: 'true', tags: [1.10], order: '5' }\n";
  const found = (await load(text + variables)).diagnostics;
  const env = (await load(field("enforce_2fa: ${env:FLAG}"), { env: { FLAG: "true" } })).diagnostics;
  expect(sentencesOf([...found, ...env])).toMatchSnapshot();
});
