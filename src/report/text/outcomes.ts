import { command } from "../../model/command.ts";
import { CIRCUIT_OPEN, type Outcome, type OutcomesDocument } from "../../model/outcome.ts";
import { firstOf, plural } from "../../model/text/plural.ts";
import type { ShownGroup } from "../change-groups.ts";
import { isStoppedByOutage, type OutcomeView, outcomeView, type SkippedGroup } from "../outcome-view.ts";
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
import { sanitize } from "../../model/text/quote.ts";

/**
 * How much of an apply is said: the whole `record`, as in a file; its `end`, below the lines that said each outcome when it was known;
 * or only what failed and the result, in a `line`.
 */
type Form = "record" | "end" | "line";

interface OutcomeLayout extends ChangeLayout<OutcomesDocument["type"]>, Pick<RenderOptions, "toRunnable"> {
  readonly form: Form;
}

/** How many skipped addresses of one reason are listed. */
const MAX_ADDRESSES = 10;

/** What came of an apply, as text. */
export function outcomesText(document: OutcomesDocument, options: RenderOptions): string {
  const { detail, outcomesAlreadyPrinted: isPrinted = false, toRunnable: withRun, footer } = options;
  const form = detail === "line" ? "line" : isPrinted ? "end" : "record";
  const layout = { ...layoutOf(document.type, options), toRunnable: withRun, form } as const;
  const view = outcomeView(document, options);
  const lines = form === "record" ? recordLines(view, layout) : endLines(view, document, layout);
  return [...lines, ...(footer === undefined ? [] : [layout.paint("dim", sanitize(footer))]), ""].join("\n");
}

/** What was done, with its fields, what was not, and who did it and when. */
function recordLines(view: OutcomeView, layout: OutcomeLayout): readonly string[] {
  const groups = view.groupsIf((status) => status !== "skipped");
  return [
    ...resultLines(view, [...groupsLines(groups, layout), ...skippedLines(view.skipped, layout)], layout),
    ...stepsLines(view, layout),
    ...view.record.map(([term, text]) => layout.paint("dim", sanitize(`${term}: ${text}`))),
  ];
}

/** What failed, what was skipped and why, and the counts. */
function endLines(view: OutcomeView, { changes }: OutcomesDocument, layout: OutcomeLayout): readonly string[] {
  const problems = view.groupsIf((status) => status !== "skipped" && status !== "applied");
  // The sentence counts what an outage has stopped.
  const shown = layout.verbose === true ? problems : problems.filter((group) => !isStoppedByOutage(group));
  const blocks = groupsLines(shown, layout);
  if (layout.form === "line") return resultLines(view, blocks, layout);
  // The plan above names what is unknown.
  const skipped = view.skipped.filter(({ code }) => code !== "unknown");
  const lines = resultLines(view, [...blocks, ...skippedLines(skipped, layout)], layout);
  return [...(lines.length > 1 || changes.some(isReported) ? [""] : []), ...lines, ...stepsLines(view, layout)];
}

/** The result in a line, below what an outage has left and the blocks. */
function resultLines(
  { outage = "", isDone, result }: OutcomeView,
  blocks: readonly string[],
  { paint, width }: OutcomeLayout,
): readonly string[] {
  const outageLines = wrapLines(outage, width).map((line) => paint("bold", line));
  const above = [outage === "" ? [] : outageLines, blocks].flatMap((lines) =>
    lines.length === 0 ? [] : [...lines, ""],
  );
  return [...above, paint(isDone ? "green" : "yellow", result)];
}

function stepsLines({ steps }: OutcomeView, { width }: OutcomeLayout): readonly string[] {
  return steps.flatMap((step) => stepLines(step, width));
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
  const idText = isDone && action === "create" && id !== null ? ` (id ${sanitize(id)})` : "";
  const result = isDone
    ? doneText(outcome)
    : status === "yielded"
      ? resultText(outcome)
      : `${verb} ${STATUSES[status].word}${error === null ? "" : `: ${sanitize(error.message)}`}`;
  return `${counter(done, total, paint)} ${mark} ${linker(options)(paint("bold", address), outcome.link)}${addressAndName(outcome).slice(address.length)} ${result}${idText}\n`;
}

function counter(done: number, total: number, paint: Paint): string {
  return paint("dim", `[${String(done).padStart(String(total).length)}/${String(total)}]`);
}

/** How many changes of a group are made, such as `[240/500] ~ 240 of 500 insights in acme/projects/web/insights/ updated`. */
export function groupLine(
  group: ShownGroup,
  made: number,
  { done, total }: { readonly done: number; readonly total: number },
  options: RenderOptions,
): string {
  const paint = painter(options);
  const { symbol, style, done: word } = ACTIONS[group.changes[0].action];
  const part = made === group.changes.length ? "" : `${String(made)} of `;
  return `${counter(done, total, paint)} ${paint(style, symbol)} ${paint("bold", part + groupLabel(group))} ${word}\n`;
}

function groupsLines(groups: readonly ShownGroup[], layout: OutcomeLayout): readonly string[] {
  const widths = widthsOf(groups);
  return groups.flatMap((group) => groupLines(group, widths, layout));
}

/** Changes that ended alike, with their fields if those are not above. */
function groupLines(group: ShownGroup, widths: ColumnWidths, layout: OutcomeLayout): readonly string[] {
  const { mark, result, box, note, members, fields } = group;
  const { paint, width, form } = layout;
  // Of equal failures, only one was reported with its message.
  const isSaid = form === "end" && members.length === 0;
  const code = box === undefined ? "" : paint(mark.style, sanitize(box.code));
  const [start] = objectStart(group, widths, layout);
  const record = form === "record" ? fieldLines(fields, layout) : [];
  return [
    // The message stands where the failure was reported.
    `${start}  ${result}${box !== undefined && isSaid ? ` (${code})` : ""}`,
    ...(form === "record" && note.text !== "" ? indented(paint("dim", sanitize(note.text)), width) : []),
    ...[...memberLines(members, layout), ...record].map((line) => `${INDENT}${line}`),
    ...(box === undefined || isSaid ? [] : indented(`${code}: ${sanitize(box.text)}`, width)),
    ...hintLines(box?.hint, layout),
  ];
}

function skippedLines(groups: readonly SkippedGroup[], layout: OutcomeLayout): readonly string[] {
  return groups.flatMap((group) => skippedGroupLines(group, layout));
}

function skippedGroupLines(group: SkippedGroup, layout: OutcomeLayout): readonly string[] {
  const { code, text, hint, isBlocked, addresses } = group;
  const { paint, width, form, verbose } = layout;
  const { symbol, style } = STATUSES.skipped;
  const skipped = isBlocked ? sanitize(code) : `skipped (${sanitize(code)})`;
  const head = `${paint(style, symbol)} ${plural(addresses.length, "change")} ${skipped}: ${sanitize(text)}`;
  const isCounted = code === CIRCUIT_OPEN && form === "end" && verbose !== true;
  return [
    ...wrapLine(`    ${head}`, width, INDENT.length).split("\n"),
    // The rest of an outage is only counted.
    ...(isCounted ? [] : addressLines(addresses, layout)),
    // The plan above says how to go ahead with a change that is blocked.
    ...(isBlocked && form === "end" ? [] : hintLines(hint, layout)),
  ];
}

function addressLines(addresses: readonly string[], layout: OutcomeLayout): readonly string[] {
  const { width, verbose } = layout;
  const most = verbose === true ? Infinity : MAX_ADDRESSES;
  const lines = wrapWords(sanitize(firstOf(addresses, most)), width - INDENT.length).map((line) => `${INDENT}${line}`);
  const plan = { text: "To see what remains:", command: toRunnable(command("plan"), layout) };
  return addresses.length <= most ? lines : [...lines, ...indented(stepText(plan), width)];
}

function hintLines(hint: Step | undefined, { paint, width }: OutcomeLayout): readonly string[] {
  return hint === undefined ? [] : indented(`${paint("dim", "hint:")} ${stepText(hint)}`, width);
}

/** A sentence below a change, in lines between its words. */
function indented(text: string, width: number): readonly string[] {
  return wrapLine(`${INDENT}${text}`, width, INDENT.length).split("\n");
}
