import type { Diagnostic } from "../../model/diagnostic.ts";
import { nothingCouldBeRead, type PlanDocument, type ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import type { Box, ShownGroup } from "../change-groups.ts";
import type { RenderOptions } from "../options.ts";
import { byRights } from "../person.ts";
import { counts, differences, isClean } from "../summary.ts";
import { planView, type Table } from "../view.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import { effectBlock } from "./effect.ts";
import { diffBlock, diffOfFields, onlyDifference } from "./fields.ts";
import {
  code,
  countsTable,
  details,
  fitPieces,
  type Forms,
  joinBlocks,
  omittedNote,
  prose,
  reportFooter,
  roomBeside,
  sentence,
  tableWithin,
  WHERE_ALL_IS,
} from "./markdown.ts";
import { membersText, objectText } from "./objects.ts";

const TABLE_ROOM = 8_000;
/** If not all changes fit, a diff is not longer than this or its share, so that it leaves room for others. Characters. */
const DIFF_ROOM = 12_000;
/** What the head of a block is longer for its diff: a longer fence and number. Characters. */
const MARGIN = 100;
/** More changes than this are collapsed. */
const MAX_OPEN = 10;

/** A plan or a drift report as a comment on a pull request, always shorter than 60,000 characters. */
export function planMarkdown(document: PlanDocument, options: RenderOptions): string {
  const { type } = document;
  const view = planView(document, options, "markdown");
  const [groups, shared] = nothingCouldBeRead(document) ? [[], []] : [view.groups, view.shared];
  const before = [
    `### ${view.headline}`,
    ...(isClean(document)
      ? [prose(view.result, 1500)]
      : [countsTable(counts(document)), ...view.lead.map((text) => prose(text))]),
    ...view.people.map((table) => tableBlock(table, "open")),
    ...shared.map(boxText),
  ];
  const endWith = (diagnostics: readonly Diagnostic[]): readonly string[] => [
    ...view.tables.filter(({ isRequested }) => isRequested).map((table) => tableBlock(table)),
    ...view.notes.map((note) => sentence(note)),
    diagnosticsBlock(diagnostics, options),
    reportFooter(document, options),
  ];
  const isOpen = groups.length <= MAX_OPEN;
  const diffed = groups.map((group) => ({ group, values: group.isMissing ? [] : diffOfFields(group.fields, type) }));
  const { verbose } = options;
  const whole = diffed.map((one) => changeBlock(one, { type, isOpen, verbose }));
  const size = whole.reduce((sum, { forms }) => sum + forms[0].length + 2, 0);
  const isFitting = size <= roomBeside([...before, ...endWith(view.diagnostics)]);
  // A change that is left out does not take its warnings with it.
  const after = endWith(isFitting && groups.length > 0 ? view.diagnostics : document.diagnostics);
  const room = roomBeside([...before, ...after]);
  const blocks = isFitting ? whole : cutBlocks(diffed.map(shortened), room, { type, isOpen });
  const { kept, omitted } = fitByRisk(blocks, room);
  const note = omittedNote(omitted.length, differences({ ...document, changes: omitted }));
  return `${joinBlocks([...before, ...kept, note, ...after])}\n`;
}

/** Blocks that do not all fit. What the short ones leave of their share is for the others. */
function cutBlocks(diffed: readonly DiffedGroup[], room: number, options: BlockOptions): readonly GroupBlock[] {
  const sizes = diffed.map((one) => changeBlock(one, options).forms[0].length + 2);
  const short = sizes.filter((size) => size <= room / sizes.length);
  const share = (room - short.reduce((sum, size) => sum + size, 0)) / (sizes.length - short.length);
  return diffed.map((one) => {
    const head = changeBlock(one, options, 0).forms[0].length + MARGIN;
    return changeBlock(one, options, Math.max(DIFF_ROOM, share - head));
  });
}

/** Equal changes, with the lines of their diff for each value. */
interface DiffedGroup {
  readonly group: ShownGroup;
  readonly values: readonly (readonly string[])[];
}

/** If not all changes fit, their links make room for more of them, and their warnings stand at the end. */
function shortened({ group, values }: DiffedGroup): DiffedGroup {
  const members = group.members.map((one) => ({ ...one, link: undefined }));
  return { group: { ...group, link: undefined, members, warnings: [] }, values };
}

interface BlockOptions extends Pick<RenderOptions, "verbose"> {
  readonly type: PlanDocument["type"];
  readonly isOpen: boolean;
}

/** Equal changes, with the names of their objects or without. */
interface GroupBlock extends Forms {
  readonly group: ShownGroup;
}

/** @param diffRoom characters of the diff */
function changeBlock(
  { group, values }: DiffedGroup,
  { type, isOpen, verbose }: BlockOptions,
  diffRoom = Infinity,
): GroupBlock {
  const { mark, reason, box, fields, effect, id, warnings, members } = group;
  const only = isOpen || members.length > 0 ? "" : onlyDifference(fields);
  const difference = only === "" ? "" : `; ${code(only)}`;
  const summary = `${code(mark.symbol)} ${prose(mark.word)}: ${objectText(group)}: ${sentence(reason, 400)}${difference}`;
  const body = [
    box === undefined ? "" : boxText(box),
    diffBlock(values, diffRoom),
    diagnosticsBlock(warnings, { verbose }),
    effectBlock(effect, type),
    id === null ? "" : `Id ${code(id)}`,
  ];
  const block = (names: string): string => {
    const content = joinBlocks([...body, names]) || "No fields to show.";
    return details(summary, content, isOpen || warnings.length > 0 ? "open" : "closed");
  };
  const left = `**${plural(members.length, "name")}** left out. ${WHERE_ALL_IS}.`;
  return { group, forms: members.length === 0 ? [block("")] : [block(membersText(members)), block(left)] };
}

/** Why something is blocked or failed, and what to do about it. */
function boxText(box: Box): string {
  const { text, hint } = box;
  const what = box.lead === "" ? code(box.code) : `**${box.lead}** (${prose(box.code)})`;
  return `${what}: ${prose(text, 1000)}${hint === undefined ? "" : ` ${sentence(hint)}`}`;
}

/** Chooses the riskiest changes if not all of them fit. The chosen ones stay in the order of the plan. */
function fitByRisk(
  blocks: readonly GroupBlock[],
  room: number,
): { readonly kept: readonly string[]; readonly omitted: readonly ShownChange[] } {
  const first = ({ group }: GroupBlock): ShownChange => group.changes[0];
  const byRisk = blocks.toSorted((a, b) => byRights(first(a), first(b)) || riskOf(first(a)) - riskOf(first(b)));
  const { textOf, omitted } = fitPieces(byRisk, room);
  return {
    kept: blocks.flatMap((block) => textOf.get(block) ?? []),
    omitted: omitted.flatMap(({ group }) => group.changes),
  };
}

/** An update overwrites what is live, and a create only adds. */
function riskOf({ action, blocked }: ShownChange): number {
  return blocked === null ? ["delete", "replace", "unknown", "restore", "update", "create"].indexOf(action) : 0.5;
}

function tableBlock({ title, head, rows }: Table, state?: "open"): string {
  const cells = rows.map((row) => row.map((cell) => code(cell)));
  return details(prose(title), tableWithin(TABLE_ROOM, head, cells), state);
}
