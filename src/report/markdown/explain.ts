import type { FieldExplanation, KindExplanation, TopicExplanation } from "../../model/explain.ts";
import { facts, traits, valuesText } from "../explain-words.ts";
import { code, paragraph, prose, table } from "./markdown.ts";

export function explainMarkdown(kind: KindExplanation): string {
  const blocks = [
    `### ${prose(kind.title)} (${code(kind.name)})`,
    paragraph(kind.description, 2000),
    table(
      ["", ""],
      facts(kind).map(([name, text]) => [name, prose(text, 2000)]),
    ),
    ...policies(kind),
    ...section(
      "Fields you can declare",
      kind.fields.filter(({ writable }) => writable),
    ),
    ...section(
      "Fields that the service computes",
      kind.fields.filter(({ writable }) => !writable),
    ),
  ];
  return `${blocks.join("\n\n")}\n`;
}

/** What is no kind, as a page of Markdown. */
export function topicMarkdown(topic: TopicExplanation): string {
  const blocks = [`### ${prose(topic.title)} (${code(topic.name)})`, paragraph(topic.description, 2000)];
  return `${[...blocks, ...section("Keys", topic.fields)].join("\n\n")}\n`;
}

export function kindsMarkdown(kinds: readonly KindExplanation[]): string {
  const rows = kinds.map(({ name, collection, description }) => [
    code(name),
    code(collection === "" ? "organizations" : collection),
    prose(description, 2000),
  ]);
  return `${table(["kind", "declared under", "meaning"], rows)}\n`;
}

function policies(kind: KindExplanation): readonly string[] {
  if (kind.policies.length === 0) return [];
  const items = kind.policies.map(({ path, meaning }) => `- ${code(path)}: ${prose(meaning.join("; "))}`);
  return ["Values that count as equal:", items.join("\n")];
}

function section(title: string, fields: readonly FieldExplanation[]): readonly string[] {
  if (fields.length === 0) return [];
  const rows = fields.map((field) => {
    const values = valuesText(field);
    const meaning = [prose(field.description, 2000), ...(values === "" ? [] : [`One of: ${prose(values, 1000)}`])].join(
      "<br>",
    );
    return [code(field.name), prose(field.type), prose(traits(field).join(", ")), meaning];
  });
  return [`#### ${title}`, table(["field", "type", "", "meaning"], rows)];
}
