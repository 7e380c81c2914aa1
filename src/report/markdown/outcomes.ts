import type { OutcomesDocument } from "../../model/outcome.ts";
import { plural } from "../../model/text/plural.ts";
import type { ShownGroup } from "../change-groups.ts";
import type { Step } from "../command.ts";
import type { ShownField } from "../diff/entries.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import {
  code,
  countsTable,
  details,
  fitPieces,
  fitForms,
  type Block,
  joinBlocks,
  paragraph,
  prose,
  reportFooter,
  roomBeside,
  sentence,
  WHERE_ALL_IS,
} from "./markdown.ts";
import { diffBlock, diffOfFields } from "./fields.ts";
import { membersText, objectText } from "./objects.ts";
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
  const done = view.groupsIf((status) => status === "applied");
  const problems = view.groupsIf((status) => status !== "applied" && status !== "skipped");
  const before = [
    `### driftline apply: ${view.verdict.toLowerCase()}`,
    prose(view.outage ?? "", 1000),
    countsTable(view.counts),
  ];
  const after = [
    diagnosticsBlock(document.diagnostics, options),
    view.steps.map((step) => sentence(step)).join("\n"),
    `<sub>${view.record.map(([term, text]) => `${term} ${prose(text, LIST_ROOM)}`).join(" · ")}</sub>`,
    reportFooter(document, options),
  ];
  const room = roomBeside([...before, ...after]) - (done.length === 0 ? 0 : DONE_ROOM);
  const blocks = [
    ...problems.map(problemBlock),
    ...view.skipped.map((group): Block => ({ forms: [skippedBlock(group)], count: group.addresses.length })),
  ];
  const above = [...before, ...fitForms(blocks, room)];
  return `${joinBlocks([...above, doneBlock(done, roomBeside([...above, ...after])), ...after])}\n`;
}

/** Changes that failed alike, with what was to be sent as far as there is room. */
function problemBlock(group: ShownGroup): Block {
  const { changes, mark, result, box, note, members, fields } = group;
  const [change] = changes;
  const { id } = change;
  const rights = members.length > 0 ? "" : rightsText(change);
  const before = [
    prose(rights),
    box === undefined ? "" : `${code(box.code)}: ${prose(box.text, 1000)}`,
    hintText(box?.hint),
    paragraph(note.text, 1000),
  ];
  const after = [id === null || members.length > 0 ? "" : `Id ${code(id)}`, membersText(members)];
  const summary = `${mark.symbol} ${objectText(group)}: ${prose(result)}`;
  const block = (values: string): string => details(summary, joinBlocks([...before, values, ...after]), "open");
  return { forms: [block(fieldsText(fields)), block("")], count: changes.length };
}

/** Skipped changes follow from failed ones, so they are closed. */
function skippedBlock({ code: name, text, hint, addresses }: SkippedGroup): string {
  const summary = `${STATUSES.skipped.symbol} ${plural(addresses.length, "change")} skipped: ${prose(text, 1000)}`;
  const { kept, omitted } = fitPieces(
    addresses.map((address) => code(address)),
    LIST_ROOM,
  );
  const others = omitted.length === 0 ? "" : `, … and ${omitted.length} more (${WHERE_ALL_IS})`;
  return details(summary, joinBlocks([`${code(name)}: ${kept.join(", ")}${others}`, hintText(hint)]));
}

function hintText(hint: Step | undefined): string {
  return hint === undefined ? "" : `Hint: ${sentence(hint)}`;
}

/** What was done, with its fields and the values that it removed as far as there is room. */
function doneBlock(groups: readonly ShownGroup[], room: number): string {
  if (groups.length === 0) return "";
  const blocks = groups.map((group): Block => {
    const { changes, fields, members, result, note } = group;
    const line = `${objectText(group)}: ${prose(result)}${note.text === "" ? "" : `; ${prose(note.text, 1000)}`}`;
    const names = membersText(members);
    const block = (body: string): string => (body === "" ? line : details(line, body));
    // Where the fields have no room, the names may.
    return { forms: [block(joinBlocks([fieldsText(fields), names])), block(names), line], count: changes.length };
  });
  const count = groups.reduce((sum, { changes }) => sum + changes.length, 0);
  const summary = `${STATUSES.applied.symbol} ${plural(count, "change")} applied`;
  return details(summary, joinBlocks(fitForms(blocks, room)));
}

function fieldsText(fields: readonly ShownField[]): string {
  return diffBlock(diffOfFields(fields, "driftline.outcomes"), Infinity);
}
