import { describe, expect, it } from "vitest";
import { OutcomeLines } from "../../../../../src/cli/commands/apply/outcome-lines.ts";
import { groupsOf } from "../../../../../src/report/change-groups.ts";
import type { Outcome } from "../../../../../src/model/outcome.ts";
import { outcome } from "../../../report/documents.ts";

const insights = (count: number): readonly Outcome[] =>
  Array.from({ length: count }, (_, index) =>
    outcome({
      address: `acme/projects/web/insights/i${String(index)}`,
      kind: "insight",
      action: "update",
      reason: "tags differ",
      fields: [{ path: "/tags", prior: ["a"], planned: ["b"] }],
    }),
  );

function linesOf(
  changes: readonly Outcome[],
): OutcomeLines & { readonly run: (outcomes?: readonly Outcome[]) => string } {
  const lines = new OutcomeLines(changes, { color: false, timeLeft: () => "about 3 minutes" });
  const run = (outcomes = changes): string => outcomes.map((one) => lines.add(one)).join("");
  return Object.assign(lines, { run });
}

describe("equal changes", () => {
  it("have one line, at the end", () => {
    expect(linesOf(insights(250)).run()).toMatchSnapshot();
  });

  it("have their line at the end as well if not all are made", () => {
    const all = insights(250);
    const lines = linesOf(all);
    expect(lines.run(all.slice(0, 30))).toBe("");
    expect(lines.rest()).toMatchSnapshot();
    expect(lines.rest()).toBe("");
  });

  it("that are two are shown one by one", () => {
    expect(linesOf(insights(2)).run().split("\n")).toHaveLength(3);
  });
});

it("failures for one reason are said once, but those of people", () => {
  const refused = (outcomes: readonly Outcome[]): readonly Outcome[] =>
    outcomes.map((one, index) => {
      const message = `PATCH /api/projects/2/insights/${String(index)}/ answered 400: no`;
      return { ...one, status: "failed", error: { code: "invalid", message } };
    });
  const all = refused(insights(20));
  expect(linesOf(insights(20)).run(all).split("\n")).toHaveLength(2);
  const people = refused(all.map((one) => ({ ...one, kind: "membership" })));
  expect(linesOf(people).run().split("\n")).toHaveLength(21);
  const { groups } = groupsOf(all, { type: "driftline.outcomes" });
  expect(groups.map(({ members, box }) => [members.length, box?.text])).toEqual([
    [20, "PATCH /api/projects/2/insights/.../ answered 400: no"],
  ]);
});

it("a failure, a removal and a person have a line of their own at once", () => {
  const [first, ...others] = insights(6);
  const failed = { ...first, status: "failed", error: { code: "http_500", message: "500" } } as Outcome;
  const people = [1, 2, 3].map((n) =>
    outcome({ address: `acme/memberships/p${String(n)}`, kind: "membership", action: "update" }),
  );
  const removals = [1, 2, 3].map((n) =>
    outcome({ address: `acme/projects/web/insights/old${String(n)}`, kind: "insight", action: "delete" }),
  );
  const all = [...insights(6), ...people, ...removals];
  const lines = linesOf(all);
  expect(lines.run([failed, ...others, ...people, ...removals]) + lines.rest()).toMatchSnapshot();
});

it("the state has the count, what is done, what has failed, and the time that is left", () => {
  const all = insights(250);
  const lines = linesOf(all);
  lines.run(all.slice(0, 30).map((one, index) => (index < 2 ? { ...one, status: "failed" } : one)));
  expect(lines.state()).toMatchSnapshot();
});
