import { describe, expect, it } from "vitest";
import { type ModifiedFilter, onlyModified } from "../../../../src/engine/plan/modified-filter.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { declare, live, plan } from "../../plan/world.ts";

const NOON = "2026-03-02T12:00:00Z";
/** By name: when and by whom each insight was changed last. */
const ROWS: Readonly<Record<string, JsonObject>> = {
  early: { last_modified_at: "2026-03-02T11:59:59.999Z", last_modified_by: { email: "ada@acme.com" } },
  noon: { last_modified_at: NOON, last_modified_by: { email: "Ada@Acme.com" } },
  east: { last_modified_at: "2026-03-02T13:30:00+02:00", last_modified_by: { first_name: "Bob" } },
  when: { last_modified_at: "2026-03-03T00:00:00Z" },
  who: { last_modified_by: { email: "ada@acme.com" } },
  never: {},
  odd: { last_modified_at: "yesterday", last_modified_by: { email: "bob@acme.com" } },
};
const ALL = Object.keys(ROWS);
const names = [...ALL, "same", "gone"];
const resources = names.map((name) => declare(`acme/projects/web/insights/${name}`, { name, description: "a" }));
const rows = names
  .slice(0, -1)
  .map((name, id) => ({
    id,
    short_id: `short${String(id)}`,
    name,
    description: name === "same" ? "a" : "b",
    ...(ROWS[name] ?? { last_modified_at: "2020-01-01T00:00:00Z", last_modified_by: { email: "eve@acme.com" } }),
  }));
const PLAN = plan(resources, live({}, { "insights.list": rows }));

describe("a drift report shows", () => {
  it.each<[ModifiedFilter, readonly string[], readonly string[]]>([
    [{}, [...ALL, "gone"], []],
    [{ since: Date.parse(NOON) }, ["noon", "when"], ["who", "never", "odd", "gone"]],
    [{ since: Date.parse(NOON) - 1 }, ["early", "noon", "when"], ["who", "never", "odd", "gone"]],
    [{ by: "ADA@acme.com" }, ["early", "noon", "who"], ["when", "never", "gone"]],
    [{ by: "bob" }, ["east"], ["when", "never", "gone"]],
    [{ by: "bob@acme.com" }, ["odd"], ["when", "never", "gone"]],
    [{ since: Date.parse(NOON), by: "bob@acme.com" }, [], ["when", "never", "odd", "gone"]],
  ])("with %j what is meant: %j, and names what is of nobody: %j", (filter, shown, named) => {
    const { plan: filtered, diagnostics } = onlyModified(PLAN, filter, { lists: new Map() });
    const left = filtered.changes.map(({ address }) => lastOf(address));
    expect(new Set(left)).toEqual(new Set([...shown, "same"]));
    const isGoneShown = shown.includes("gone");
    expect(filtered.summary).toMatchObject({
      update: shown.length - Number(isGoneShown),
      create: Number(isGoneShown),
      no_op: 1,
    });
    const others = shown.length + named.length < ALL.length + 1 ? [undefined] : [];
    expect(new Set(diagnostics.map(({ address }) => address && lastOf(address)))).toEqual(
      new Set([...others, ...named]),
    );
    expect(diagnostics.every(({ code }) => code === "filtered")).toBe(true);
  });
});

it.each([
  ["bbo", "error: Did you mean Bob?"],
  ["zoe", "error: Known authors: ada@acme.com, Ada@Acme.com, Bob, bob@acme.com, eve@acme.com."],
])("with --by %s that nobody of that name is an author", (by, said) => {
  const { diagnostics } = onlyModified(PLAN, { by }, { lists: new Map() });
  const unknown = diagnostics.find(({ code }) => code === "unknown_author");
  expect(unknown && `${unknown.severity}: ${String(unknown.hint)}`).toBe(said);
});

function lastOf(address: string): string | undefined {
  return address.split("/").at(-1);
}
