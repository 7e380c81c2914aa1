/** What is added to a mapping that is sorted by its keys goes to its place there. */
import * as fc from "fast-check";
import { parse } from "yaml";
import { describe, expect, it } from "vitest";
import { editAt } from "../edit-at.ts";
import { editYaml } from "../../../../src/edit/yaml/edit-yaml.ts";
import { budget } from "../../../support/budget.ts";

function added(text: string, ...keys: readonly string[]): string {
  const value = Object.fromEntries(keys.map((key) => [key, { name: key }]));
  const { text: result, refused } = editYaml(text, [editAt(1, 1, { path: "/insights", value, add: true })]);
  expect(refused).toEqual([]);
  return result;
}

describe("members that are added", () => {
  it.each([
    [
      "go to their places in a sorted block, and comments stay above their members",
      "web:\n  insights:\n    # of b\n    b: { name: b } # x\n\n    # of d\n    d: { name: d }\n  id: 1\n",
      "web:\n  insights:\n    a: { name: a }\n    # of b\n    b: { name: b } # x\n    c: { name: c }\n\n    # of d\n    d: { name: d }\n    e: { name: e }\n  id: 1\n",
    ],
    [
      "go to their places between braces",
      "web: { insights: { b: { name: b }, d: { name: d } } }\n",
      "web: { insights: { a: { name: a }, b: { name: b }, c: { name: c }, d: { name: d }, e: { name: e } } }\n",
    ],
    [
      "go behind the others if those are in another order",
      "web:\n  insights:\n    d: { name: d }\n    b: { name: b }\n",
      "web:\n  insights:\n    d: { name: d }\n    b: { name: b }\n    c: { name: c }\n    e: { name: e }\n    a: { name: a }\n",
    ],
    [
      "go behind a single one, whose order is not known",
      "web:\n  insights:\n    d: { name: d }\n",
      "web:\n  insights:\n    d: { name: d }\n    c: { name: c }\n    e: { name: e }\n    a: { name: a }\n",
    ],
  ])("%s", (_name, before, after) => {
    expect(added(before, "c", "e", "a")).toBe(after);
  });

  it("leave a sorted list sorted, in any style", () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z]{1,3}$/), { minLength: 3, maxLength: 9 });
    const property = fc.property(names, fc.integer({ min: 2, max: 8 }), fc.nat(2), (all, count, style) => {
      const old = all.slice(0, Math.min(count, all.length - 1)).toSorted();
      const member = (key: string): string => `${key}: { name: ${key} }`;
      const body = [
        `\n${old.map((key) => `    ${member(key)}\n`).join("")}`,
        ` { ${old.map(member).join(", ")} }\n`,
        ` {\n${old.map((key) => `    ${member(key)},\n`).join("")}  }\n`,
      ][style];
      const fresh = all.slice(old.length);
      const result = parse(added(`web:\n  insights:${body ?? ""}`, ...fresh)) as { web: { insights: object } };
      expect(Object.keys(result.web.insights)).toEqual([...all].toSorted());
    });
    fc.assert(property, { numRuns: budget(500) });
  });
});
