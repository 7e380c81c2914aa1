import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { groupDiagnostics, renderDiagnostics } from "../../../src/report/diagnostics.ts";

const PLAIN = { color: false };

function warning(code: string, line: number, more: Partial<Diagnostic> = {}): Diagnostic {
  const address = `acme/projects/web/insights/${String(line)}`;
  return { severity: "warning", code, message: `about ${code}`, address, file: "a.yaml", line, column: 1, ...more };
}

const error: Diagnostic = { severity: "error", code: "wrong", message: "m", file: "a.yaml", line: 9, column: 9 };
const codesIn = (text: string): readonly string[] => text.match(/(?<=warning |error )\w+/gu) ?? [];

describe("groups of diagnostics", () => {
  it("have equal warnings in one, with all their places", () => {
    const { warnings } = groupDiagnostics([warning("old", 1), warning("other", 2), warning("old", 3)]);
    expect(warnings).toMatchObject([
      { code: "old", places: ["a.yaml:1:1", "a.yaml:3:1"], noun: "resource" },
      { code: "other", places: ["a.yaml:2:1"] },
    ]);
  });

  it("count resources only if each has one", () => {
    const address = "acme";
    const { warnings } = groupDiagnostics([warning("old", 1, { address }), warning("old", 3, { address })]);
    expect(warnings).toMatchObject([{ noun: "place" }]);
  });

  it("are apart if their messages differ by more than the address", () => {
    const at = (address: string, text: string): Diagnostic =>
      warning("old", 1, { address, message: `${address}: ${text}`, file: undefined });
    const { warnings } = groupDiagnostics([at("a", "same"), at("b", "same"), at("c", "other")]);
    expect(warnings.map(({ message, places }) => [message, places])).toEqual([
      ["same", ["a", "b"]],
      ["other", ["c"]],
    ]);
  });

  it("have a hint only if all diagnostics have the same one", () => {
    const { warnings } = groupDiagnostics([warning("old", 1, { hint: "a" }), warning("old", 2, { hint: "b" })]);
    expect(warnings).toMatchObject([{ hint: undefined }]);
  });

  it("never hide one of few errors in a group", () => {
    expect(groupDiagnostics([error, error]).errors).toHaveLength(2);
  });

  it("have more than ten equal errors in one, unless each is asked for", () => {
    const alike = Array.from({ length: 11 }, (_, line) => ({ ...error, line }));
    const all = [...alike, { ...error, message: "other" }];
    expect(groupDiagnostics(all).errors.map(({ places }) => places.length)).toEqual([11, 1]);
    expect(groupDiagnostics(all, { verbose: true }).errors).toHaveLength(12);
    expect(groupDiagnostics(alike.slice(1)).errors).toHaveLength(10);
    expect(renderDiagnostics(alike, PLAIN)).toMatch(/^a\.yaml:0:9: error wrong: m \(also at .* and 7 more; --verbose/u);
  });

  it("have errors of one cause in one, unless each is asked for", () => {
    const unset = (line: number, name: string): Diagnostic => ({
      ...error,
      code: "unresolved_variable",
      message: name,
      line,
    });
    const all = [unset(1, "A"), unset(2, "B"), unset(3, "A"), { ...unset(4, "A"), hint: "another" }];
    expect(groupDiagnostics(all).errors).toMatchObject([
      { message: "A", places: ["a.yaml:1:9", "a.yaml:3:9"] },
      { message: "B", places: ["a.yaml:2:9"] },
      { message: "A", places: ["a.yaml:4:9"], hint: "another" },
    ]);
    expect(groupDiagnostics(all, { verbose: true }).errors).toHaveLength(4);
  });
});

describe("diagnostics as text", () => {
  it("begin with the errors", () => {
    const text = renderDiagnostics([warning("old", 1), warning("other", 2), error], PLAIN);
    expect(codesIn(text)).toEqual(["wrong", "old", "other"]);
  });

  it("name the place of a single warning, and the number and the first of many", () => {
    const many = [4, 5, 6, 7, 8].map((line) => warning("odd", line));
    const text = renderDiagnostics([warning("old", 1), warning("old", 2), warning("other", 3), ...many], PLAIN);
    expect(text).toMatchInlineSnapshot(`
      "warning old: about old (2 resources: a.yaml:1:1, a.yaml:2:1)
      a.yaml:3:1: warning other: about other
      warning odd: about odd (5 resources: a.yaml:4:1, a.yaml:5:1, a.yaml:6:1 and 2 more; --verbose lists them)
      "
    `);
  });

  it("begin with the first place of errors of one cause, for editors, and name the others", () => {
    const unset = (line: number): Diagnostic => ({ ...error, code: "missing_secret", line, hint: "h" });
    expect(renderDiagnostics([1, 2].map(unset), PLAIN)).toMatchInlineSnapshot(`
      "a.yaml:1:9: error missing_secret: m (also at a.yaml:2:9)
        hint: h
      "
    `);
    expect(renderDiagnostics([1, 2, 3, 4, 5, 6].map(unset), PLAIN)).toMatchInlineSnapshot(`
      "a.yaml:1:9: error missing_secret: m (also at a.yaml:2:9, a.yaml:3:9, a.yaml:4:9 and 2 more; --verbose lists them)
        hint: h
      "
    `);
  });

  it("count what has no place", () => {
    const nowhere = { severity: "warning", code: "odd", message: "m" } as const;
    expect(renderDiagnostics([nowhere, nowhere], PLAIN)).toMatchInlineSnapshot(`
      "warning odd: m (2 places)
      "
    `);
  });

  it.each([0, 1])("have at most ten lines of warnings, regardless of the lines of hints (%i)", (hints) => {
    const many = Array.from({ length: 12 }, (_, index) => [
      warning(`c${String(index)}`, index, hints === 1 ? { hint: "h" } : {}),
      warning(`c${String(index)}`, index, hints === 1 ? { hint: "h" } : {}),
    ]).flat();
    const lines = renderDiagnostics([...many, error], PLAIN)
      .trimEnd()
      .split("\n");
    expect(lines).toHaveLength(hints === 1 ? 10 : 11);
    expect(lines.at(0)).toContain("wrong");
    expect(lines.at(-1)).toMatch(hints === 1 ? /^16 / : /^6 /);
  });

  it("list all of ten warnings", () => {
    const ten = Array.from({ length: 10 }, (_, index) => warning(`c${String(index)}`, index));
    expect(codesIn(renderDiagnostics(ten, PLAIN))).toHaveLength(10);
  });

  it("list each warning with its place if that is asked for", () => {
    const many = Array.from({ length: 20 }, (_, index) => warning("old", index));
    const text = renderDiagnostics(many, { ...PLAIN, verbose: true });
    expect(text.match(/^a\.yaml:\d+:1: warning old: about old$/gmu)).toHaveLength(20);
  });
});
