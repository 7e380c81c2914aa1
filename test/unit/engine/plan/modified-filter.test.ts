import { describe, expect, it } from "vitest";
import { type ModifiedFilter, onlyModified } from "../../../../src/engine/plan/modified-filter.ts";
import type { JsonObject } from "../../../../src/model/json.ts";
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
const rows = names.slice(0, -1).map((name, id) => ({
  id,
  short_id: `short${String(id)}`,
  name,
  description: name === "same" ? "a" : "b",
  ...(ROWS[name] ?? { last_modified_at: "2020-01-01T00:00:00Z", last_modified_by: { email: "eve@acme.com" } }),
}));
const PLAN = plan(resources, live({}, { "insights.list": rows }));

describe("a drift report shows", () => {
  it.each<[ModifiedFilter, readonly string[]]>([
    [{}, ALL],
    [{ since: Date.parse(NOON) }, ["noon", "when", "who", "never", "odd"]],
    [{ since: Date.parse(NOON) - 1 }, ["early", "noon", "when", "who", "never", "odd"]],
    [{ by: "ADA@acme.com" }, ["early", "noon", "when", "who", "never"]],
    [{ by: "bob" }, ["east", "when", "never"]],
    [{ since: Date.parse(NOON), by: "bob@acme.com" }, ["when", "never", "odd"]],
  ])("with %j what may be meant: %j", (filter, shown) => {
    const { plan: filtered, diagnostics } = onlyModified(PLAN, filter);
    const left = filtered.changes.map(({ address }) => address.split("/").at(-1));
    expect(new Set(left)).toEqual(new Set([...shown, "same", "gone"]));
    expect(filtered.summary).toMatchObject({ update: shown.length, create: 1, no_op: 1 });
    expect(diagnostics.map(({ code }) => code)).toEqual(shown.length < ALL.length ? ["filtered"] : []);
  });
});
