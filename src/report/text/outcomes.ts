import { command } from "../../model/command.ts";
import type { Outcome, OutcomeError, OutcomesDocument } from "../../model/outcome.ts";
import { plural } from "../../model/plural.ts";
import {
  isDone as isAllDone,
  doneText,
  outcomePhrases,
  outcomeSteps,
  outcomeProblem,
  resultText,
  type SkippedGroup,
  skippedGroups,
  verdict,
} from "../outcome-phrases.ts";
import { type Group, groupsOf } from "../change-groups.ts";
import { ACTIONS, isShown, addressAndName, STATUSES } from "../marks.ts";
import { groupLabel, memberLines, widthsOf } from "./changes.ts";
import { stepLines, stepText, toRunnable } from "../command.ts";
import { linker } from "../hyperlinks.ts";
import type { RenderOptions } from "../options.ts";
import { personAddress } from "../person.ts";
import { type Paint, painter } from "../color.ts";
import { columns, INDENT, type ColumnWidths, textWidth } from "../width.ts";
import { wrapLine, wrapWords } from "../wrap.ts";
import { sanitize } from "../../model/quote.ts";

/** How many skipped addresses of one reason are listed. */
const MAX_ADDRESSES = 10;

/** The end of an apply as text for a terminal: what failed, what was skipped and why, and the counts. */
export function outcomesText(document: OutcomesDocument, options: RenderOptions): string {
  const paint = painter(options);
  const isBrief = options.detail === "line";
  const shown = document.changes.filter(isShown);
  const failed = shown.filter(({ status }) => status !== "applied" && status !== "skipped");
  const { groups } = groupsOf(failed, { ...options, type: document.type });
  const widths = widthsOf(groups);
  const blocks = [
    ...groups.map((group) => failureLines(group, widths, options, paint)),
    ...(isBrief ? [] : skippedGroups(shown, options)).map((group) => skippedLines(group, options, paint)),
  ];
  const style = isAllDone(document.changes) ? "green" : "yellow";
  const steps = isBrief ? [] : outcomeSteps(document, options);
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  const hasLinesAbove = options.outcomesAlreadyPrinted === true && (blocks.length > 0 || shown.some(isReported));
  const lines = [
    ...(hasLinesAbove && !isBrief ? [""] : []),
    ...blocks.flat(),
    ...(blocks.length > 0 ? [""] : []),
    paint(style, outcomeSentence(document)),
    ...steps.flatMap((step) => stepLines(step, columns(options))),
    ...footer,
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
  const { action, status, id } = outcome;
  const address = sanitize(personAddress(outcome));
  const isDone = status === "applied";
  const { symbol, style, verb } = ACTIONS[action];
  const mark = isDone ? paint(style, symbol) : paint(STATUSES[status].style, STATUSES[status].symbol);
  const known = isDone && action === "create" && id !== null ? ` (id ${sanitize(id)})` : "";
  const message = outcomeProblem(outcome)?.message;
  const result = isDone
    ? doneText(outcome)
    : status === "yielded"
      ? resultText(outcome)
      : `${verb} ${STATUSES[status].word}${message === undefined ? "" : `: ${sanitize(message)}`}`;
  return `${counter(done, total, paint)} ${mark} ${linker(options)(paint("bold", address), outcome.link)}${addressAndName(outcome).slice(address.length)} ${result}${known}\n`;
}

function counter(done: number, total: number, paint: Paint): string {
  return paint("dim", `[${String(done).padStart(String(total).length)}/${String(total)}]`);
}

/** How many changes of a group are made, such as `[240/500] ~ 240 of 500 insights in acme/projects/web/insights/ updated`. */
export function groupLine(
  group: Group,
  made: number,
  { done, total, left }: { readonly done: number; readonly total: number; readonly left: string | undefined },
  options: RenderOptions,
): string {
  const paint = painter(options);
  const { symbol, style, done: word } = ACTIONS[group.changes[0].action];
  const part = made === group.changes.length ? "" : `${String(made)} of `;
  const rest = left === undefined ? "" : `, ${left} left`;
  return `${counter(done, total, paint)} ${paint(style, symbol)} ${paint("bold", part + groupLabel(group))} ${word}${rest}\n`;
}

/** Changes that failed alike. */
function failureLines(group: Group, widths: ColumnWidths, options: RenderOptions, paint: Paint): readonly string[] {
  const { mark, kind, result, box, members } = group;
  const width = columns(options);
  const label = groupLabel(group);
  const blanks = " ".repeat(Math.max(0, widths.address - textWidth(label)));
  const link = linker(options);
  const object =
    members.length === 0
      ? `${link(paint("bold", label), group.link)}${blanks}  ${sanitize(kind).padEnd(widths.kind)}`
      : paint("bold", label);
  const isReportedAbove = options.outcomesAlreadyPrinted === true;
  const code = box && paint(mark.style, sanitize(box.code));
  const head = `${paint(mark.style, mark.symbol.padStart(5))} ${object}  ${result}`;
  return [
    // The message stands where the failure was reported.
    code !== undefined && isReportedAbove ? `${head} (${code})` : head,
    ...memberLines(members, { link, width }).map((line) => `${INDENT}${line}`),
    ...(box === undefined || code === undefined || isReportedAbove
      ? []
      : indented(`${code}: ${sanitize(box.text)}`, width)),
    ...hintLines({ hint: box?.remedy?.text, command: box?.remedy?.command }, width, paint),
  ];
}

function skippedLines(group: SkippedGroup, options: RenderOptions, paint: Paint): readonly string[] {
  const { code, message, isBlocked, addresses } = group;
  const { symbol, style } = STATUSES.skipped;
  const skipped = isBlocked ? sanitize(code) : `skipped (${sanitize(code)})`;
  const listed = options.verbose === true ? addresses : addresses.slice(0, MAX_ADDRESSES);
  const left = addresses.length - listed.length;
  const others = left === 0 ? "" : `, and ${String(left)} more`;
  const plan = toRunnable(command("plan"), options);
  const width = columns(options);
  const head = `${paint(style, symbol)} ${plural(addresses.length, "change")} ${skipped}: ${sanitize(message)}`;
  return [
    ...wrapLine(`    ${head}`, width, INDENT.length).split("\n"),
    ...wrapWords(sanitize(`${listed.join(", ")}${others}`), width - INDENT.length).map((line) => `${INDENT}${line}`),
    ...(left === 0 ? [] : indented(stepText({ text: "To see what remains:", command: plan }), width)),
    // The plan above says how to go ahead with a change that is blocked.
    ...(isBlocked && options.outcomesAlreadyPrinted === true ? [] : hintLines(group, width, paint)),
  ];
}

function hintLines(
  { hint, command: words }: Pick<OutcomeError, "hint" | "command">,
  width: number,
  paint: Paint,
): readonly string[] {
  if (hint === undefined) return [];
  return indented(`${paint("dim", "hint:")} ${stepText({ text: hint, command: words })}`, width);
}

/** A sentence below a change, in lines between its words. */
function indented(text: string, width: number): readonly string[] {
  return wrapLine(`${INDENT}${text}`, width, INDENT.length).split("\n");
}

/** The verdict and the counts in one line. */
function outcomeSentence(document: OutcomesDocument): string {
  const phrases = outcomePhrases(document);
  const counted = phrases.length === 0 ? "nothing is declared" : phrases.join(", ");
  return `${verdict(document)}: ${counted}.`;
}
