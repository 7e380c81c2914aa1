/**
 * What a person approves is what happens: a report mentions every leaf that differs, with its path and its value.
 *
 * The expected texts come from the structural difference (which its own tests prove complete). The report is read back by
 * its columns: paths stand at the indent of fields, rows behind a sign, the rest of a wrapped row behind blanks or `↳`. White
 * space does not count here, because lines are broken at it: width.test.ts proves that nothing else is lost there.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Json as PlainJson } from "../../../src/emulator/json.ts";
import { isJsonArray, isJsonObject, type Json } from "../../../src/model/json/json.ts";
import { isSensitive, SENSITIVE } from "../../../src/model/secret-values.ts";
import { pointerKeys } from "../../../src/model/pointer.ts";
import { diffField, type ValueDifference } from "../../../src/report/diff/value-diff.ts";
import { sanitize } from "../../../src/model/text/quote.ts";
import { sanitizeExactly } from "../../../src/report/escape.ts";
import { renderPlan } from "../../../src/report/index.ts";
import { textWidth } from "../../../src/report/width.ts";
import { budget } from "../../support/budget.ts";
import { changedAt, pathsIn, QUERIES } from "../../support/queries.ts";
import { DIFFS } from "./diff-documents.ts";
import { change, plan } from "./documents.ts";

const WIDTHS = [60, 100, 200] as const;

/** A path as a report shows it, and the texts that stand behind or below it: one of each row. */
interface Mention {
  readonly path: string;
  readonly texts: readonly (readonly string[])[];
}

const bare = (text: string): string => text.replaceAll(/\s/g, "");
const keyOf = (key: string): string => (/^[^\s."\\:,[\]{}()]+$/.test(key) ? key : JSON.stringify(key));
const isNested = (value: Json): value is Extract<Json, object> =>
  (isJsonArray(value) || isJsonObject(value)) && !isSensitive(value) && Object.keys(value).length > 0;

/** The forms in which a scalar may stand: as it is or in quotes, both with escapes or without. */
function scalarForms(value: Json): readonly string[] {
  if (isSensitive(value)) return ["(sensitive)"];
  if (typeof value !== "string") return [value === null ? "null" : JSON.stringify(value)];
  const forms = [sanitizeExactly(value), sanitize(JSON.stringify(value))];
  return [...forms, ...forms.map(escaped)];
}

/** A text that looks like another one: with escapes for everything beyond ASCII, and for spaces at the end. */
function escaped(text: string): string {
  return text.replaceAll(/\\+(?=[^ -~]| +$)/gu, "$&$&").replaceAll(/[^ -~]| (?= *$)/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
  });
}

/** A line within a text that stands in quotes, on one line. */
function insideQuotes(line: string): readonly string[] {
  const form = sanitize(JSON.stringify(line)).slice(1, -1);
  return [form, escaped(form)];
}

/** The texts of all leaves of a value, each with the key before it; texts of several lines by line. */
function leafTexts(value: Json, key = ""): readonly (readonly string[])[] {
  const label = key === "" ? "" : `${sanitize(keyOf(key))}:`;
  if (isNested(value)) {
    const inner = isJsonArray(value)
      ? value.flatMap((item: Json) => leafTexts(item))
      : Object.entries(value).flatMap(([name, item]) => leafTexts(item, name));
    return label === "" ? inner : [[label], ...inner];
  }
  if (typeof value === "string" && value.includes("\n"))
    return [[label], ...value.split("\n").map((line) => [...scalarForms(line), ...insideQuotes(line)])];
  return [scalarForms(value).map((form) => label + form)];
}

/** Everything that has to be in the report for a difference of a field. */
function mentionOf(one: ValueDifference, field: string): readonly Mention[] {
  const keys = pointerKeys(one.path.slice(field.length));
  const below = keys.map((key) => (/^\d+$/.test(key) ? `[${key}]` : `.${sanitize(keyOf(key))}`));
  const path = field.slice(1).replaceAll("/", ".") + below.join("");
  switch (one.type) {
    case "list":
      return one.elements.map((element): Mention => {
        if (element.type === "moved") {
          const label = `[${String(element.from)}] moved to [${String(element.to)}]:`;
          return { path, texts: [[label], ...leafTexts(element.value)] };
        }
        const [sign, index, value] =
          element.type === "added" ? ["+", element.to, element.planned] : ["-", element.from, element.prior];
        return { path, texts: [[`${sign}[${String(index)}]:`], ...leafTexts(value)] };
      });
    case "set":
      return [{ path, texts: [...one.removed, ...one.added].flatMap((item) => leafTexts(item)) }];
    case "text":
      return [{ path, texts: textMentions(one.prior, one.planned) }];
    case "value":
      return [{ path, texts: valueMentions(one.prior, one.planned) }];
  }
}

function valueMentions(prior: Json | undefined, planned: Json | undefined): readonly (readonly string[])[] {
  if (prior === undefined || planned === undefined) return leafTexts(planned ?? prior ?? null);
  if (typeof prior === "string" && typeof planned === "string") return textMentions(prior, planned);
  // A secret whose earlier value is not known is shown once, and a field that is not set has no rows.
  return [prior, planned].flatMap((side) => (side === null ? [] : leafTexts(side)));
}

function textMentions(prior: string, planned: string): readonly (readonly string[])[] {
  if (!prior.includes("\n") && !planned.includes("\n")) return [prior, planned].map(scalarForms);
  const [left, right] = [prior.split("\n"), planned.split("\n")];
  return [
    ...left.filter((line) => !right.includes(line)).map((line) => scalarForms(line).map((form) => `-${form}`)),
    ...right.filter((line) => !left.includes(line)).map((line) => scalarForms(line).map((form) => `+${form}`)),
  ];
}

/** The sections of a report by path, without white space. Lines of marks are left out, and a wrapped row is one row. */
type Sections = readonly { readonly path: string; readonly body: string }[];

/** `indent`: the column of paths; below them, rows begin at least two columns later. */
function sections(lines: readonly string[], indent: number, gutter: number): Sections {
  const found: { path: string; body: string }[] = [];
  for (const line of lines) {
    if (/^[\s↳]*\^[\s^]*$/.test(line)) continue;
    const isPath = /\S/.test(line[indent] ?? "") && line.slice(0, indent).trim().length <= 1;
    const last = found.at(-1);
    if (isPath) found.push({ path: bare(line), body: bare(line) });
    else if (last !== undefined) {
      const rest = line[gutter] === "↳" ? line.slice(gutter + 1) : line;
      last.body += bare(rest);
      // The rest of a long path follows before its rows.
      if (/^ {4}\S/.test(line.slice(indent)) && !last.path.includes(":")) last.path += bare(line);
    }
  }
  return found;
}

function expectMentions(found: Sections, mentions: readonly Mention[]): void {
  for (const { path, texts } of mentions) {
    const own = found.filter((section) =>
      bare(section.body)
        .replace(/^[-+]/, "")
        .startsWith(`${bare(path)}:`),
    );
    expect(own.length, path).toBeGreaterThan(0);
    const body = own.map((section) => section.body).join("\n");
    for (const alternatives of texts)
      expect(
        alternatives.some((text) => body.includes(bare(text))),
        `${path} mentions ${JSON.stringify(alternatives)} in ${body}`,
      ).toBe(true);
  }
}

function expectComplete(prior: Json, planned: Json, path = "/query"): void {
  const field = { path, prior, planned };
  const document = plan([change({ kind: "insight", action: "update", fields: [field] })]);
  const mentions = diffField("insight", field).flatMap((one) => mentionOf(one, path));
  for (const width of WIDTHS) {
    const lines = renderPlan(document, "text", { color: false, width, showsNextSteps: false }).split("\n");
    expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
    const body = lines.slice(lines.findIndex((line) => line.startsWith("    ~")) + 1);
    expectMentions(sections(body, 8, 10), mentions);
  }
  const markdown = renderPlan(document, "markdown", { color: false });
  const fenced = /^(`{3,})diff\n([^]*?)\n\1$/m.exec(markdown)?.[2] ?? "";
  if (!markdown.includes("left out")) expectMentions(sections(fenced.split("\n"), 2, 1), mentions);
}

const text = fc.oneof(
  fc.constantFrom(
    "",
    "a",
    "b  c",
    "true",
    "(not set)",
    "a -> b",
    "\\t",
    "週次 サインアップ",
    "{",
    "x: y",
    "- x",
    "+ x",
  ),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.lorem({ maxCount: 40 }),
  fc
    .array(fc.constantFrom("SELECT", "  a,", "\tb", "↳ c", "", "FROM d".repeat(30)), { maxLength: 12 })
    .map((lines) => lines.join("\n")),
);
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { depthSize: "medium", withCrossShrink: true },
    fc.oneof(fc.constantFrom<Json>(null, true, 0, 1.5, {}, [], SENSITIVE), text),
    fc.array(tie("value"), { maxLength: 5 }),
    fc.dictionary(
      fc.oneof(fc.constantFrom("kind", "event", "0", "a/b", "a.b", "k".repeat(90)), fc.string({ maxLength: 5 })),
      tie("value"),
      { maxKeys: 4 },
    ),
  ),
}));

test("a report mentions every leaf that differs between two values", () => {
  fc.assert(
    fc.property(value, value, (prior, planned) => expectComplete(prior, planned)),
    { numRuns: budget(500) },
  );
});

test("a report mentions every edit of a query", () => {
  const edits = fc.array(fc.tuple(fc.nat(), fc.option(value, { nil: undefined })), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.constantFrom(...QUERIES), edits, (query, chosen) => {
      const planned = chosen.reduce<PlainJson>((edited, [choice, to]) => {
        const paths = pathsIn(edited);
        return changedAt(edited, paths[choice % Math.max(1, paths.length)] ?? [], () => to as PlainJson | undefined);
      }, query);
      expectComplete(query, planned);
    }),
    { numRuns: budget(500) },
  );
});

test("a report mentions every change of a set", () => {
  const tags = fc.uniqueArray(text, { maxLength: 8 });
  fc.assert(
    fc.property(tags, tags, (prior, planned) => expectComplete(prior, planned, "/tags")),
    { numRuns: budget(200) },
  );
});

test("a created value is shown in full", () => {
  fc.assert(
    fc.property(value, fc.constantFrom(...WIDTHS), (planned, width) => {
      const fields = [{ path: "/query", prior: null, planned }];
      const document = plan([change({ kind: "insight", action: "create", fields })]);
      const lines = renderPlan(document, "text", { color: false, width, showsNextSteps: false }).split("\n");
      expect(Math.max(...lines.map(textWidth))).toBeLessThanOrEqual(width);
      const texts = planned === null ? [] : leafTexts(planned);
      const start = lines.findIndex((line) => line.startsWith("    +")) + 1;
      // The mark of a wrapped line of text stands at any depth here.
      const unmarked = (line: string): string => line.replaceAll("↳", " ");
      expectMentions(sections(lines.slice(start).map(unmarked), 8, 10), [
        { path: "query", texts: texts.map((alternatives) => alternatives.map(unmarked)) },
      ]);
    }),
    { numRuns: budget(500) },
  );
});

test.each(Object.entries(DIFFS))("no line of the diff %s is wider than the terminal", (_name, document) => {
  for (const width of [...WIDTHS, 20, 300]) {
    const lines = renderPlan(document, "text", { color: false, width, showsNextSteps: false }).split("\n");
    const limit = Math.min(200, Math.max(60, width));
    // An address is never broken, so that it can be copied.
    const wide = lines.filter((line) => textWidth(line) > limit && !line.includes("acme/"));
    expect(wide).toEqual([]);
  }
});
