import { liftOf } from "../../../support/lift.ts";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { sentencesOf } from "../../../support/sentences.ts";
import { changeOf, declare, live, plan } from "../world.ts";

const INSIGHT = "acme/projects/web/insights/s";
const query = { kind: "Trends" };
const planned = (...rows: readonly JsonObject[]) =>
  plan([declare(INSIGHT, { name: "S", query, description: "new" })], live({}, { "insights.list": rows }));

describe("an undeclared insight with the query of a resource", () => {
  it("is probably the former one of a create, even if it has no name", () => {
    const { diagnostics } = planned({ id: 1, name: null, query, description: "old" });
    expect(diagnostics).toMatchObject([{ code: "probable_rename", address: INSIGHT }]);
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });

  it("is probably the former one even if another free-form field differs", () => {
    const declared = declare(INSIGHT, { name: "S", query, filters: { insight: "TRENDS" } });
    const row = { id: 1, name: "Old", query, filters: { insight: "FUNNELS" } };
    const { diagnostics } = plan([declared], live({}, { "insights.list": [row] }));
    expect(diagnostics).toMatchObject([{ code: "probable_rename" }]);
  });

  it("is not that of a resource that exists", () => {
    const other = { id: 2, name: "Other", query, description: "new" };
    const made = planned({ id: 1, name: "S", query, description: "old" }, other);
    expect(changeOf(made, INSIGHT)).toMatchObject({ action: "update", blocked: null });
    expect(made.diagnostics).toEqual([]);
  });
});

describe("undeclared insights that may be the former ones of several creates", () => {
  const INSIGHTS = "acme/projects/web/insights";
  const exclusive = [{ scope: "acme/projects/web", kind: "insight" }] as const;
  const pruned = (creates: readonly JsonObject[], ...rows: readonly JsonObject[]) =>
    plan(
      creates.map((values, index) => declare(`${INSIGHTS}/n${index}`, { name: `N${index}`, ...values })),
      live({}, { "insights.list": rows.map((row, index) => ({ ...row, id: index + 1, name: `O${index + 1}` })) }),
      { prune: true },
      { exclusive },
    ).changes.filter(({ action }) => action === "delete");

  it("belong to the first create that they match, and name its first candidate", () => {
    const creates = [{ query: { kind: "Funnels" }, tags: [] }, { query }, { query, tags: [] }];
    const [first, second] = pruned(creates, { query }, { query, tags: [] });
    expect(liftOf(first?.blocked)).toContain("id: 1 or");
    expect(liftOf(second?.blocked)).toContain("id: 1 or");
  });

  it("match no create if each value is that of another one", () => {
    const creates = [
      { query, description: "a" },
      { query: { kind: "Funnels" }, description: "b" },
    ];
    expect(pruned(creates, { query, description: "b" })).toMatchObject([{ blocked: null }]);
  });
});
