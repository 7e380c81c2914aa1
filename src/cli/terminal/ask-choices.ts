/** Lets a person choose from a list with numbers. */
import { visible } from "../../model/text/quote.ts";
import { askFor } from "./ask.ts";
import type { Runtime } from "../runtime.ts";

/** Something that can be chosen. */
export interface Choice<T> {
  readonly value: T;
  /** What the list says. */
  readonly title: string;
  /** What can be typed besides its number. */
  readonly names: readonly string[];
}

/** What is asked. */
export interface ListQuestion<T> {
  /** Stands above the list. */
  readonly heading: string;
  readonly choices: readonly Choice<T>[];
  /** Whether "none" is an answer. */
  readonly mayBeNone: boolean;
  /** What an empty answer stands for; all by default. */
  readonly preset?: "none";
  /** Whether only one of them can be chosen. */
  readonly isSingle?: boolean;
}

/** Shows the list, and asks until every part of the answer is in it. */
export async function askChoices<T>(runtime: Runtime, question: ListQuestion<T>): Promise<readonly T[]> {
  const { heading, choices, mayBeNone, preset = "all", isSingle = false } = question;
  const width = String(choices.length).length;
  const lines = choices.map(({ title }, index) => `  ${String(index + 1).padStart(width)}) ${visible(title)}\n`);
  runtime.err(`\n${heading}\n${lines.join("")}`);
  const none = mayBeNone ? `, or "${preset === "none" ? "all" : "none"}"` : "";
  const form = isSingle ? "A number" : `Numbers such as 1,3 or 2-4${none}`;
  for (;;) {
    const answer = await askFor(runtime, `${form} [${preset}]: `);
    const chosen = choicesOfAnswer(answer || preset, question);
    if (chosen !== undefined && (!isSingle || chosen.size < 2))
      return choices.filter((one) => chosen.has(one)).map(({ value }) => value);
    runtime.err(`${visible(answer)} is not in the list.\n`);
  }
}

/** Undefined if a part of the answer stands for nothing. */
function choicesOfAnswer<T>(
  answer: string,
  { choices, mayBeNone }: ListQuestion<T>,
): ReadonlySet<Choice<T>> | undefined {
  const text = answer.toLowerCase();
  if (text === "all") return new Set(choices);
  if (text === "none" && mayBeNone) return new Set();
  // A name may have commas in it.
  const whole = meant(text, choices);
  const parts = whole.length > 0 ? [whole] : text.split(",").map((part) => meant(part.trim(), choices));
  return parts.every((part) => part.length > 0) ? new Set(parts.flat()) : undefined;
}

/** A number is always one of the list, also if something is named by a number. */
function meant<T>(part: string, choices: readonly Choice<T>[]): readonly Choice<T>[] {
  const [, first, last = first] = /^(\d{1,6})(?:\s*-\s*(\d{1,6}))?$/u.exec(part) ?? [];
  if (first === undefined) return choicesNamed(part, choices);
  const isInList = Number(first) >= 1 && Number(last) <= choices.length;
  return isInList ? choices.slice(Number(first) - 1, Number(last)) : [];
}

function choicesNamed<T>(text: string, choices: readonly Choice<T>[]): readonly Choice<T>[] {
  return text === "" ? [] : choices.filter(({ names }) => names.some((name) => name.trim().toLowerCase() === text));
}
