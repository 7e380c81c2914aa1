import type { Blocked } from "../../model/change.ts";
import { nothingCouldBeRead, unmanagedAddress, type PlanDocument, type ShownChange } from "../../model/plan.ts";
import { plural } from "../../model/plural.ts";
import { quoted } from "../../model/quote.ts";
import { diagnosticsBlock } from "./diagnostics.ts";
import { removedInLine } from "../diff/entries.ts";
import { startWork } from "../diff/text-diff.ts";
import { diffBlock, diffOfFields, onlyDifference } from "./fields.ts";
import {
  code,
  countsTable,
  details,
  linked,
  omittedNote,
  prose,
  reportFooter,
  roomBeside,
  sentence,
  tableWithin,
} from "./markdown.ts";
import { leftOutText, type ShownEffects, shownEffects, sideNames } from "../effect/words.ts";
import { effectBlocks } from "./effect.ts";
import type { RenderOptions } from "../options.ts";
import {
  cleanText,
  counts,
  differences,
  errorCount,
  isClean,
  notReadText,
  removableText,
  warningCount,
} from "../summary.ts";
import { type ChangeGroup, groupChanges, commonAddress, withoutLine } from "../change-groups.ts";
import { isShown, isUnseen, markOf, modifiedText, nameText, needsId } from "../change-phrases.ts";
import { ruleText } from "../../model/rule-reasons.ts";
import { isShared, type SharedBlock, sharedBlocks } from "../shared-blocks.ts";

const UNMANAGED_ROOM = 8_000;
/** If not all changes fit, a diff is not longer than this or its share, so that it leaves room for others. Characters. */
const DIFF_ROOM = 12_000;
/** The characters of a change beside its diff, at most in nearly all cases. */
const HEAD_ROOM = 1_000;
/** More changes than this are collapsed. */
const MAX_OPEN = 10;

/** A plan or a drift report as a comment on a pull request, always shorter than 60,000 characters. */
export function planMarkdown(document: PlanDocument, options: RenderOptions): string {
  const shown = nothingCouldBeRead(document) ? [] : document.changes.filter(isShown);
  const shared = sharedBlocks(shown);
  const { type } = document;
  const before = [
    `### ${heading(document)}`,
    ...lead(document, options),
    ...shared.map((one) => sharedNote(one, type)),
  ];
  const effects = shownEffects(document);
  const after = [
    ...leftOutText(document).map((text) => prose(text)),
    ...unmanagedBlock(document, options),
    ...[...notReadText(document), ...removableText(document)].map((text) => prose(text)),
    ...diagnosticsBlock(document.diagnostics, options),
    reportFooter(document, options),
  ];
  const room = roomBeside([...before, ...after]);
  const work = startWork();
  const groups = groupChanges(shown, { ...options, effects }).map((group) => ({
    group,
    lines: diffOfFields(group.length === 1 ? group[0] : withoutLine(group[0]), type, work),
  }));
  const blockOptions = { type, shared, effects, isOpen: groups.length <= MAX_OPEN };
  const whole = groups.map((one) => changeBlock(one, { ...blockOptions, diffRoom: Infinity }));
  const isFitting = whole.reduce((sum, { text }) => sum + text.length + 2, 0) <= room;
  const share = Math.max(DIFF_ROOM, Math.floor(room / groups.length) - HEAD_ROOM);
  const blocks = isFitting
    ? whole
    : groups.map((one) => changeBlock(withoutLinks(one), { ...blockOptions, diffRoom: share }));
  const { kept, omitted } = fitByRisk(blocks, room);
  return `${[...before, ...kept, ...omittedNote(omitted.length, differences({ ...document, changes: omitted })), ...after].join("\n\n")}\n`;
}

/** Equal changes, with the lines of their diff. */
interface DiffedGroup {
  readonly group: ChangeGroup;
  readonly lines: readonly string[];
}

/** If not all changes fit, their links make room for more of them. */
function withoutLinks({ group: [first, ...others], lines }: DiffedGroup): DiffedGroup {
  const bare = ({ link: _link, ...change }: ShownChange): ShownChange => change;
  return { group: [bare(first), ...others.map(bare)], lines };
}

function heading(document: PlanDocument): string {
  const name = document.type === "driftline.drift" ? "driftline drift" : "driftline plan";
  // The warnings stand at the end, below changes that may be long.
  const count = warningCount(document);
  const warnings = count === 0 ? "" : `; ${plural(count, "warning")}`;
  if (isClean(document)) return `${name}: nothing differs${warnings}`;
  const found = differences(document);
  if (found.length > 0) return `${name}: ${found.join(", ")}${warnings}`;
  return `${name}: ${plural(errorCount(document), "error")}${warnings}`;
}

function lead(document: PlanDocument, options: RenderOptions): readonly string[] {
  if (isClean(document)) return [prose(cleanText(document))];
  const { only } = document.options;
  const limited =
    only.length === 0
      ? []
      : [
          `Limited to ${only
            .slice(0, 10)
            .map((address) => code(address))
            .join(", ")}${only.length > 10 ? ", …" : ""}.`,
        ];
  const isDrift = document.type === "driftline.drift";
  const hasSides = document.changes.some((change) => !isUnseen(change) && change.fields.length > 0);
  const [prior, planned] = sideNames(document.type, options);
  const signs = isDrift && hasSides ? [`In a diff, \`-\` is the ${prior} value and \`+\` the ${planned} one.`] : [];
  return [...countsTable(counts(document)), ...limited, ...signs];
}

interface BlockOptions {
  readonly type: PlanDocument["type"];
  /** Said once, above all changes. */
  readonly shared: readonly SharedBlock[];
  readonly effects: ShownEffects;
  /** Characters of the diff. */
  readonly diffRoom: number;
  readonly isOpen: boolean;
}

/** The text of equal changes, with the changes. */
interface Block {
  readonly group: ChangeGroup;
  readonly text: string;
}

function changeBlock({ group, lines }: DiffedGroup, { type, shared, effects, diffRoom, isOpen }: BlockOptions): Block {
  const [change] = group;
  const { blocked } = change;
  const isDrift = type === "driftline.drift";
  const { symbol, verb, drift } = markOf(change);
  const isBelow = blocked !== null && !isShared(blocked, shared);
  const rule = blocked === null || isBelow ? "" : ` (${prose(blocked.rule)})`;
  const what = `${isDrift ? drift : verb}${blocked === null ? "" : `, blocked${rule}`}`;
  const name =
    group.length === 1
      ? `${labelOf(change)} (${prose(change.kind)})`
      : prose(plural(group.length, change.kind)) + placeOf(group);
  const modified = group.length === 1 ? prose(modifiedText(change), 100) : "";
  const only = isOpen ? "" : onlyDifference(change, type);
  const difference = only === "" ? "" : `; ${code(only)}`;
  const summary = `${code(symbol)} ${what}: ${name}: ${sentence({ text: change.reason, command: change.command }, 300)}${difference}${modified}`;
  const blockedText = isBelow ? [ruleNote(isDrift ? "Apply is blocked" : "Blocked", blocked)] : [];
  const diff = lines.length === 0 ? [] : [diffBlock(lines, diffRoom)];
  const effect = effectBlocks(effects.get(change.address), type);
  const body = [...blockedText, ...diff, ...effect, ...objectsOf(group)];
  const content = body.length === 0 ? "No fields to show." : body.join("\n\n");
  return { group, text: details(summary, content, isOpen ? "open" : "closed") };
}

/** A block that several changes have. */
function sharedNote({ blocked, count }: SharedBlock, type: PlanDocument["type"]): string {
  const what = type === "driftline.drift" ? "differences that apply may not correct" : "changes are blocked";
  return ruleNote(`${String(count)} ${what}`, blocked);
}

function ruleNote(what: string, blocked: Blocked): string {
  const { rule, remedy, command } = blocked;
  return `**${what}** (${prose(rule)}): ${prose(ruleText(blocked))}. To go ahead: ${sentence({ text: remedy, command })}.`;
}

/** The address, followed by the object's name if the address does not say it. */
function labelOf(change: ShownChange, address = change.address): string {
  const name = nameText(change);
  return linked(code(address, Infinity), change.link) + (name === "" ? "" : ` ${prose(name)}`);
}

/** The id of the object, or the addresses of a group. */
function objectsOf(group: ChangeGroup): readonly string[] {
  const [change] = group;
  const { id } = change;
  if (group.length === 1) return id === null || !needsId(change) ? [] : [`Id ${code(id)}`];
  const { length } = commonAddress(group);
  const labels = group.map((one) => {
    const removed = removedInLine(one) ?? "";
    return `${labelOf(one, one.address.slice(length))}${removed && ` (${prose(removed)})`}${prose(modifiedText(one), 100)}`;
  });
  return [labels.join(", ")];
}

/** Where all changes of a group are. */
function placeOf(group: ChangeGroup): string {
  const common = commonAddress(group);
  return common === "" ? "" : ` in ${code(common, Infinity)}`;
}

/** Chooses the riskiest changes if not all of them fit. The chosen ones stay in the order of the plan. */
function fitByRisk(
  blocks: readonly Block[],
  room: number,
): { readonly kept: readonly string[]; readonly omitted: readonly ShownChange[] } {
  let used = 0;
  const byRisk = blocks.toSorted((a, b) => risk(a.group[0]) - risk(b.group[0]));
  const chosen = new Set(
    byRisk.filter(({ text: { length } }) => {
      const isFitting = used + length + 2 <= room;
      if (isFitting) used += length + 2;
      return isFitting;
    }),
  );
  const omitted = blocks.filter((block) => !chosen.has(block)).flatMap(({ group }) => group);
  return { kept: blocks.filter((block) => chosen.has(block)).map(({ text }) => text), omitted };
}

/** An update overwrites what is live, and a create only adds. */
function risk({ action, blocked }: ShownChange): number {
  return blocked === null ? ["delete", "replace", "unknown", "restore", "update", "create"].indexOf(action) : 0.5;
}

function unmanagedBlock({ unmanaged }: PlanDocument, { unmanaged: isRequested }: RenderOptions): readonly string[] {
  if (isRequested !== true || unmanaged.length === 0) return [];
  const rows = unmanaged.map((one) => {
    const name = one.key === null ? "<i>(no name)</i>" : code(quoted(one.key));
    return [code(unmanagedAddress(one)), prose(one.kind), name];
  });
  const body = tableWithin(UNMANAGED_ROOM, ["address", "kind", "name"], rows);
  return [details(`${plural(unmanaged.length, "unmanaged object")}, left alone`, body)];
}
