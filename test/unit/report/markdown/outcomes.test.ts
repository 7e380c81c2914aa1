import { describe, expect, it } from "vitest";
import type { Outcome } from "../../../../src/model/outcome.ts";
import { renderOutcomes } from "../../../../src/report/index.ts";
import { outcome, outcomes } from "../documents.ts";

const error = { code: "invalid_input", message: "PATCH /api/ answered 400" };

/** An update that no other is like. */
function update(name: string, size: number, part: Partial<Outcome>): Outcome {
  const lines = Array.from({ length: size }, (_, line) => `${name} line ${String(line)}`);
  const fields = [{ path: `/${name}`, prior: null, planned: `${lines.join("\n")}\n` }];
  return outcome({ address: `acme/domains/${name}`, action: "update", fields, ...part });
}

function markdown(changes: readonly Outcome[]): string {
  return renderOutcomes(outcomes(changes), "markdown", { color: false });
}

/** The numbers in the notes on what is left out. */
function leftOut(text: string): readonly number[] {
  return Array.from(text.matchAll(/Values or names of (\d+) changes?\*\* left out/gu), ([, count]) => Number(count));
}

describe("the Markdown record of an apply", () => {
  it("has the fields of a failed change, and whom a block was about that was lifted for it", () => {
    const reason = "a differs; allowed: it would lock people out (2 people: bob@acme.com, eve@acme.com)";
    const text = markdown([update("a", 1, { status: "failed", error, reason })]);
    expect(text).toContain("a line 0");
    expect(text).toContain("bob&#64;acme.com, eve&#64;acme.com");
    expect(leftOut(text)).toEqual([]);
  });

  it("says of how many changes it has no values, failed ones and those that were applied", () => {
    const rows = [1, 2, 3, 4, 5, 6, 7].map((one) => ({
      name: `n${String(one)}`,
      status: one > 4 ? "applied" : "failed",
    }));
    const changes = rows.map(({ name, status }) =>
      update(name, 1000, status === "failed" ? { status, error: { ...error, code: name } } : {}),
    );
    const text = markdown(changes);
    const missing = (wanted: string): number =>
      rows.filter(({ name, status }) => status === wanted && !text.includes(`${name} line 1`)).length;
    expect(text.length).toBeLessThan(60_000);
    expect([missing("failed"), missing("applied")]).toEqual([2, 2]);
    expect(leftOut(text)).toEqual([2, 2]);
    for (const { name } of rows) expect(text).toContain(`acme/domains/${name}`);
  });
});
