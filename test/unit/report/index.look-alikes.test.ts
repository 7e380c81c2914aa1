/**
 * What is approved is what is shown: two values that differ never look the same in a report.
 *
 * Terms: a look is what a reader sees of a text. Compatible characters, all spaces, and nothing in place of invisible characters
 * look alike. Each side of a report has its paths and its values, without the signs of the sides.
 */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../../../src/model/json/canonical-json.ts";
import type { Json } from "../../../src/model/json/json.ts";
import { renderPlan } from "../../../src/report/index.ts";
import { budget } from "../../support/budget.ts";
import { change, plan } from "./documents.ts";
import { bodyOf, rowsOf, textOf } from "./html/text.ts";

/** The two sides of a report, and whether it says that an element moved. */
interface Shown {
  readonly prior: string;
  readonly planned: string;
  readonly isMoved: boolean;
}

const MOVED = / moved to \[\d+\]: /;

function shownIn(format: "html" | "markdown", path: string, prior: Json, planned: Json): Shown {
  const fields = [{ path, prior, planned }];
  const report = renderPlan(plan([change({ kind: "insight", action: "update", fields })]), format, { color: false });
  if (format === "html") {
    const rows = rowsOf(report);
    const side = (name: "prior" | "planned"): string =>
      rows.map((row) => `${row.path}\n${row[name].replaceAll(/^[-+] /gm, "")}`).join("\n");
    return { prior: side("prior"), planned: side("planned"), isMoved: MOVED.test(textOf(bodyOf(report))) };
  }
  const lines = (/^(`{3,})diff\n([^]*?)\n\1$/m.exec(report)?.[2] ?? "").split("\n");
  return { prior: linesOfSide(lines, "-"), planned: linesOfSide(lines, "+"), isMoved: MOVED.test(report) };
}

/** The lines of one side, below the paths of those that do not stand on the line itself. */
function linesOfSide(lines: readonly string[], sign: "-" | "+"): string {
  let path: string[] = [];
  return lines
    .flatMap((line) => {
      if (/^ {2}\S/.test(line)) path = [];
      if (line.startsWith(" ")) path.push(line);
      return line.startsWith(sign) ? [...path.splice(0), line.slice(1)] : [];
    })
    .join("\n");
}

function look(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .normalize("NFKC")
        .replaceAll(/[\p{Cf}\ufe0f\u034f]/gu, "")
        .replaceAll(/\p{Zs}/gu, " ")
        .replaceAll("\u0430", "a")
        .replaceAll("\u0415", "E")
        .replaceAll("\u039f", "O")
        .replaceAll("\u2013", "-")
        .trimEnd(),
    )
    .join("\n");
}

function expectDifferent(format: "html" | "markdown", path: string, prior: Json, planned: Json): void {
  const shown = shownIn(format, path, prior, planned);
  if (!shown.isMoved) expect(look(shown.prior)).not.toBe(look(shown.planned));
}

const PAIRS: readonly (readonly [string, string, string])[] = [
  ["a no-break space and a space", "Signups\u00a0per week", "Signups per week"],
  ["an ideographic space and a space", "a\u3000b", "a b"],
  ["a composed and a decomposed letter", "caf\u00e9", "cafe\u0301"],
  ["an invisible character and its escape", "a\u200bb", "a\\u200bb"],
  ["a control character and its escape", "a\u001bb", "a\\u001bb"],
  ["a tab and its escape", "a\tb", "a\\tb"],
  ["a selector of an appearance, and none", "a\ufe0f", "a"],
  ["a space at the end, and none", "a ", "a"],
  ["a Cyrillic and a Latin letter", "p\u0430y", "pay"],
  ["a Cyrillic and a Latin capital", "\u0415U", "EU"],
  ["a Greek and a Latin capital", "\u039fK", "OK"],
  ["a dash and a hyphen", "a\u2013b", "a-b"],
  ["a ligature and its letters", "\ufb01t", "fit"],
  ["a decomposed letter behind a backslash, and a composed one", "\\e\u0301", "\\\u00e9"],
];

/** Where a text can stand: the path of its field, and the value with the text. */
const PLACES: readonly (readonly [string, string, (text: string) => Json])[] = [
  ["a short text", "/name", (text) => text],
  ["a long text", "/description", (text) => `${"one two ".repeat(20)}${text}${" three".repeat(20)}`],
  ["a text with several lines", "/query/query", (text) => `SELECT 1\n${text}\nFROM x`],
  ["a text at the end of several lines", "/query/query", (text) => `SELECT 1\n${text}`],
  ["an element of a set", "/tags", (text) => [text, "x"]],
  ["a long element of a set", "/tags", (text) => [`${"one two ".repeat(20)}${text}`, "x"]],
  ["an element of a list", "/query/list", (text) => ["x", text]],
  [
    "an element of a list that has no counterpart",
    "/query/list",
    (text) => [1, { a: text, b: [text, [text, [1]]] }, 2],
  ],
  ["a key", "/query", (text) => ({ [text]: 1 })],
  ["a key of an element", "/query/list", (text) => [1, { [text]: 1 }]],
  ["a key of a new object", "/query", (text) => ({ a: { b: 1, [text]: { c: "d" } } })],
];

describe.each(["html", "markdown"] as const)("a report as %s", (format) => {
  it.each(PLACES)("shows that two texts differ, as %s", (_name, path, value) => {
    for (const [name, left, right] of PAIRS)
      for (const [prior, planned] of [
        [left, right],
        [right, left],
      ] as const) {
        const shown = shownIn(format, path, value(prior), value(planned));
        expect(look(shown.prior), name).not.toBe(look(shown.planned));
      }
  });

  it("shows two fields that look alike under different paths", () => {
    const fields = ["/query/caf\u00e9", "/query/cafe\u0301"].map((path) => ({ path, prior: 1, planned: 2 }));
    const report = renderPlan(plan([change({ kind: "insight", action: "update", fields })]), format, { color: false });
    expect(report).toContain("caf\\u00e9");
    expect(report).toContain("cafe\\u0301");
  });

  it("shows that two lines of a text differ, even if they are far apart", () => {
    const between = "1\n2\n3\n4\n5\n6\n7\n8\n9";
    const shown = shownIn(format, "/query/query", `caf\u00e9\n${between}`, `${between}\ncafe\u0301`);
    expect([shown.prior, shown.planned].join("\n")).toMatch(/caf\\u00e9[^]*cafe\\u0301/);
  });

  it("leaves texts alone that only stand on both sides", () => {
    const line = "週次\u00a0サインアップ（新規）";
    const shown = shownIn(format, "/query/query", `a\n${line}\nb`, `${line}\na\nb`);
    expect(shown.prior + shown.planned).not.toContain("\\u");
  });

  it("shows that random values differ", () => {
    const property = fc.property(fc.constantFrom("/query", "/tags"), pair, (path, [prior, planned]) => {
      fc.pre(canonicalJson(prior) !== canonicalJson(planned));
      expectDifferent(format, path, prior, planned);
    });
    fc.assert(property, { numRuns: budget(2000) });
  });
});

const piece = fc.oneof(
  fc.constantFrom("a", "b", "n", "t", " ", "\n", "\t", "\\", '"', ":", "-", "1", "\\u200b", "\\u00e9", "fi", "..."),
  fc.constantFrom("\u00a0", "\u3000", "\u200b", "\u00e9", "e\u0301", "\ufb01", "\ufe0f", "\u00ad", "\u202e", "…"),
  fc.constantFrom("日", "👩\u200d💻", "long word ".repeat(8)),
);
const text = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.oneof(text, text, fc.constantFrom<Json>(null, true, 1, {}, [])),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(text, tie("value"), { maxKeys: 3 }),
  ),
}));

/** Makes another text that looks the same, or nearly so. */
const disguise = fc.constantFrom<(text: string) => string>(
  (own) => own.normalize("NFC"),
  (own) => own.normalize("NFD"),
  (own) => own.normalize("NFKC"),
  (own) => own.replaceAll(" ", "\u00a0"),
  (own) => own.replaceAll(/\p{Zs}/gu, " "),
  (own) => own.replaceAll("\u200b", "\\u200b"),
  (own) => own.replaceAll("\\u200b", "\u200b"),
  (own) => own.replaceAll("\u200b", ""),
  (own) => own.replaceAll("\n", "\\n"),
  (own) => `${own} `,
  (own) => `${own}\u200b`,
  (own) => `${own}\n`,
);

function disguised(own: Json, hide: (text: string) => string): Json {
  if (typeof own === "string") return hide(own);
  if (own === null || typeof own !== "object") return own;
  if (Array.isArray(own)) return own.map((item: Json) => disguised(item, hide));
  return Object.fromEntries(Object.entries(own).map(([key, item]) => [hide(key), disguised(item, hide)]));
}

const pair: fc.Arbitrary<readonly [Json, Json]> = fc.oneof(
  fc.tuple(value, value),
  fc.tuple(value, disguise).map(([own, hide]) => [own, disguised(own, hide)] as const),
);
