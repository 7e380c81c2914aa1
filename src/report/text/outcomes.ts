import { command } from "../../model/command.ts";
import { CIRCUIT_OPEN, type Outcome, type OutcomesDocument } from "../../model/outcome.ts";
import { firstOf, plural } from "../../model/plural.ts";
import type { Group } from "../change-groups.ts";
import { isStoppedByOutage, outcomeView, type SkippedGroup } from "../outcome-view.ts";
import { ACTIONS, addressAndName, doneText, resultText, STATUSES } from "../marks.ts";
import { fieldLines } from "./fields.ts";
import { type ChangeLayout, groupLabel, layoutOf, memberLines, objectStart, widthsOf } from "./changes.ts";
import { type Step, stepLines, stepText, toRunnable } from "../command.ts";
import { linker } from "../hyperlinks.ts";
import type { RenderOptions } from "../options.ts";
import { personAddress } from "../person.ts";
import { type Paint, painter } from "../color.ts";
import { INDENT, type ColumnWidths } from "../width.ts";
import { wrapLine, wrapLines, wrapWords } from "../wrap.ts";
import { sanitize } from "../../model/quote.ts";

type OutcomeLayout = ChangeLayout<OutcomesDocument["type"]>;

/** How many skipped addresses of one reason are listed. */
const MAX_ADDRESSES = 10;

/**
 * The end of an apply as text: what failed, what was skipped and why, and the counts. Where the outcomes were not printed before, as in a
 * file, it is the whole record: who did it and when, and what was done with its fields.
 */
export function outcomesText(document: OutcomesDocument, options: RenderOptions): string {
  const view = outcomeView(document, options);
  const layout = layoutOf(document.type, options);
  const { paint, width } = layout;
  const { outage } = view;
  const isBrief = options.detail === "line";
  const isPrinted = options.outcomesAlreadyPrinted === true;
  const isRecord = !isBrief && !isPrinted;
  const isWhole = isRecord || options.verbose === true;
  const groups = view
    .groupsIf((status) => status !== "skipped" && (isRecord || status !== "applied"))
    // The sentence counts what an outage has stopped.
    .filter((group) => isWhole || !isStoppedByOutage(group));
  const widths = widthsOf(groups);
  const blocks = [
    ...groups.flatMap((group) => outcomeLines(group, widths, options, layout)),
    // The plan above names what is unknown.
    ...(isBrief ? [] : view.skipped.filter(({ code }) => !isPrinted || code !== "unknown")).flatMap((group) =>
      skippedLines(group, options, layout),
    ),
  ];
  const hasBlocks = blocks.length > 0 || outage !== undefined;
  const lines = [
    ...(isPrinted && !isBrief && (hasBlocks || document.changes.some(isReported)) ? [""] : []),
    ...(outage === undefined ? [] : [...wrapLines(outage, width).map((line) => paint("bold", line)), ""]),
    ...blocks,
    ...(blocks.length > 0 ? [""] : []),
    paint(view.isDone ? "green" : "yellow", view.result),
    ...(isBrief ? [] : view.steps).flatMap((step) => stepLines(step, width)),
    ...(isRecord ? view.record : []).map(([term, text]) => paint("dim", sanitize(`${term}: ${text}`))),
    ...(options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))]),
  ];
  return `${lines.join("\n")}\n`;
}

/** Whether an outcome has a line of its own when it is known. What was skipped is only grouped at the end. */
export function isReported({ action, status }: Outcome): boolean {
  return action !== "no_op" && status !== "skipped";
}

/** One outcome as it becomes known, such as `[12/100] + acme/domains/corp created (id 7)`. A failure has its reason. */
export function outcomeLine(outcome: Outcome, done: number, total: number, options: RenderOptions): string {
  const paint = painter(options);
  const { action, status, id, error } = outcome;
  const address = sanitize(personAddress(outcome));
  const isDone = status === "applied";
  const { symbol, style, verb } = ACTIONS[action];
  const mark = isDone ? paint(style, symbol) : paint(STATUSES[status].style, STATUSES[status].symbol);
  const known = isDone && action === "create" && id !== null ? ` (id ${sanitize(id)})` : "";
  const result = isDone
    ? doneText(outcome)
    : status === "yielded"
      ? resultText(outcome)
      : `${verb} ${STATUSES[status].word}${error === null ? "" : `: ${sanitize(error.message)}`}`;
  return `${counter(done, total, paint)} ${mark} ${linker(options)(paint("bold", address), outcome.link)}${addressAndName(outcome).slice(address.length)} ${result}${known}\n`;
}

function counter(done: number, total: number, paint: Paint): string {
  return paint("dim", `[${String(done).padStart(String(total).length)}/${String(total)}]`);
}

/** How many changes of a group are made, such as `[240/500] ~ 240 of 500 insights in acme/projects/web/insights/ updated`. */
export function groupLine(
  group: Group,
  made: number,
  { done, total }: { readonly done: number; readonly total: number },
  options: RenderOptions,
): string {
  const paint = painter(options);
  const { symbol, style, done: word } = ACTIONS[group.changes[0].action];
  const part = made === group.changes.length ? "" : `${String(made)} of `;
  return `${counter(done, total, paint)} ${paint(style, symbol)} ${paint("bold", part + groupLabel(group))} ${word}\n`;
}

/** Changes that ended alike, with their fields if those are not above. */
function outcomeLines(
  group: Group,
  widths: ColumnWidths,
  options: RenderOptions,
  layout: OutcomeLayout,
): readonly string[] {
  const { mark, result, box, why, members, fields } = group;
  const { paint, width } = layout;
  const isPrinted = options.outcomesAlreadyPrinted === true;
  // Of equal failures, only one was reported with its message.
  const isSaid = isPrinted && members.length === 0;
  const isFull = !isPrinted && options.detail !== "line";
  const code = box === undefined ? "" : paint(mark.style, sanitize(box.code));
  const [start] = objectStart(group, widths, layout);
  return [
    // The message stands where the failure was reported.
    `${start}  ${result}${box !== undefined && isSaid ? ` (${code})` : ""}`,
    ...(isFull && why !== "" ? indented(paint("dim", sanitize(why)), width) : []),
    ...[...memberLines(members, layout), ...(isFull ? fieldLines(fields, layout) : [])].map(
      (line) => `${INDENT}${line}`,
    ),
    ...(box === undefined || isSaid ? [] : indented(`${code}: ${sanitize(box.text)}`, width)),
    ...hintLines(box?.remedy, layout),
  ];
}

function skippedLines(group: SkippedGroup, options: RenderOptions, layout: OutcomeLayout): readonly string[] {
  const { code, text, remedy, isBlocked, addresses } = group;
  const { paint, width } = layout;
  const isPrinted = options.outcomesAlreadyPrinted === true;
  const { symbol, style } = STATUSES.skipped;
  const skipped = isBlocked ? sanitize(code) : `skipped (${sanitize(code)})`;
  // The rest of an outage is only counted.
  const most = options.verbose === true ? Infinity : code === CIRCUIT_OPEN && isPrinted ? 0 : MAX_ADDRESSES;
  const listed = most === 0 ? [] : wrapWords(sanitize(firstOf(addresses, most)), width - INDENT.length);
  const plan = { text: "To see what remains:", command: toRunnable(command("plan"), options) };
  const head = `${paint(style, symbol)} ${plural(addresses.length, "change")} ${skipped}: ${sanitize(text)}`;
  return [
    ...wrapLine(`    ${head}`, width, INDENT.length).split("\n"),
    ...listed.map((line) => `${INDENT}${line}`),
    ...(most === 0 || addresses.length <= most ? [] : indented(stepText(plan), width)),
    // The plan above says how to go ahead with a change that is blocked.
    ...(isBlocked && isPrinted ? [] : hintLines(remedy, layout)),
  ];
}

function hintLines(hint: Step | undefined, { paint, width }: OutcomeLayout): readonly string[] {
  return hint === undefined ? [] : indented(`${paint("dim", "hint:")} ${stepText(hint)}`, width);
}

/** A sentence below a change, in lines between its words. */
function indented(text: string, width: number): readonly string[] {
  return wrapLine(`${INDENT}${text}`, width, INDENT.length).split("\n");
}
