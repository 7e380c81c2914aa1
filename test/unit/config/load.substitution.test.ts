import { symlinkSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadConfig, type LoadOptions } from "../../../src/config/index.ts";
import { isValueObject, Secret, type Value } from "../../../src/model/json/json.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { at, codes, folderOf, load, loadGood, renderDiagnostics } from "./helpers.ts";

/** Returns the loaded value of the field `query.x` of an insight. */
async function queryOf(x: string, variables = "{}", options: Partial<LoadOptions> = {}): Promise<Value | undefined> {
  const insight = JSON.stringify({ name: "I", query: { x } });
  const text = `driftline: 1\nvariables: ${variables}\norganizations: { acme: { name: A, projects: { web: { id: 2, insights: { i: ${insight} } } } } }\n`;
  const loaded = await loadGood(text, options);
  const { query } = at(loaded, "acme/projects/web/insights/i").values;
  return isValueObject(query) ? query["x"] : undefined;
}

describe("substitution", () => {
  it.each(
    ["API_KEY", "READ_KEY", "WRITE_KEY", "URL", "STATE_DIR", "OF_TOMORROW", ""].map((name) => `DRIFTLINE_${name}`),
  )("never reads a setting of driftline: %s", async (name) => {
    const env = { [name]: "phx_never_shown", [name.toLowerCase()]: "phx_never_shown" };
    for (const used of [`\${env:${name}}`, `\${secret:${name}}`, `a\${env:${name.toLowerCase()}}b`]) {
      const value = JSON.stringify(used);
      const text = `driftline: 1\nvariables: { v: ${value} }\norganizations: { acme: { name: "\${var:v}" } }\n`;
      const { diagnostics } = await load(text, { env });
      expect(diagnostics.map(({ code }) => code)).toEqual(["forbidden_variable"]);
      expect(renderDiagnostics(diagnostics)).not.toContain("phx_");
    }
  });

  it.each<[string, string, string, Value]>([
    ["a lone variable keeps a string", "${var:v}", "{ v: text }", "text"],
    ["a lone variable keeps a number", "${var:v}", "{ v: 5 }", 5],
    ["a lone variable keeps a boolean", "${var:v}", "{ v: false }", false],
    ["a lone variable keeps null", "${var:v}", "{ v: null }", null],
    ["a lone variable keeps a list", "${var:v}", "{ v: [1, { a: b }] }", [1, { a: "b" }]],
    ["a variable inside of text becomes text", "a-${var:v}-${var:w}", "{ v: 5, w: true }", "a-5-true"],
    ["a variable uses variables", "${var:a}", "{ a: 'x${var:b}', b: '${var:c}', c: 7 }", "x7"],
    ["a variable may contain nested expressions", "${var:a}", "{ a: { b: ['${var:c}'] }, c: 7 }", { b: [7] }],
    ["a variable name may contain spaces, dots and dashes", "${var:a b.c-d}", "{ 'a b.c-d': 1 }", 1],
    ["$${ is a literal ${", "$${var:v} $${", "{ v: 1 }", "${var:v} ${"],
    ["$$${ is a dollar and a literal ${", "$$${var:v}", "{ v: 1 }", "$${var:v}"],
    ["other dollar signs stay unchanged", "$ $$ $1 a$", "{}", "$ $$ $1 a$"],
    ["a substituted value is not substituted again", "${var:v}!", "{ v: '$${var:w}' }", "${var:w}!"],
    ["a secret stays an expression", "${secret:A}", "{}", new Secret("${secret:A}")],
    [
      "expressions around a secret are substituted",
      "u:${secret:A}@${var:h}/$${x}",
      "{ h: host }",
      new Secret("u:${secret:A}@host/$${x}"),
    ],
    ["a variable may contain a secret", "${var:v}/x", "{ v: 'p${secret:A}' }", new Secret("p${secret:A}/x")],
    ["a lone variable may be a secret", "${var:v}", "{ v: '${secret:A}' }", new Secret("${secret:A}")],
    [
      "a substituted text and the following text form no new expression",
      "${var:d}{var:v} ${secret:A}",
      "{ d: $, v: 1 }",
      new Secret("$${var:v} ${secret:A}"),
    ],
  ])("%s", async (_, x, variables, expected) => {
    expect(await queryOf(x, variables)).toEqual(expected);
  });

  it.each(['"\\x24{var:v}"', '"$\\u007bvar:v}"'])("applies after YAML escapes: %s", async (written) => {
    const text = `driftline: 1\nvariables: { v: 5 }\norganizations:\n  acme:\n    name: A\n    projects:\n      web:\n        id: 2\n        insights: { i: { name: I, query: { x: ${written} } } }\n`;
    expect(at(await loadGood(text), "acme/projects/web/insights/i").values["query"]).toEqual({ x: 5 });
  });

  it("reads environment variables as text, even if they are empty", async () => {
    expect(await queryOf("<${env:A}${env:B}>", "{}", { env: { A: "5", B: "" } })).toBe("<5>");
  });

  it("does not change keys", async () => {
    const text =
      'driftline: 1\nvariables: { v: x }\norganizations: { acme: { name: A, projects: { web: { id: 2, insights: { i: { name: I, query: { "${var:v}": 1 } } } } } } }\n';
    expect(at(await loadGood(text), "acme/projects/web/insights/i").values["query"]).toEqual({ "${var:v}": 1 });
  });

  it("cannot add keys or change the structure", async () => {
    expect(await queryOf("${env:A}", "{}", { env: { A: 'x\nother: "1"' } })).toBe('x\nother: "1"');
  });

  it("precedes validation, which reports errors at the position of use", async () => {
    const { diagnostics } = await load(
      "driftline: 1\nvariables: { flag: 5 }\norganizations:\n  acme:\n    name: A\n    enforce_2fa: ${var:flag}\n",
    );
    expect(diagnostics).toMatchObject([{ code: "wrong_type", line: 6, column: 18, address: "acme" }]);
  });

  it("accepts the name of a level from a variable", async () => {
    const loaded = await loadGood(
      "driftline: 1\nvariables: { l: admin }\norganizations: { acme: { name: A, members: { a@b.co: { level: '${var:l}' } } } }\n",
    );
    expect(at(loaded, "acme/members/a@b.co").values).toEqual({ level: 8 });
  });
});

describe("variables from the command line", () => {
  it.each<[string, string, readonly string[], Value]>([
    ["an undeclared one is read as YAML: number", "{}", ["v=5"], 5],
    ["an undeclared one is read as YAML: boolean", "{}", ["v=true"], true],
    ["an undeclared one is read as YAML: quoted", "{}", ["v='5'"], "5"],
    ["an undeclared one is always a scalar, never a list", "{}", ["v=[a]"], "[a]"],
    ["an undeclared one may be empty", "{}", ["v="], ""],
    ["an undeclared one may contain a hash and a colon", "{}", ["v=a: b #c"], "a: b #c"],
    ["an undeclared one has no comment", "{}", ["v=a #c"], "a #c"],
    ["a declared string stays a string", "{ v: '1' }", ["v=5"], "5"],
    ["a declared string accepts any text", "{ v: text }", ["v=[a"], "[a"],
    ["a declared number", "{ v: 1 }", ["v=5"], 5],
    ["a declared boolean", "{ v: true }", ["v=false"], false],
    ["a declared list", "{ v: [1] }", ["v=[a, b]"], ["a", "b"]],
    ["a declared null accepts any scalar", "{ v: null }", ["v=5"], 5],
    ["the last option wins", "{ v: 1 }", ["v=5", "v=6"], 6],
    ["a text that begins like a comment", "{}", ["v=#fff"], "#fff"],
    ["a text of which a part looks like a document", "{}", ["v=a\n---\nb"], "a\n---\nb"],
    ["an equals sign in the value", "{}", ["v=a=b"], "a=b"],
    ["expressions in it are not substituted", "{}", ["v=$${var:x} ${env:HOME}"], "$${var:x} ${env:HOME}"],
  ])("%s", async (_, variables, vars, expected) => {
    expect(await queryOf("${var:v}", variables, { vars })).toEqual(expected);
  });

  it("take precedence over files, files over the configuration, and the last file over earlier ones", async () => {
    const files = {
      "driftline.yaml":
        "driftline: 1\nvariables: { a: conf, b: conf, c: conf, d: conf }\norganizations: { acme: { name: '${var:a} ${var:b} ${var:c} ${var:d}' } }\n",
      "one.txt": "{ b: one, c: one, d: one }\n",
      "two.json": '{ "c": "two", "d": "two" }\n',
    };
    const loaded = await loadGood(files, { varFiles: ["one.txt", "two.json"], vars: ["d=option"] });
    expect(at(loaded, "acme").values).toEqual({ name: "conf one two option" });
  });

  it("override a definition that cannot be resolved", async () => {
    expect(await queryOf("${var:v}", "{ v: '${env:UNSET}' }", { vars: ["v=x"] })).toBe("x");
  });

  it("need a mapping in their file, and the hint shows how to write it", async () => {
    const files = { "driftline.yaml": "driftline: 1\n", "vars.txt": "- eu\n" };
    const { diagnostics } = await load(files, { varFiles: ["vars.txt"] });
    expect(diagnostics).toMatchObject([{ code: "wrong_type", hint: expect.any(String) as string }]);
    expect(sentencesOf(diagnostics)).toMatchSnapshot();
  });

  it("may come from a file that contains expressions", async () => {
    const files = {
      "driftline.yaml": "driftline: 1\norganizations: { acme: { name: '${var:a}' } }\n",
      "vars/prod.txt": "a: '${file:name.txt}-${env:STAGE}'\n",
      "vars/name.txt": "Acme",
    };
    const loaded = await loadGood(files, { varFiles: ["vars/prod.txt"], env: { STAGE: "prod" } });
    expect(at(loaded, "acme").values).toEqual({ name: "Acme-prod" });
  });
});

const WITH_FILE = (path: string): string =>
  `driftline: 1\norganizations: { acme: { name: A, projects: { web: { id: 2, insights: { i: { name: I, description: "\${file:${path}}" } } } } } }\n`;

describe("an included file", () => {
  it("is read unchanged, relative to the file that mentions it", async () => {
    const loaded = await loadGood({
      "conf/a.yaml": WITH_FILE("../text/a.sql"),
      "text/a.sql": "SELECT '${var:x}' -- ä\n",
    });
    expect(at(loaded, "acme/projects/web/insights/i").values["description"]).toBe("SELECT '${var:x}' -- ä\n");
  });

  it("has the line ends of a text in YAML, also if the file has those of Windows", async () => {
    const loaded = await loadGood({ "a.yaml": WITH_FILE("a.sql"), "a.sql": "SELECT\r\n1\r\n" });
    expect(at(loaded, "acme/projects/web/insights/i").values["description"]).toBe("SELECT\n1\n");
  });

  it("may be in any of the given folders", async () => {
    const files = { "conf/a.yaml": WITH_FILE("../text/a.sql"), "text/a.sql": "x", "text/b.yaml": "driftline: 1\n" };
    expect((await load(files, { paths: ["conf", "text"] })).diagnostics).toEqual([]);
    expect(codes(await load(files, { paths: ["conf"] }))).toEqual(["file_outside"]);
  });

  it("may not be reached through a link that leads out of the folder", async () => {
    const cwd = folderOf({ "conf/a.yaml": WITH_FILE("link.txt"), "secret.txt": "hidden" });
    symlinkSync(join(cwd, "secret.txt"), join(cwd, "conf", "link.txt"));
    const { diagnostics } = await loadConfig({ paths: ["conf"], cwd, env: {}, vars: [], varFiles: [] });
    expect(diagnostics).toMatchObject([{ code: "file_outside" }]);
    expect(renderDiagnostics(diagnostics)).not.toContain("hidden");
  });

  it("may not be in a folder whose name only starts with the name of the configuration folder", async () => {
    const files = { "conf/a.yaml": WITH_FILE("../conf-other/x.txt"), "conf-other/x.txt": "x" };
    expect(codes(await load(files, { paths: ["conf"] }))).toEqual(["file_outside"]);
  });

  it("may have at most 1 MiB", async () => {
    const cwd = folderOf({ "a.yaml": WITH_FILE("big.txt"), "big.txt": "" });
    truncateSync(join(cwd, "big.txt"), 1024 * 1024 + 1);
    const loaded = await loadConfig({ paths: ["."], cwd, env: {}, vars: [], varFiles: [] });
    expect(loaded.diagnostics).toMatchObject([{ code: "too_large", line: 2 }]);
  });
});
