import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { operations, type Operation } from "../../src/api/operations/index.ts";
import { parametersOf } from "../../src/api/typed/parameters.ts";
import type { OperationsDocument } from "../../src/cli/commands/call/list.ts";
import { cli } from "../support/cli.ts";
import { OPERATIONS } from "../support/interface/operations.ts";

const facts = OPERATIONS.map(({ method, path, scope, success, shown }) => ({
  call: `${method} ${path}`,
  scope,
  success,
  shown,
}));

const all: readonly Operation[] = Object.values(operations);
const documented = all.filter(({ document }) => document);
const byCall = (a: { readonly call: string }, b: { readonly call: string }): number => (a.call < b.call ? -1 : 1);

async function list(...args: readonly string[]): Promise<OperationsDocument> {
  const { code, stdout } = await cli(["call", "--list", "--format", "json", ...args], { cwd: "/", env: {} });
  expect(code).toBe(0);
  return JSON.parse(stdout) as OperationsDocument;
}

describe("the operations of the interface", () => {
  it("are 87, 8 of them only named", () => {
    expect(facts).toHaveLength(87);
    expect(new Set(facts.map(({ call }) => call)).size).toBe(87);
    expect(facts.filter(({ shown }) => !shown)).toHaveLength(8);
  });

  it("stand in the tables, with their scopes and statuses, and no others", () => {
    const found = documented.map(({ method, path, permission: scope, success, shown }) => ({
      call: `${method} ${path}`,
      scope,
      success,
      shown,
    }));
    expect(found.toSorted(byCall)).toEqual(facts.toSorted(byCall));
  });

  it("are those that call --list shows", async () => {
    const listed = await list();
    const inDocument = listed.operations.filter(({ document }) => document);
    const found = inDocument.map(({ method, path, scope, success, shown }) => ({
      call: `${method} ${path}`,
      scope,
      success,
      shown,
    }));
    expect(found.toSorted(byCall)).toEqual(facts.toSorted(byCall));
    const beyond =
      /^\/api\/(projects\/:project_id\/(batch_exports|insights\/viewed|query)|organizations\/:organization_id\/identity_provider_configs)/u;
    expect(listed.beyond_document.filter(({ path }) => !beyond.test(path))).toEqual([]);
    expect(listed.beyond_document).toEqual(listed.operations.filter(({ document }) => !document));
  });

  it("are the same rows in both forms of call --list", async () => {
    const { stdout } = await cli(["call", "--list"], { cwd: "/", env: {} });
    const names = stdout.split("\n").flatMap((line) => /^(\S+)  [A-Z]+ \//u.exec(line)?.[1] ?? []);
    expect((await list()).operations.map(({ name }) => name)).toEqual(names);
    expect(names).toEqual(all.map(({ name }) => name));
  });

  it("take files where deployed servers do, unless the profile is that of the document", async () => {
    const taking = (document: OperationsDocument): string[] =>
      document.operations.filter(({ takes_files }) => takes_files).map(({ name }) => name.split(".")[1] ?? "");
    expect(taking(await list())).toEqual(["update_source", "update_source", "update_source"]);
    expect(taking(await list("--profile", "document"))).toEqual([]);
  });

  it("are listed in the form of the schema", async () => {
    const text = await readFile(new URL("../../schemas/operations.schema.json", import.meta.url), "utf8");
    const validate = new Ajv({ strict: true, strictTypes: false, allowUnionTypes: true }).compile(
      JSON.parse(text) as object,
    );
    validate(await list());
    expect(validate.errors ?? []).toEqual([]);
  });

  it("can be narrowed to a family or one of them", async () => {
    expect((await list("members")).operations.map(({ name }) => name)).toEqual([
      "members.list",
      "members.update",
      "members.delete",
    ]);
    expect((await list("members.list")).operations).toHaveLength(1);
  });
});

const VIEWED = "insights.mark_viewed";
const QUERY = "queries.run";

describe("the tables", () => {
  it("hold beyond the document the project's route of batch exports, with the same operations", () => {
    const known = all.filter(({ name }) => name.startsWith("batch_exports."));
    const today = /\.(backfills|create_backfill|runs|retry_run|cancel_run)$/u;
    const others = all.filter(
      ({ document, name }) => !document && name.startsWith("project_batch_exports.") && !today.test(name),
    );
    expect(others.map(({ name, method, path, permission: scope }) => ({ name, method, path, scope }))).toEqual(
      known.map(({ name, method, path, permission: scope }) => ({
        name: `project_${name}`,
        method,
        path: path.replace("organizations/:organization_id", "projects/:project_id"),
        scope,
      })),
    );
    expect(others.some(({ shown }) => shown)).toBe(false);
  });

  it("hold besides only the configurations of identity providers, the views of insights, and queries", () => {
    const others = all.filter(({ document, name }) => !document && !name.startsWith("project_batch_exports."));
    const [viewed, ...configs] = others
      .filter(({ name }) => name !== QUERY)
      .toSorted(({ name: a }, { name: b }) => Number(b === VIEWED) - Number(a === VIEWED));
    const queries = others.filter(({ name }) => name === QUERY);
    expect(viewed).toMatchObject({ name: VIEWED, method: "POST", path: "/api/projects/:project_id/insights/viewed" });
    expect(
      configs.map(({ name, method, path, permission: scope, shown }) => [name, method, path, scope, shown]),
    ).toEqual(
      [
        ["list", "GET", "", "organization:read"],
        ["create", "POST", "", "organization:write"],
        ["get", "GET", "/:id", "organization:read"],
        ["update", "PATCH", "/:id", "organization:write"],
        ["delete", "DELETE", "/:id", "organization:write"],
      ].map(([name = "", method, path = "", scope]) => [
        `identity_provider_configs.${name}`,
        method,
        `/api/organizations/:organization_id/identity_provider_configs${path}`,
        scope,
        false,
      ]),
    );
    expect(queries).toMatchObject([{ name: QUERY, method: "POST", path: "/api/projects/:project_id/query" }]);
  });

  it("call no two parameters of an operation alike", () => {
    for (const operation of all) {
      const names = parametersOf(operation).map(({ name }) => name);
      expect([operation.name, new Set(names).size]).toEqual([operation.name, names.length]);
    }
  });

  it("let every operation of insights but the sharing choose a format", () => {
    const lacking = documented.filter(({ name, query }) => name.startsWith("insights.") && !("format" in query));
    expect(lacking.map(({ name }) => name)).toEqual(["insights.sharing"]);
  });

  it("have every parameter of lists and of retrieving an insight", () => {
    for (const { response, query } of all.filter((one) => one.response === "page"))
      expect([response, "limit" in query, "offset" in query]).toEqual(["page", true, true]);
    expect(operations["insights.list"].query).toMatchObject({
      created_by: { type: "integer" },
      short_id: { type: "string" },
    });
    expect(operations["insights.get"].query).toMatchObject({
      from_dashboard: { type: "integer" },
      refresh: { type: "boolean" },
    });
  });

  it("say which effect each POST has", () => {
    const posts = documented.filter(({ method }) => method === "POST");
    const effects = Object.fromEntries(posts.map(({ name, effect }) => [name.split(".")[1], effect]));
    expect(effects).toEqual({
      create: "create",
      backfill: "create",
      pause: "idempotent",
      unpause: "idempotent",
      verify: "idempotent",
      bulk: "create",
      upgrade: "idempotent",
      viewed: "idempotent",
      cancel: "idempotent",
      timing: "create",
      funnel: "read",
      funnel_correlation: "read",
      path: "read",
      retention: "read",
      trend: "read",
    });
  });

  it("warn of what cannot be undone", () => {
    const warned = documented.filter(({ irreversible }) => irreversible !== null).map(({ name }) => name.split(".")[1]);
    expect(new Set(warned)).toEqual(new Set(["backfill", "bulk", "create", "delete", "update_source", "upgrade"]));
    expect(operations["organizations.delete"].confirmBy).toBe("organizations.get");
    expect(operations["insights.delete"].irreversible).toBeNull();
  });
});
