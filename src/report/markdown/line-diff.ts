/**
 * The difference between two texts, line by line.
 *
 * Terms: head and tail are the lines that both texts share at their start and end.
 * Premise: most edits change one place. A minimal diff would cost more and show little more.
 * Algorithm: show everything between head and tail as removed and added, with a few lines of context from head and tail.
 */
import { cut, cutPair } from "../escape.ts";

const CONTEXT = 3;
const MAX_LINES = 40;
const MAX_LINE = 160;

/** Lines that start with `-`, `+` or a space: at most about ninety. */
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
    const [left, right] = cutPair(from, to, MAX_LINE);
    return [`- ${left}`, `+ ${right}`];
  }
  return [...signed("-", removed), ...signed("+", added)];
}

function signed(sign: string, lines: readonly string[]): readonly string[] {
  const shown = lines.slice(0, MAX_LINES).map((line) => `${sign} ${cut(line, MAX_LINE)}`.trimEnd());
  const omitted = lines.length - shown.length;
  return omitted > 0 ? [...shown, `${sign} … ${omitted} more lines`] : shown;
}
