/** A secret of the run, such as the API key, that an object holds where no secret belongs. */
import { describe, expect, it } from "vitest";
import { exportConfiguration } from "../../../src/export/export.ts";
import { exportImports } from "../../../src/export/pulumi/export.ts";
import type { ExportOrganization } from "../../../src/export/types.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import { acme, at, batchExport, keysAt, live, member, objectOf, readText, S3 } from "./helpers.ts";

const KEY = "phx_hush8Wq2LmZ5tRv";
const isSecret = (text: string): boolean => text.includes(KEY);

const insight = (values: JsonObject): ExportOrganization =>
  project({ insight: [live("insight", "5", { name: "x", ...values })] });

function project(lists: ExportOrganization["lists"], name = "Web"): ExportOrganization {
  return acme({}, [{ id: "2", name, lists }]);
}

function exported(organization: ExportOrganization, ids = true) {
  const { files, diagnostics } = exportConfiguration([organization], { ids, isSecret });
  const text = files[0]?.text ?? "";
  const projects = objectOf(at(readText(text), "organizations", "acme-inc", "projects"));
  return {
    text,
    projects,
    insights: objectOf(at(projects, "web", "insights")),
    codes: diagnostics.map(({ code }) => code),
  };
}

const to = (config: JsonObject): JsonObject => ({ destination: { ...S3, config: { ...S3.config, ...config } } });

describe("a secret of the run", () => {
  it.each<[string, JsonObject, readonly string[]]>([
    ["a text", { description: `ask with ${KEY}` }, ["id", "name"]],
    ["an element of a list", { tags: ["a", KEY] }, ["id", "name"]],
    ["a key", { query: { kind: "Q", [KEY]: 1 }, description: "d" }, ["id", "name", "description"]],
    ["a text at any depth", { query: { kind: "Q", deep: [{ er: `x ${KEY}` }] } }, ["id", "name"]],
    ["a natural key", { name: `I ${KEY}`, description: "d" }, ["id", "description"]],
  ])("in %s leaves the field out, and a warning says so", (_what, values, fields) => {
    const { text, insights, codes } = exported(insight(values));
    expect(Object.keys(objectOf(Object.values(insights)[0]))).toEqual(fields);
    expect(text).not.toMatch(/hush|redacted|secret/);
    expect(codes).toEqual(["not_declarable"]);
  });

  it("in the natural key leaves the object out if no id finds it", () => {
    const { insights, codes } = exported(insight({ name: `I ${KEY}` }), false);
    expect(insights).toEqual({});
    expect(codes).toEqual(["not_declarable", "not_declarable"]);
  });

  it("in a field for secrets is a reference, like every value there", () => {
    const { text, codes } = exported(
      project({ batch_export: [batchExport(1, "e", to({ aws_secret_access_key: KEY }))] }),
    );
    expect(text).toContain("aws_secret_access_key: ${secret:DL_VALUE_E_AWS_SECRET_ACCESS_KEY}");
    expect([text.includes(KEY), codes]).toEqual([false, []]);
  });

  it("in the address of a member leaves the member out", () => {
    const { files, diagnostics } = exportConfiguration(
      [acme({ member: [member(1, "ada@acme.com", 8), member(2, `${KEY}@acme.com`.toLowerCase(), 1)] })],
      { ids: true, isSecret: (text) => text.toLowerCase().includes(KEY.toLowerCase()) },
    );
    expect(keysAt(readText(files[0]?.text ?? ""), "organizations", "acme-inc", "memberships")).toEqual([
      "ada@acme.com",
    ]);
    expect(diagnostics.map(({ code }) => code)).toEqual(["not_declarable"]);
  });

  it("in the name of a project leaves the name out", () => {
    const { projects, codes } = exported(project({ insight: [live("insight", "5", { name: "x" })] }, `P ${KEY}`));
    expect(projects).toEqual({ "project-2": { id: "2", insights: { x: { id: 5, name: "x" } } } });
    expect(codes).toEqual(["not_declarable"]);
  });

  it("is in no file for Pulumi either", () => {
    const all = [project({ insight: [named("x"), named(`I ${KEY}`)] }, `P ${KEY}`)];
    const { files, diagnostics } = exportImports(all, { provider: "dynamic", rowsOf: () => [], isSecret });
    const texts = files.map(({ text }) => text).join("");
    expect(texts).toContain("acme-inc/projects/project-2/insights/");
    expect(texts).not.toMatch(/hush|redacted/);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["not_declarable"]));
  });
});

const named = (name: string) => live("insight", name, { name, description: KEY });
