import type { FieldExplanation, KindExplanation, TopicExplanation } from "../../model/explain.ts";
import { facts, traits, valuesText } from "../explain-words.ts";
import type { RenderOptions } from "../options.ts";
import { type Paint, painter } from "../color.ts";
import { columns, columnWidth } from "../width.ts";
import { wrapWords } from "../wrap.ts";
import { sanitize } from "../../model/quote.ts";

const INDENT = "      ";
/** The column in which the facts start, beside their names. */
const FACTS_COLUMN = 18;

export function explainText(
  kind: KindExplanation,
  options: RenderOptions & { readonly field?: string | undefined },
): string {
  const paint = painter(options);
  const width = columns(options);
  const declarable = kind.fields.filter(({ writable }) => writable);
  const computed = kind.fields.filter(({ writable }) => !writable);
  const about =
    options.field === undefined
      ? [
          ...headLines(kind, width, paint),
          "",
          ...facts(kind).flatMap(([name, text]) => hanging(name, text, width, paint)),
        ]
      : [paint("bold", sanitize(`${kind.name}.${options.field}`))];
  const lines = [
    ...about,
    ...policyLines(kind, width, paint),
    ...section("Fields you can declare", declarable, width, paint),
    ...section("Fields that the service computes", computed, width, paint),
  ];
  return `${lines.join("\n")}\n`;
}

/** What is no kind, as text for a terminal. */
export function topicText(topic: TopicExplanation, options: RenderOptions): string {
  const paint = painter(options);
  const width = columns(options);
  const lines = [...headLines(topic, width, paint), ...section("Keys", topic.fields, width, paint)];
  return `${lines.join("\n")}\n`;
}

function headLines({ name, title, description }: TopicExplanation, width: number, paint: Paint): readonly string[] {
  return [`${paint("bold", sanitize(name))}: ${sanitize(title)}`, ...indented(description, width, "  ")];
}

/** A text in lines of its own. */
function indented(text: string, width: number, indent = INDENT): readonly string[] {
  return wrapWords(sanitize(text), width - indent.length).map((line) => indent + line);
}

/** The kinds as text for a terminal, each with the key that it is declared under. */
export function kindsText(kinds: readonly KindExplanation[], options: RenderOptions): string {
  const paint = painter(options);
  const width = columns(options);
  const column = columnWidth(kinds.map(({ name }) => name));
  const lines = kinds.flatMap(({ name, collection, description }) => [
    `  ${paint("bold", name.padEnd(column))}  ${collection === "" ? "organizations" : collection}`,
    ...indented(description, width),
  ]);
  const next = "`driftline explain KIND` shows the fields of a kind, and `driftline explain KIND.FIELD` one field.";
  return `${[`${paint("bold", "Kinds")}, each with the key that it is declared under`, ...lines, "", ...wrapWords(next, width)].join("\n")}\n`;
}

/** A name with its text beside it. */
function hanging(name: string, text: string, width: number, paint: Paint): readonly string[] {
  return wrapWords(sanitize(text), width - FACTS_COLUMN).map((line, index) =>
    index === 0 ? `  ${paint("dim", name.padEnd(FACTS_COLUMN - 2))}${line}` : `${" ".repeat(FACTS_COLUMN)}${line}`,
  );
}

function policyLines({ policies }: KindExplanation, width: number, paint: Paint): readonly string[] {
  return policies.flatMap(({ path, meaning }, index) =>
    hanging(index === 0 ? "equal values" : "", `${path}: ${meaning.join("; ")}`, width, paint),
  );
}

function section(title: string, fields: readonly FieldExplanation[], width: number, paint: Paint): readonly string[] {
  if (fields.length === 0) return [];
  const column = columnWidth(fields.map(({ name }) => sanitize(name)));
  return ["", paint("bold", title), ...fields.flatMap((field) => fieldLines(field, column, width, paint))];
}

function fieldLines(field: FieldExplanation, column: number, width: number, paint: Paint): readonly string[] {
  const name = sanitize(field.name);
  const words = traits(field);
  const blanks = " ".repeat(Math.max(0, column - name.length));
  const [first = "", ...rest] = wrapWords([sanitize(field.type), ...words].join(", "), width - column - 4);
  const head = `  ${paint("bold", name)}${blanks}  ${first}`;
  const values = valuesText(field);
  return [
    head,
    ...rest.map((line) => `${" ".repeat(column + 4)}${line}`),
    ...indented(field.description, width),
    ...(values === "" ? [] : indented(`One of: ${values}`, width)),
  ];
}
