/**
 * The difference of two texts by lines.
 *
 * Terms: head and tail are the lines that both share at their beginning and end.
 * Premise: one edit in one place is what people make; a shortest script of edits would cost more than it shows.
 * Algorithm: everything between head and tail is taken out and put in, with a few lines of head and tail around it.
 */
import { cut, cutPair } from "../escape.ts";

const CONTEXT = 3;
const MOST_LINES = 40;
const LONGEST_LINE = 160;

/** Lines that begin with `-`, `+` or a space, never more than some eighty. */
export function lineDiff(prior: readonly string[], planned: readonly string[]): readonly string[] {
  let head = 0;
  while (head < prior.length && head < planned.length && prior[head] === planned[head]) head++;
  let tail = 0;
  const shorter = Math.min(prior.length, planned.length) - head;
  while (tail < shorter && prior[prior.length - 1 - tail] === planned[planned.length - 1 - tail]) tail++;
  const removed = prior.slice(head, prior.length - tail);
  const added = planned.slice(head, planned.length - tail);
  const before = prior.slice(Math.max(0, head - CONTEXT), head);
  const after = prior.slice(prior.length - tail, prior.length - tail + CONTEXT);
  return [...signed(" ", before), ...changed(removed, added), ...signed(" ", after)];
}

function changed(removed: readonly string[], added: readonly string[]): readonly string[] {
  const [from, to] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1 && from !== undefined && to !== undefined) {
    const [left, right] = cutPair(from, to, LONGEST_LINE);
    return [`- ${left}`, `+ ${right}`];
  }
  return [...signed("-", removed), ...signed("+", added)];
}

function signed(sign: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MOST_LINES).map((line) => `${sign} ${cut(line, LONGEST_LINE)}`.trimEnd());
  const left = lines.length - shown.length;
  return left > 0 ? [...shown, `${sign} … ${left} more lines`] : shown;
}
