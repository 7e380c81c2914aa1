import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { operations, type Operation } from "../../src/api/operations/index.ts";
import { parametersOf } from "../../src/api/parameters.ts";
import type { OperationsDocument } from "../../src/cli/call/list.ts";
import { cli } from "../support/cli.ts";

/**
 * The interface document's operations, as facts of this test: method, what follows the prefix, scope ("-" for none listed),
 * status of success, and "named" for what is not shown.
 */
const PLUGINS = [
  "GET / plugin:read 200",
  "POST / plugin:write 201",
  "GET /:id plugin:read 200",
  "PATCH /:id plugin:write 200",
  "DELETE /:id plugin:write 204",
  "GET /:id/check_for_updates - 200",
  "GET /:id/source - 200",
  "PATCH /:id/update_source - 200",
  "POST /:id/upgrade - 200",
  "GET /activity - 200",
  "GET /exports_unsubscribe_configs - 200",
  "GET /repository - 200",
  "GET /unused - 200",
];

const FACTS: Readonly<Record<string, readonly string[]>> = {
  "/api/organizations": [
    "GET / organization:read 200",
    "POST / organization:write 201",
    "GET /:id organization:read 200",
    "PATCH /:id organization:write 200",
    "DELETE /:id organization:write 204",
  ],
  "/api/organizations/:organization_id/batch_exports": [
    "GET / batch_export:read 200",
    "POST / batch_export:write 201",
    "GET /:id batch_export:read 200",
    "PATCH /:id batch_export:write 200",
    "DELETE /:id batch_export:write 204",
    "POST /:id/backfill - 200",
    "POST /:id/pause - 200",
    "POST /:id/unpause - 200",
  ],
  "/api/organizations/:organization_id/domains": [
    "GET / organization:read 200",
    "POST / organization:write 201",
    "GET /:id organization:read 200",
    "PATCH /:id organization:write 200",
    "DELETE /:id organization:write 204",
    "POST /:id/verify - 200",
  ],
  "/api/organizations/:organization_id/invites": [
    "GET / organization_member:read 200",
    "POST / organization_member:write 201",
    "DELETE /:id organization_member:write 204",
    "POST /bulk organization_member:write 200",
  ],
  "/api/organizations/:organization_id/members": [
    "GET / organization_member:read 200",
    "PATCH /:user__uuid organization_member:write 200",
    "DELETE /:user__uuid organization_member:write 204",
  ],
  "/api/organizations/:organization_id/pipeline_destinations": PLUGINS,
  "/api/organizations/:organization_id/pipeline_frontend_apps": PLUGINS,
  "/api/organizations/:organization_id/pipeline_import_apps": PLUGINS.map((row, index) =>
    index < 5 ? row : `${row} named`,
  ),
  "/api/projects/:project_id/insights": [
    "GET / insight:read 200",
    "POST / insight:write 201",
    "GET /:insight_id/sharing sharing_configuration:read 200",
    "GET /:id insight:read 200",
    "PATCH /:id insight:write 200",
    "DELETE /:id insight:write 405",
    "GET /:id/activity activity_log:read 200",
    "POST /:id/viewed - 200",
    "GET /activity activity_log:read 200",
    "POST /cancel - 200",
    "GET /funnel insight:read 200",
    "POST /funnel insight:read 200",
    "GET /funnel/correlation - 200",
    "POST /funnel/correlation - 200",
    "GET /my_last_viewed - 200",
    "GET /path insight:read 200",
    "POST /path insight:read 200",
    "GET /retention insight:read 200",
    "POST /retention insight:read 200",
    "POST /timing - 200",
    "GET /trend insight:read 200",
    "POST /trend insight:read 200",
  ],
};

const facts = Object.entries(FACTS).flatMap(([prefix, rows]) =>
  rows.map((row) => {
    const [method = "", rest = "", scope = "", success = "", named] = row.split(" ");
    return {
      call: `${method} ${prefix}${rest === "/" ? "" : rest}`,
      scope: scope === "-" ? null : scope,
      success: Number(success),
      shown: named === undefined,
    };
  }),
);

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
    const found = documented.map(({ method, path, scope, success, shown }) => ({
      call: `${method} ${path}`,
      scope,
      success,
      shown,
    }));
    expect(found.toSorted(byCall)).toEqual(facts.toSorted(byCall));
  });

  it("are what call --list tells", async () => {
    const told = await list();
    const found = told.operations.map(({ method, path, scope, success, shown }) => ({
      call: `${method} ${path}`,
      scope,
      success,
      shown,
    }));
    expect(found.toSorted(byCall)).toEqual(facts.toSorted(byCall));
    expect(told.beyond_document.every(({ path }) => path.startsWith("/api/projects/:project_id/batch_exports"))).toBe(
      true,
    );
    expect(told.operations.length + told.beyond_document.length).toBe(all.length);
  });

  it("are told in the form of the schema", async () => {
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

describe("the tables", () => {
  it("hold beyond the document only the project's route of batch exports, with the same operations", () => {
    const known = all.filter(({ name }) => name.startsWith("batch_exports."));
    const others = all.filter(({ document }) => !document);
    expect(others.map(({ name, method, path, scope }) => ({ name, method, path, scope }))).toEqual(
      known.map(({ name, method, path, scope }) => ({
        name: `project_${name}`,
        method,
        path: path.replace("organizations/:organization_id", "projects/:project_id"),
        scope,
      })),
    );
    expect(others.some(({ shown }) => shown)).toBe(false);
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
