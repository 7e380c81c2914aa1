import { describe, expect, it } from "vitest";
import { kinds } from "../../../src/kinds/registry.ts";
import type { Kind, ScopeType } from "../../../src/kinds/kind.ts";
import { operations, type Operation } from "../../../src/api/operations/index.ts";

const all: readonly [string, Operation][] = Object.entries(operations);

/** From the document's tables, by hand: method, path, scope, success. */
const DOCUMENTED: Readonly<Record<string, string>> = {
  "organizations.list": "GET /api/organizations organization:read 200",
  "organizations.create": "POST /api/organizations organization:write 201",
  "organizations.get": "GET /api/organizations/:id organization:read 200",
  "organizations.update": "PATCH /api/organizations/:id organization:write 200",
  "organizations.delete": "DELETE /api/organizations/:id organization:write 204",
  "batch_exports.list": "GET /api/organizations/:organization_id/batch_exports batch_export:read 200",
  "batch_exports.create": "POST /api/organizations/:organization_id/batch_exports batch_export:write 201",
  "batch_exports.get": "GET /api/organizations/:organization_id/batch_exports/:id batch_export:read 200",
  "batch_exports.update": "PATCH /api/organizations/:organization_id/batch_exports/:id batch_export:write 200",
  "batch_exports.delete": "DELETE /api/organizations/:organization_id/batch_exports/:id batch_export:write 204",
  "batch_exports.pause": "POST /api/organizations/:organization_id/batch_exports/:id/pause null 200",
  "batch_exports.unpause": "POST /api/organizations/:organization_id/batch_exports/:id/unpause null 200",
  "domains.list": "GET /api/organizations/:organization_id/domains organization:read 200",
  "domains.create": "POST /api/organizations/:organization_id/domains organization:write 201",
  "domains.get": "GET /api/organizations/:organization_id/domains/:id organization:read 200",
  "domains.update": "PATCH /api/organizations/:organization_id/domains/:id organization:write 200",
  "domains.delete": "DELETE /api/organizations/:organization_id/domains/:id organization:write 204",
  "invites.list": "GET /api/organizations/:organization_id/invites organization_member:read 200",
  "invites.create": "POST /api/organizations/:organization_id/invites organization_member:write 201",
  "invites.delete": "DELETE /api/organizations/:organization_id/invites/:id organization_member:write 204",
  "members.list": "GET /api/organizations/:organization_id/members organization_member:read 200",
  "members.update": "PATCH /api/organizations/:organization_id/members/:user__uuid organization_member:write 200",
  "members.delete": "DELETE /api/organizations/:organization_id/members/:user__uuid organization_member:write 204",
  "insights.list": "GET /api/projects/:project_id/insights insight:read 200",
  "insights.create": "POST /api/projects/:project_id/insights insight:write 201",
  "insights.get": "GET /api/projects/:project_id/insights/:id insight:read 200",
  "insights.update": "PATCH /api/projects/:project_id/insights/:id insight:write 200",
};
for (const group of ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"]) {
  const path = `/api/organizations/:organization_id/${group}`;
  Object.assign(DOCUMENTED, {
    [`${group}.list`]: `GET ${path} plugin:read 200`,
    [`${group}.create`]: `POST ${path} plugin:write 201`,
    [`${group}.get`]: `GET ${path}/:id plugin:read 200`,
    [`${group}.update`]: `PATCH ${path}/:id plugin:write 200`,
    [`${group}.delete`]: `DELETE ${path}/:id plugin:write 204`,
  });
}

describe("the tables", () => {
  const summary = ({ method, path, scope, success }: Operation): string =>
    `${method} ${path} ${String(scope)} ${String(success)}`;

  it("hold what the document shows", () => {
    const shown = all.filter(([, operation]) => operation.shown).map(([name, operation]) => [name, summary(operation)]);
    expect(Object.fromEntries(shown)).toEqual(DOCUMENTED);
  });

  it("hold beyond it only the project's route of batch exports, with the same operations", () => {
    const others = all.filter(([, operation]) => !operation.shown);
    const expected = all
      .filter(([name]) => name.startsWith("batch_exports."))
      .map(([name, operation]) => [
        `project_${name}`,
        summary(operation).replace("organizations/:organization_id", "projects/:project_id"),
      ]);
    expect(others.map(([name, operation]) => [name, summary(operation)])).toEqual(expected);
  });

  it("give each operation its own name and the types of exactly the parameters in its path", () => {
    for (const [name, operation] of all) {
      expect(operation.name).toBe(name);
      const inPath = operation.path
        .split("/")
        .flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
      expect(Object.keys(operation.params)).toEqual(inPath);
    }
  });

  it("send nothing twice that creates", () => {
    const creating = all.filter(([, { effect }]) => effect === "create").map(([name]) => name);
    expect(creating).toEqual(all.map(([name]) => name).filter((name) => name.endsWith(".create")));
    for (const [, { method, effect }] of all) expect(effect === "read").toBe(method === "GET");
  });

  it("count insights against the budget of insights", () => {
    for (const [name, { budget }] of all) expect(budget).toBe(name.startsWith("insights.") ? "insights" : "others");
  });
});

it("every operation that a kind calls is in the tables", () => {
  const called = Object.values(kinds).flatMap((kind: Kind) => kind.scopes.flatMap((scope) => callsOf(kind, scope)));
  const unknown = called.filter((name) => !Object.hasOwn(operations, name));
  expect(called.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

function callsOf(kind: Kind, scope: ScopeType): string[] {
  const target = kind.target(scope, { id: "x", parts: { member: "x", invites: ["x"] } });
  const calls = [target.get, target.update?.({}), ...target.remove, target.restore, kind.create?.(scope, {}, "x")];
  const names = calls.flatMap((call) => (call === undefined ? [] : [call.operation]));
  return [...names, ...kind.lists(scope), ...Object.values(target.transition?.operations ?? {})];
}
