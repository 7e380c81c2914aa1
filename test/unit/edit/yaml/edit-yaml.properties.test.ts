import * as fc from "fast-check";
import { parse } from "yaml";
import { expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";
import { rawValue } from "../../../../src/edit/yaml/yaml-text.ts";
import { budget, isWhole } from "../../../support/budget.ts";
import { styledEdits } from "../styles.ts";

it("writes any live edit into any style, keeps every comment, and leaves all other lines as they are", () => {
  let refusals = 0;
  const runs = budget(2000);
  const property = fc.property(styledEdits, ({ text, before, after, kept, comments }) => {
    const { text: result, refused } = editYaml(text, [editAt(2, 1, { path: "", declared: before, value: after })]);
    if (refused.length > 0) {
      refusals += 1;
      expect(result).toBe(text);
      return;
    }
    const { base, insight, other } = parse(result, { merge: true }) as Readonly<Record<string, unknown>>;
    expect([base, insight, other]).toEqual([{ from: "base" }, rawValue(after), 1]);
    const lines = result.split(/\r?\n/);
    for (const comment of comments) expect(lines).toContain(comment);
    let at = 0;
    for (const line of kept) {
      const index = lines.indexOf(line, at);
      expect(index, `${JSON.stringify(line)} is gone`).toBeGreaterThanOrEqual(0);
      at = index + 1;
    }
  });
  fc.assert(property, { numRuns: runs });
  if (isWhole) expect(refusals / runs).toBeLessThan(0.08);
});
