import type { OutcomesDocument } from "../../model/outcome.ts";
import { plural } from "../../model/plural.ts";
import type { ShownGroup } from "../change-groups.ts";
import type { Step } from "../command.ts";
import type { FieldRow } from "../diff/entries.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import {
  code,
  countsTable,
  details,
  fitPieces,
  fitForms,
  type Block,
  paragraph,
  prose,
  reportFooter,
  roomBeside,
  sentence,
  WHERE_ALL_IS,
} from "./markdown.ts";
import { diffBlock, diffOfFields } from "./fields.ts";
import { memberTexts, objectText } from "./objects.ts";
import type { RenderOptions } from "../options.ts";
import { rightsText } from "../person.ts";
import { outcomeView, type SkippedGroup } from "../outcome-view.ts";
import { STATUSES } from "../marks.ts";

/** The characters that are kept for applied changes. Failed and skipped changes get the rest, if they need it. */
const DONE_ROOM = 12_000;

/** The character limit for the addresses that were skipped for one reason, and for a fact of the record. */
const LIST_ROOM = 4_000;

/** The outcomes of an apply as a comment on a pull request, always shorter than 60,000 characters. */
export function outcomesMarkdown(document: OutcomesDocument, options: RenderOptions): string {
  const view = outcomeView(document, options);
  const { outage } = view;
  const done = view.groupsIf((status) => status === "applied");
  const problems = view.groupsIf((status) => status !== "applied" && status !== "skipped");
  const before = [
    `### driftline apply: ${view.verdict.toLowerCase()}`,
    ...(outage === undefined ? [] : [prose(outage, 1000)]),
    ...countsTable(view.counts),
  ];
  const after = [
    ...diagnosticsBlock(document.diagnostics, options),
    ...(view.steps.length === 0 ? [] : [view.steps.map((step) => sentence(step)).join("\n")]),
    `<sub>${view.record.map(([term, text]) => `${term} ${prose(text, LIST_ROOM)}`).join(" · ")}</sub>`,
    reportFooter(document, options),
  ];
  const room = roomBeside([...before, ...after]) - (done.length === 0 ? 0 : DONE_ROOM);
  const blocks = [
    ...problems.map(problemBlock),
    ...view.skipped.map((group): Block => ({ forms: [skippedBlock(group)], count: group.addresses.length })),
  ];
  const above = [...before, ...fitForms(blocks, room)];
  return `${[...above, ...doneBlock(done, roomBeside([...above, ...after])), ...after].join("\n\n")}\n`;
}

/** Changes that failed alike, with what was to be sent as far as there is room. */
function problemBlock(group: ShownGroup): Block {
  const { changes, mark, result, box, why, members, fields } = group;
  const [change] = changes;
  const { id } = change;
  const rights = members.length > 0 ? "" : rightsText(change);
  const before = [
    ...(rights === "" ? [] : [prose(rights)]),
    ...(box === undefined ? [] : [`${code(box.code)}: ${prose(box.text, 1000)}`]),
    ...hintTexts(box?.remedy),
    ...(why === "" ? [] : [paragraph(why, 1000)]),
  ];
  const after = [...(id === null || members.length > 0 ? [] : [`Id ${code(id)}`]), ...memberTexts(group.members)];
  const block = (values: readonly string[]): string =>
    details(
      `${mark.symbol} ${objectText(group)}: ${prose(result)}`,
      [...before, ...values, ...after].join("\n\n"),
      "open",
    );
  return { forms: [block(fieldsText(fields)), block([])], count: changes.length };
}

/** Skipped changes follow from failed ones, so they are closed. */
function skippedBlock({ code: name, text, remedy, addresses }: SkippedGroup): string {
  const summary = `${STATUSES.skipped.symbol} ${plural(addresses.length, "change")} skipped: ${prose(text, 1000)}`;
  const { kept, omitted } = fitPieces(
    addresses.map((address) => code(address)),
    LIST_ROOM,
  );
  const others = omitted.length === 0 ? "" : `, … and ${omitted.length} more (${WHERE_ALL_IS})`;
  const body = [`${code(name)}: ${kept.join(", ")}${others}`, ...hintTexts(remedy)];
  return details(summary, body.join("\n\n"));
}

function hintTexts(hint: Step | undefined): readonly string[] {
  return hint === undefined ? [] : [`Hint: ${sentence(hint)}`];
}

/** What was done, with its fields and the values that it removed as far as there is room. */
function doneBlock(groups: readonly ShownGroup[], room: number): readonly string[] {
  if (groups.length === 0) return [];
  const blocks = groups.map((group): Block => {
    const { changes, fields, members, result, why } = group;
    const line = `${objectText(group)}: ${prose(result)}${why === "" ? "" : `; ${prose(why, 1000)}`}`;
    const names = memberTexts(members);
    const block = (body: readonly string[]): string => (body.length === 0 ? line : details(line, body.join("\n\n")));
    // Where the fields have no room, the names may.
    return { forms: [block([...fieldsText(fields), ...names]), block(names), line], count: changes.length };
  });
  const count = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const summary = `${STATUSES.applied.symbol} ${plural(count, "change")} applied`;
  return [details(summary, fitForms(blocks, room).join("\n\n"))];
}

function fieldsText(fields: readonly FieldRow[]): readonly string[] {
  return fields.length === 0 ? [] : [diffBlock(diffOfFields(fields, "driftline.outcomes"), Infinity)];
}
