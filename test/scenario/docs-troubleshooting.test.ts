import { readdirSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { EXIT, exitCodesOfDifferences, exitCodesOfPlan, worst, type ExitCode } from "../../src/cli/exit-codes.ts";
import { CODES } from "../../src/model/diagnostic-codes.ts";
import type { Plan } from "../../src/model/plan.ts";
import { tableUnder } from "./docs/blocks.ts";
import { ROOT, textOf } from "./docs/pages.ts";

const PAGE = textOf("docs/troubleshooting.md");
const PLAN_SCHEMA = JSON.parse(textOf("schemas/plan.schema.json")) as {
  readonly definitions: {
    readonly Blocked: { readonly properties: { readonly rule: { readonly enum: readonly string[] } } };
  };
};
/** What the client and the engine are made of: the emulator and generated code have texts of their own. */
const SOURCE = readdirSync(join(ROOT, "src"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ts") && !/^(?:emulator|generated|model\/diagnostic-codes)/.test(file))
  .map((file) => textOf(join("src", file)))
  .join("\n");

/** The codes in the first column of the table under a heading. */
function codesUnder(heading: string): readonly string[] {
  return tableUnder(PAGE, heading).flatMap(([first = ""]) =>
    [...first.matchAll(/`([a-z0-9_]+)`/g)].map(([, code = ""]) => code),
  );
}

/** Codes that no user looks up, and why. */
const NOT_ON_THE_PAGE: Readonly<Record<string, string>> = {
  unknown: "with a write of an unknown outcome; the page has outcome_unknown",
  skipped: "groups what has no code",
  deadline: "the time limit of a resource of Pulumi, whose message has the way out",
};

/** What Pulumi's engine says, as in owners.deep.test.ts. */
const OF_THE_ENGINE = [
  "no resource plugin",
  "pending operations from previous deployment",
  "the stack is currently locked",
];

/** The code that `CODES.name` stands for. */
function codeNamed({ name }: ts.PropertyAccessExpression): string {
  return CODES[name.text as keyof typeof CODES];
}

/** The codes that src writes: as `code` of a message, or as an argument of a function that makes one. */
function writtenCodes(): ReadonlySet<string> {
  const codes = new Set<string>();
  const add = (node: ts.Node | undefined): void => {
    if (node === undefined) return;
    if (ts.isConditionalExpression(node)) [node.whenTrue, node.whenFalse].forEach(add);
    else if (ts.isPropertyAccessExpression(node) && node.expression.getText() === "CODES") codes.add(codeNamed(node));
    else if (ts.isStringLiteral(node) && /^[a-z0-9_]+$/u.test(node.text)) codes.add(node.text);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node)) add(node);
    if (ts.isPropertyAssignment(node) && node.name.getText() === "code") add(node.initializer);
    if (ts.isCallExpression(node) && ["engineError", "failure"].includes(node.expression.getText()))
      add(node.arguments[1]);
    ts.forEachChild(node, visit);
  };
  ts.forEachChild(ts.createSourceFile("src.ts", SOURCE, ts.ScriptTarget.Latest, true), visit);
  return codes;
}

describe("docs/troubleshooting.md", () => {
  const written = writtenCodes();

  it("has every code that driftline writes", () => {
    expect(written.size).toBeGreaterThan(90);
    const missing = [...written].filter((code) => !PAGE.includes(`\`${code}\``));
    expect(missing.toSorted()).toEqual(Object.keys(NOT_ON_THE_PAGE).toSorted());
  });

  it("has every exit code, and says which comes first", () => {
    const codes = tableUnder(PAGE, "## Exit codes").map(([code]) => Number(code));
    expect(codes).toEqual(Object.values(EXIT));
    const order = (/Where several apply: ([\d, ]+),/.exec(PAGE)?.[1] ?? "").split(", ").map(Number) as ExitCode[];
    expect(new Set([...order, EXIT.ok])).toEqual(new Set(codes));
    const sorted = order.map((_code, index) => worst(order.slice(index)));
    expect(sorted).toEqual(order);
  });

  it("has every rule that blocks a change", () => {
    const rules = PLAN_SCHEMA.definitions.Blocked.properties.rule.enum;
    expect(codesUnder("## Blocked changes").toSorted()).toEqual(rules.toSorted());
  });

  it.each(tableUnder(PAGE, "## Blocked changes"))("has the exit code of a plan that %s blocks: %s", (rule, code) => {
    const changes = (rule ?? "")
      .replaceAll("`", "")
      .split(", ")
      .map((one) => ({ action: "replace", blocked: { rule: one, lift: "" } }));
    const plan = { changes, diagnostics: [] } as unknown as Pick<Plan, "changes" | "diagnostics">;
    const isRefused = Number(code) === EXIT.refused;
    expect(worst(exitCodesOfPlan(plan))).toBe(Number(code));
    expect(worst([...exitCodesOfPlan(plan), ...exitCodesOfDifferences(plan.changes)])).toBe(
      isRefused ? EXIT.refused : EXIT.differences,
    );
    expect(worst(exitCodesOfDifferences(plan.changes))).toBe(EXIT.differences);
  });

  it.each(["## Service and key", "## Configuration", "## Finding objects", "## Saved plans", "## Applying"])(
    "names codes that driftline reports: %s",
    (heading) => {
      const codes = codesUnder(heading);
      expect(codes.length).toBeGreaterThan(5);
      expect(codes.filter((code) => !written.has(code) && !SOURCE.includes(`"${code}"`))).toEqual([]);
    },
  );

  it("names messages of Pulumi that the provider or the engine writes", () => {
    const messages = tableUnder(PAGE, "## Pulumi").flatMap(([first = ""]) =>
      [...first.matchAll(/`([^`]+)`/g)].map(([, message = ""]) => message),
    );
    const unknown = messages.filter((message) => !SOURCE.includes(message));
    expect(unknown.toSorted()).toEqual(OF_THE_ENGINE);
    expect(messages.length).toBeGreaterThan(OF_THE_ENGINE.length);
  });
});
