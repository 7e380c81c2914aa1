import { nothingCouldBeRead, type PlanDocument, type ShownChange } from "../../model/plan.ts";
import type { Box, Group } from "../change-groups.ts";
import type { RenderOptions } from "../options.ts";
import { counts, differences } from "../summary.ts";
import { planView, type Table } from "../view.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import { effectBlocks } from "./effect.ts";
import { diffBlock, diffOfFields, onlyDifference } from "./fields.ts";
import {
  code,
  countsTable,
  details,
  omittedNote,
  prose,
  reportFooter,
  roomBeside,
  sentence,
  tableWithin,
} from "./markdown.ts";
import { memberTexts, objectText } from "./objects.ts";

const TABLE_ROOM = 8_000;
/** If not all changes fit, a diff is not longer than this or its share, so that it leaves room for others. Characters. */
const DIFF_ROOM = 12_000;
/** The characters of a change beside its diff, at most in nearly all cases. */
const HEAD_ROOM = 1_000;
/** More changes than this are collapsed. */
const MAX_OPEN = 10;

/** A plan or a drift report as a comment on a pull request, always shorter than 60,000 characters. */
export function planMarkdown(document: PlanDocument, options: RenderOptions): string {
  const { type } = document;
  const view = planView(document, options, "markdown");
  const [groups, shared] = nothingCouldBeRead(document) ? [[], []] : [view.groups, view.shared];
  const above = [...view.lead, ...view.sides].map((text) => prose(text));
  const before = [
    `### ${view.headline}`,
    ...(view.isClean ? [prose(view.result, 1500)] : [...countsTable(counts(document)), ...above]),
    ...shared.map(boxText),
  ];
  const after = [
    ...view.tables.filter(({ isRequested }) => isRequested).map(tableBlock),
    ...view.notes.map((note) => sentence(note)),
    ...diagnosticsBlock(document.diagnostics, options),
    reportFooter(document, options),
  ];
  const room = roomBeside([...before, ...after]);
  const isOpen = groups.length <= MAX_OPEN;
  const diffed = groups.map((group) => ({ group, lines: group.isMissing ? [] : diffOfFields(group.fields, type) }));
  const whole = diffed.map((one) => changeBlock(one, { type, isOpen, diffRoom: Infinity }));
  const isFitting = whole.reduce((sum, { text }) => sum + text.length + 2, 0) <= room;
  const share = Math.max(DIFF_ROOM, Math.floor(room / groups.length) - HEAD_ROOM);
  const blocks = isFitting
    ? whole
    : diffed.map((one) => changeBlock(withoutLinks(one), { type, isOpen, diffRoom: share }));
  const { kept, omitted } = fitByRisk(blocks, room);
  return `${[...before, ...kept, ...omittedNote(omitted.length, differences({ ...document, changes: omitted })), ...after].join("\n\n")}\n`;
}

/** Equal changes, with the lines of their diff. */
interface DiffedGroup {
  readonly group: Group;
  readonly lines: readonly string[];
}

/** If not all changes fit, their links make room for more of them. */
function withoutLinks({ group, lines }: DiffedGroup): DiffedGroup {
  const members = group.members.map((one) => ({ ...one, link: undefined }));
  return { group: { ...group, link: undefined, members }, lines };
}

interface BlockOptions {
  readonly type: PlanDocument["type"];
  /** Characters of the diff. */
  readonly diffRoom: number;
  readonly isOpen: boolean;
}

/** The text of equal changes. */
interface Block {
  readonly group: Group;
  readonly text: string;
}

function changeBlock({ group, lines }: DiffedGroup, { type, diffRoom, isOpen }: BlockOptions): Block {
  const { mark, reason, box, fields, effect, id } = group;
  const only = isOpen ? "" : onlyDifference(fields);
  const difference = only === "" ? "" : `; ${code(only)}`;
  const summary = `${code(mark.symbol)} ${prose(mark.word)}: ${objectText(group)}: ${sentence(reason, 400)}${difference}`;
  const body = [
    ...(box === undefined ? [] : [boxText(box)]),
    ...(lines.length === 0 ? [] : [diffBlock(lines, diffRoom)]),
    ...effectBlocks(effect, type),
    ...(id === null ? [] : [`Id ${code(id)}`]),
    ...memberTexts(group.members),
  ];
  const content = body.length === 0 ? "No fields to show." : body.join("\n\n");
  return { group, text: details(summary, content, isOpen ? "open" : "closed") };
}

/** Why something is blocked or failed, and what to do about it. */
function boxText(box: Box): string {
  const { text, remedy } = box;
  const what = box.lead === "" ? code(box.code) : `**${box.lead}** (${prose(box.code)})`;
  return `${what}: ${prose(text, 1000)}${remedy === undefined ? "" : ` ${sentence(remedy)}`}`;
}

/** Chooses the riskiest changes if not all of them fit. The chosen ones stay in the order of the plan. */
function fitByRisk(
  blocks: readonly Block[],
  room: number,
): { readonly kept: readonly string[]; readonly omitted: readonly ShownChange[] } {
  let used = 0;
  const byRisk = blocks.toSorted((a, b) => risk(a.group.changes[0]) - risk(b.group.changes[0]));
  const chosen = new Set(
    byRisk.filter(({ text: { length } }) => {
      const isFitting = used + length + 2 <= room;
      if (isFitting) used += length + 2;
      return isFitting;
    }),
  );
  const omitted = blocks.filter((block) => !chosen.has(block)).flatMap(({ group }) => group.changes);
  return { kept: blocks.filter((block) => chosen.has(block)).map(({ text }) => text), omitted };
}

/** An update overwrites what is live, and a create only adds. */
function risk({ action, blocked }: ShownChange): number {
  return blocked === null ? ["delete", "replace", "unknown", "restore", "update", "create"].indexOf(action) : 0.5;
}

function tableBlock({ title, head, rows }: Table): string {
  const cells = rows.map((row) => row.map((cell) => code(cell)));
  return details(title, tableWithin(TABLE_ROOM, head, cells));
}
