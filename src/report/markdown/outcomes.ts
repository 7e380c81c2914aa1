import type { OutcomesDocument } from "../../model/outcome.ts";
import { plural } from "../../model/text/plural.ts";
import type { ShownGroup } from "../change-groups.ts";
import type { ShownField } from "../diff/entries.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import {
  code,
  countsTable,
  details,
  fitForms,
  type Block,
  joinBlocks,
  paragraph,
  prose,
  reportFooter,
  roomBeside,
  sentence,
} from "./markdown.ts";
import { diffBlock, diffOfFields } from "./fields.ts";
import { membersText, objectText } from "./objects.ts";
import type { RenderOptions } from "../options.ts";
import { rightsText } from "../person.ts";
import { isOnlyCounted, outcomeView } from "../outcome-view.ts";
import { STATUSES } from "../marks.ts";

/** The characters that are kept for applied changes. Failed and skipped changes get the rest, if they need it. */
const DONE_ROOM = 12_000;

/** The character limit for a fact of the record. */
const FACT_ROOM = 4_000;

/** The outcomes of an apply as a comment on a pull request, always shorter than 60,000 characters. */
export function outcomesMarkdown(document: OutcomesDocument, options: RenderOptions): string {
  const view = outcomeView(document, options);
  const done = view.groupsIf(({ status }) => status === "applied");
  const problems = view.groupsIf((one) => one.status !== "applied" && !isOnlyCounted(one));
  const before = [
    `### driftline apply: ${view.verdict.toLowerCase()}`,
    prose(view.outage ?? "", 1000),
    countsTable(view.counts),
  ];
  const after = [
    diagnosticsBlock(document.diagnostics, options),
    view.steps.map((step) => sentence(step)).join("\n"),
    `<sub>${view.record.map(([term, text]) => `${term} ${prose(text, FACT_ROOM)}`).join(" · ")}</sub>`,
    reportFooter(document, options),
  ];
  const room = roomBeside([...before, ...after]) - (done.length === 0 ? 0 : DONE_ROOM);
  const above = [...before, ...fitForms(problems.map(problemBlock), room)];
  return `${joinBlocks([...above, doneBlock(done, roomBeside([...above, ...after])), ...after])}\n`;
}

/** Changes that ended alike, with what was to be sent as far as there is room. Skipped ones follow from others, so they are closed. */
function problemBlock(group: ShownGroup): Block {
  const { changes, mark, result, box, note, members, fields } = group;
  const [change] = changes;
  const { id } = change;
  const rights = members.length > 0 ? "" : rightsText(change);
  const before = [
    prose(rights),
    box === undefined ? "" : `${code(box.code)}: ${prose(box.text, 1000)}`,
    box?.hint === undefined ? "" : `Hint: ${sentence(box.hint)}`,
    paragraph(note.text, 1000),
  ];
  const after = id === null || members.length > 0 ? "" : `Id ${code(id)}`;
  const isSkipped = mark.tone === "skipped";
  const why = isSkipped && box !== undefined ? `: ${prose(box.text, 1000)}` : "";
  const summary = `${mark.symbol} ${objectText(group)}: ${prose(result)}${why}`;
  const block = (...body: readonly string[]): string =>
    details(summary, joinBlocks([...before, ...body, after]), isSkipped ? "closed" : "open");
  const names = membersText(members);
  return { forms: [block(fieldsText(fields), names), block(names), block()], count: changes.length };
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
