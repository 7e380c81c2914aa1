import { describe, expect, it } from "vitest";
import { OutcomeLines } from "../../../../../src/cli/commands/apply/outcome-lines.ts";
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

/** The lines of the changes if each takes so long. Milliseconds. */
function linesOf(
  changes: readonly Outcome[],
  each: number,
  more: { readonly isWatched?: boolean } = {},
): OutcomeLines & {
  readonly run: (outcomes?: readonly Outcome[]) => string;
} {
  let now = 0;
  const clock = { now: () => now, random: () => 0, sleep: () => Promise.resolve() };
  const lines = new OutcomeLines(changes, {
    color: false,
    clock,
    isWatched: false,
    timeLeft: () => "about 3 minutes",
    ...more,
  });
  const run = (outcomes = changes): string =>
    outcomes
      .map((one) => {
        now += each;
        return lines.add(one);
      })
      .join("");
  return Object.assign(lines, { run });
}

describe("equal changes", () => {
  it("have one line in ten seconds in a log, and one at the end", () => {
    expect(linesOf(insights(250), 100).run()).toMatchSnapshot();
  });

  it("have one line at the end where a status line shows how far it is", () => {
    expect(linesOf(insights(250), 100, { isWatched: true }).run()).toMatchSnapshot();
  });

  it("have their line at the end as well if not all are made", () => {
    const all = insights(250);
    const lines = linesOf(all, 10);
    expect(lines.run(all.slice(0, 30))).toBe("");
    expect(lines.rest()).toMatchSnapshot();
    expect(lines.rest()).toBe("");
  });

  it("that are two are shown one by one", () => {
    expect(linesOf(insights(2), 1).run().split("\n")).toHaveLength(3);
  });
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
  const lines = linesOf(all, 1);
  expect(lines.run([failed, ...others, ...people, ...removals]) + lines.rest()).toMatchSnapshot();
});

it("the state has the count, what is done, and the time that is left", () => {
  const all = insights(250);
  const lines = linesOf(all, 1);
  lines.run(all.slice(0, 30));
  expect(lines.state()).toMatchSnapshot();
});
