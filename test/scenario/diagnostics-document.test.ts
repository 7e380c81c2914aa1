/** With --format json every run prints exactly one document on stdout. */
import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { expect, it } from "vitest";
import type { DiagnosticsDocument } from "../../src/model/diagnostic.ts";
import type { CliResult } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { workspace } from "../support/workspace.ts";

const GOOD = "driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n    enforce_2fa: true\n";
const schemaOf = async (name: string): Promise<object> =>
  JSON.parse(await readFile(new URL(`../../schemas/${name}.schema.json`, import.meta.url), "utf8")) as object;
const ajv = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true });
const isDiagnostics = ajv.compile(await schemaOf("diagnostics"));
const isPlan = ajv.compile(await schemaOf("plan"));
const isOutcomes = ajv.compile(await schemaOf("outcomes"));

function documentOf(result: CliResult): DiagnosticsDocument {
  const document = JSON.parse(result.stdout) as DiagnosticsDocument;
  expect(isDiagnostics(document), JSON.stringify(isDiagnostics.errors)).toBe(true);
  expect(document.exit_code).toBe(result.code);
  return document;
}

async function space() {
  const made = await workspace();
  await made.configure(GOOD);
  await made.configure("driftline: 1\norganizations: [", "broken.yaml");
  await made.configure("driftline: 1\norganizations:\n  acme: { name: A, enforce_2af: true }\n", "typo.yaml");
  await made.configure(`${GOOD}    projects: { web: { name: Wbe } }\n`, "project.yaml");
  return made;
}

describeDialects("a command that comes to no plan", () => {
  it.each<[string, readonly string[], Readonly<Record<string, string>>, number, string]>([
    ["10: does not parse", ["broken.yaml"], {}, 10, "yaml"],
    ["10: a mistyped key", ["typo.yaml"], {}, 10, "unknown"],
    ["10: an address that is not declared", ["--only", "acme/domains/x"], {}, 10, "unknown_address"],
    ["10: a project that is not there", ["project.yaml"], {}, 10, "unknown_project"],
    ["10: an unknown option", ["--frobnicate"], {}, 10, "usage"],
    ["10: an option with one dash", ["-url=x"], {}, 10, "usage"],
    ["10: no URL", [], { DRIFTLINE_URL: "" }, 10, "no_url"],
    ["11: no key", [], { DRIFTLINE_API_KEY: "" }, 11, "no_api_key"],
  ])("says why as JSON, %s", async (_name, args, env, code, wanted) => {
    const here = await space();
    for (const command of ["plan", "drift", "apply"]) {
      const all = [command, ...(command === "apply" ? ["--yes"] : []), "--format=json", ...args];
      const result = await here.run(all, { env });
      expect(result.code, result.stderr).toBe(code);
      const document = documentOf(result);
      expect(document).toMatchObject({ command, changes: [] });
      expect(document.diagnostics[0]?.code).toContain(wanted);
      expect(document.diagnostics[0]).toMatchObject({ severity: "error" });
      expect(result.stderr).toContain("error");
    }
  });

  it("gives the place in the configuration", async () => {
    const result = await (await space()).run(["plan", "--format", "json", "typo.yaml"]);
    expect(documentOf(result).diagnostics[0]).toMatchObject({ file: "typo.yaml", line: 3, column: 20 });
  });

  it("writes nothing to stdout in the other formats", async () => {
    for (const format of ["text", "markdown"])
      expect((await (await space()).run(["plan", "--format", format, "broken.yaml"])).stdout).toBe("");
  });

  it("reports an invalid saved plan", async () => {
    const result = await (await space()).run(["show", "driftline.yaml", "--format", "json"]);
    expect(documentOf(result)).toMatchObject({ command: "show", diagnostics: [{ code: "plan_invalid" }] });
  });
});

describeDialects("a command that makes no plan", () => {
  it.each<[readonly string[], string]>([
    [["explain", "domian"], "unknown_kind"],
    [["explain", "domain", "surplus"], "usage"],
    [["doctor", "--frobnicate"], "usage"],
  ])("reports as JSON the error of %j", async (args, code) => {
    const result = await (await space()).run([...args, "--format", "json"]);
    expect(documentOf(result)).toMatchObject({ command: args[0], exit_code: 10, diagnostics: [{ code }] });
  });
});

describeDialects("a misspelled command", () => {
  it.each([["--format json"], ["--format=json"], ["--json"]])("is an error as JSON too: %s", async (format) => {
    const { run } = await space();
    const result = await run(["validdate", "typo.yaml", ...format.split(" ")]);
    const document = documentOf(result);
    expect(document).toMatchObject({ command: "", exit_code: 10, diagnostics: [{ code: "usage" }] });
    const [, ...suggested] = document.diagnostics[0]?.command ?? [];
    expect(await run(suggested)).toMatchObject({ code: 0 });
  });

  it("prints nothing on stdout without the option", async () => {
    expect(await (await space()).run(["validdate"])).toMatchObject({ code: 10, stdout: "" });
  });
});

describeDialects("validate --format json", () => {
  it("keeps its own words, even if a secret in the environment has the same text", async () => {
    const here = await space();
    const document = documentOf(await here.run(["validate", "--format", "json"], { env: { MY_SECRET: "validate" } }));
    expect(document.command).toBe("validate");
  });

  it("is a document without errors if all is well, and one with them otherwise", async () => {
    const here = await space();
    expect(documentOf(await here.run(["validate", "--format", "json", "driftline.yaml"]))).toMatchObject({
      exit_code: 0,
      diagnostics: [],
    });
    expect(documentOf(await here.run(["validate", "--format", "json", "typo.yaml"]))).toMatchObject({ exit_code: 10 });
    expect(here.emulator.requests).toEqual([]);
  });
});

describeDialects("a command that comes to a plan", () => {
  it("prints only that document, also if it is refused", async () => {
    const here = await space();
    for (const [args, is] of [
      [["plan", "--format", "json"], isPlan],
      [["drift", "--format", "json"], isPlan],
      [["apply", "--yes", "--format", "json", "--approve", "sha256:x"], isOutcomes],
    ] as const) {
      const result = await here.run(args);
      expect(is(JSON.parse(result.stdout)), JSON.stringify(is.errors)).toBe(true);
    }
  });

  it("that reports a service which cannot be read", async () => {
    const result = await (await space()).run(["plan", "--format", "json"], { env: { DRIFTLINE_API_KEY: "wrong" } });
    expect(result.code).toBe(11);
    expect(isPlan(JSON.parse(result.stdout))).toBe(true);
  });
});
