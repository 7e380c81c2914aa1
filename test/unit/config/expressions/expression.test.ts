import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  formatExpression,
  type ExpressionPart,
  parseExpression,
  secretNames,
} from "../../../../src/config/expressions/expression.ts";
import { suggest } from "../../../../src/model/text/suggest.ts";
import { budget } from "../../../support/budget.ts";

const text = fc
  .array(fc.constantFrom("$", "{", "}", "$${", "${", "secret:", "a", " "), { minLength: 1, maxLength: 6 })
  .map((parts): ExpressionPart => ({ type: "text", text: parts.join("") }));
const secret = fc.constantFrom("A", "B_2").map((name): ExpressionPart => ({ type: "secret", name }));

/** Merges consecutive texts. */
function joined(parts: readonly ExpressionPart[]): readonly ExpressionPart[] {
  return parts.reduce<readonly ExpressionPart[]>((done, part) => {
    const last = done.at(-1);
    if (part.type !== "text" || last?.type !== "text") return [...done, part];
    return [...done.slice(0, -1), { type: "text", text: last.text + part.text }];
  }, []);
}

describe("an expression", () => {
  it("is parsed into the parts it was formatted from, with any dollar signs and braces", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(text, secret), { maxLength: 6 }), (parts) => {
        const expression = formatExpression(parts);
        const clashes = joined(parts).some(
          (part, index, all) => part.type === "text" && part.text.endsWith("$") && index < all.length - 1,
        );
        expect(expression === undefined).toBe(clashes);
        fc.pre(expression !== undefined);
        expect(parseExpression(expression ?? "")).toEqual(joined(parts));
      }),
      { numRuns: budget(2000) },
    );
  });

  it("lists each secret once, without escaped ones", () => {
    expect(secretNames("${secret:A}$${secret:C}${secret:B}${secret:A}")).toEqual(["A", "B"]);
  });
});

describe("suggest", () => {
  it.each([
    ["domian", ["domain", "name"], "domain"],
    ["jitProvisioningEnabled", ["jit_provisioning_enabled"], "jit_provisioning_enabled"],
    ["jit-provisioning-enabled", ["jit_provisioning_enabled"], "jit_provisioning_enabled"],
    ["Owner", ["owner", "member"], "owner"],
    ["nam", ["name"], "name"],
    ["descriptoin", ["description"], "description"],
    ["xyz", ["name", "url"], undefined],
    ["a", [], undefined],
    ["ab", ["ac", "aa"], "aa"],
    ["ab", ["aa", "ac"], "aa"],
  ])("for %s in %j returns %s", (word, candidates, expected) => {
    expect(suggest(word, candidates)).toBe(expected);
  });
});
