import { describe, expect, it } from "vitest";
import { scopesOfKind, createOf, kinds } from "../../../../src/kinds/registry.ts";
import type { Kind, ScopeType } from "../../../../src/kinds/kind.ts";
import { operations, type Operation } from "../../../../src/api/operations/index.ts";

const all: readonly [string, Operation][] = Object.entries(operations);

describe("the operation tables", () => {
  it("give each operation its own name and the types of exactly the parameters in its path", () => {
    for (const [name, operation] of all) {
      expect(operation.name).toBe(name);
      const inPath = operation.path
        .split("/")
        .flatMap((segment) => (segment.startsWith(":") ? [segment.slice(1)] : []));
      expect(Object.keys(operation.params)).toEqual(inPath);
    }
  });

  it("mark exactly those operations as creates that add an object each time", () => {
    const creating = all.filter(([, { effect }]) => effect === "create").map(([name]) => name);
    expect(creating).toEqual(
      all
        .map(([name]) => name)
        .filter((name) => /\.(create|create_backfill|backfill|retry_run|bulk|timing)$/.test(name)),
    );
  });

  it("read with GET, and with POST only for calculations", () => {
    for (const [name, { method, effect }] of all) {
      const calculates = method === "POST" && /\.(trend|funnel|funnel_correlation|path|retention|run)$/.test(name);
      expect([name, effect === "read"]).toEqual([name, method === "GET" || calculates]);
    }
  });

  it("count insights and queries against budgets of their own", () => {
    const budgets: Readonly<Record<string, string>> = { insights: "insights", queries: "queries" };
    for (const [name, { budget }] of all) expect(budget).toBe(budgets[name.split(".")[0] ?? ""] ?? "others");
  });
});

it("every operation that a kind calls is in the tables", () => {
  const called = Object.values(kinds).flatMap((kind: Kind) =>
    scopesOfKind(kind.name).flatMap((scope) => callsOf(kind, scope)),
  );
  const unknown = called.filter((name) => !Object.hasOwn(operations, name));
  expect(called.length).toBeGreaterThan(30);
  expect(unknown).toEqual([]);
});

function callsOf(kind: Kind, scope: ScopeType): string[] {
  const target = kind.writes.target(scope, { id: "x", parts: { member: "x", invites: ["x"] } });
  const calls = [target.get, target.update?.({}), ...target.remove, target.restore, createOf(kind)?.(scope, {}, "x")];
  const names = calls.flatMap((call) => (call === undefined ? [] : [call.operation]));
  return [...names, ...kind.lists.operations(scope), ...Object.values(target.transition?.operations ?? {})];
}
