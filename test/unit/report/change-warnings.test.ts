/** What is warned of changes stands in every form of a report, once. */
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { renderPlan } from "../../../src/report/index.ts";
import { change, plan } from "./documents.ts";

function warning(code: string, key: string, message = `about ${key}`): Diagnostic {
  return { severity: "warning", code, message, address: addressOf(key), file: "a.yaml", line: 3, column: 5 };
}

const addressOf = (key: string): string => `acme/projects/web/insights/${key}`;

const CHANGES = ["a", "b"].map((key) =>
  change({
    address: addressOf(key),
    action: "update",
    reason: `${key} differs`,
    fields: [{ path: `/${key}`, prior: 1, planned: 2 }],
  }),
);
const SAME = change({ address: addressOf("c"), action: "no_op", reason: "nothing differs" });
const DIAGNOSTICS = [
  warning("single", "a"),
  warning("shared", "a", "m"),
  warning("shared", "b", "m"),
  warning("elsewhere", "c"),
];

describe("a warning", () => {
  const texts = ["text", "markdown"] as const;

  it.each(texts)("of one change stands below its fields, that of several once (%s)", (format) => {
    const text = renderPlan(plan([...CHANGES, SAME], { diagnostics: DIAGNOSTICS }), format, { color: false });
    const places = ["a: 1", "single", "b: 1", "shared"].map((part) => text.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places).not.toContain(-1);
    expect(text.match(/single|shared/gu)).toHaveLength(2);
    expect(text.includes("elsewhere")).toBe(format === "markdown");
  });

  it.each(texts)("stands at each change if details are asked for (%s)", (format) => {
    const document = plan(CHANGES, { diagnostics: DIAGNOSTICS });
    const text = renderPlan(document, format, { color: false, verbose: true });
    const [first = "", second = ""] = text.split("b: 1");
    expect([first.match(/single|shared/gu), second.match(/single|shared/gu)]).toEqual([
      ["single", "shared"],
      ["shared"],
    ]);
  });

  it("is not left out of a comment with its change", () => {
    const many = Array.from({ length: 400 }, (_, index) =>
      change({
        address: addressOf(`i${String(index)}`),
        action: "create",
        reason: `no insight ${String(index)}`,
        fields: [{ path: "/name", prior: null, planned: "x".repeat(300 + index) }],
      }),
    );
    const text = renderPlan(plan(many, { diagnostics: [warning("single", "i399")] }), "markdown", { color: false });
    expect(text).toContain("more changes");
    expect(text.match(/single/gu)).toHaveLength(1);
  });
});
