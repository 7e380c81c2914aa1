import type { Outcome, OutcomesDocument } from "../../model/outcome.ts";
import { plural } from "../../model/plural.ts";
import type { RenderOptions } from "../options.ts";
import { columnWidth, INDENT, type Paint, painter } from "./style.ts";
import { sanitize } from "../escape.ts";
import { isShown, outcomePhrases, outcomeSteps, problemOf, resultText, STATUSES, verdict } from "../phrases.ts";

/** The outcomes of an apply as text for a terminal. */
export function outcomesText(document: OutcomesDocument, options: RenderOptions): string {
  const paint = painter(options.color);
  const shown = document.changes.filter(isShown);
  const widths = {
    address: columnWidth(shown.map(({ address }) => sanitize(address))),
    kind: columnWidth(shown.map(({ kind }) => sanitize(kind))),
  };
  const lines = shown.flatMap((outcome) => outcomeLines(outcome, widths, paint));
  const style = document.changes.every(({ status }) => status === "applied") ? "green" : "yellow";
  const steps = options.next === false ? [] : outcomeSteps(document, options);
  const footer = options.footer === undefined ? [] : [paint("dim", sanitize(options.footer))];
  return `${[...lines, ...(lines.length > 0 ? [""] : []), paint(style, outcomeSentence(document)), ...steps, ...footer].join("\n")}\n`;
}

interface Widths {
  readonly address: number;
  readonly kind: number;
}

function outcomeLines(outcome: Outcome, widths: Widths, paint: Paint): readonly string[] {
  const { mark, style } = STATUSES[outcome.status];
  const address = sanitize(outcome.address);
  const gap = " ".repeat(Math.max(0, widths.address - address.length));
  const problem = problemOf(outcome);
  const head = `${paint(style, mark.padStart(5))} ${paint("bold", address)}${gap}  ${sanitize(outcome.kind).padEnd(widths.kind)}  ${resultText(outcome)}`;
  if (problem === undefined) return [head];
  const hint = problem.hint === undefined ? [] : [`${INDENT}${paint("dim", "hint:")} ${sanitize(problem.hint)}`];
  return [head, `${INDENT}${paint(style, sanitize(problem.code))}: ${sanitize(problem.message)}`, ...hint];
}

/** The verdict, the counts and the number of requests in one line. */
function outcomeSentence(document: OutcomesDocument): string {
  const phrases = outcomePhrases(document);
  const counted = phrases.length === 0 ? "nothing is declared" : phrases.join(", ");
  return `${verdict(document)}: ${counted}. ${plural(document.requests, "request")} sent.`;
}
