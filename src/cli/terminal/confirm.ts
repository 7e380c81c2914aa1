/** The questions before a write have one form: what will happen, and what to type for it. */
import type { Hint } from "../../model/command.ts";
import { joinWords } from "../../model/text/plural.ts";
import { quoted } from "../../model/text/quote.ts";
import { wrapLine } from "../../report/wrap.ts";
import { invalidError } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Asks, and returns the answer without blanks around it; an empty text if there is none.
 *
 * @param question without a question mark
 * @param answers what can be typed, as the rest of a sentence
 * @param more what else can be typed, with its comma
 */
export async function askToConfirm(runtime: Runtime, question: string, answers: string, more = ""): Promise<string> {
  const answer = await runtime.ask(inLines(`${question}?`, `Type ${answers} to confirm${more}: `, runtime));
  return answer?.trim() ?? "";
}

/** A question and what to type for it: side by side if they fit with a short answer, else below each other. */
function inLines(question: string, answers: string, { errColumns = Infinity }: Pick<Runtime, "errColumns">): string {
  const line = `${question} ${answers}`;
  return line.length + ANSWER <= errColumns ? line : `${wrapLine(question, errColumns, 0)}\n${answers}`;
}

/** The room for an answer. Columns. */
const ANSWER = 8;

/**
 * Ends a run that needs a confirmation if there is no terminal to ask on.
 *
 * @param what the subject of the sentence
 * @param note the end of the sentence, with its comma or semicolon
 * @throws EngineError without `--yes` and without a terminal
 */
export function requireConfirmable(
  { interactive }: Pick<Runtime, "interactive">,
  { yes }: { readonly yes?: boolean | undefined },
  { what, note = "", hint }: { readonly what: string; readonly note?: string; readonly hint: Hint },
): void {
  if (yes === true || interactive) return;
  const message = `${what} needs confirmation, but stdin is not a terminal${note}`;
  throw invalidError("not_confirmed", message, hint);
}

/** What is neither yes nor no is asked again. */
export async function confirm(runtime: Runtime, question: string): Promise<boolean> {
  return (await choose(runtime, question)) === "yes";
}

/**
 * The same for one of several things, which can be answered for the others too.
 *
 * @param others these, such as `the next 29 files`; undefined if there are none
 */
export async function choose(
  runtime: Runtime,
  question: string,
  others?: string,
): Promise<"yes" | "no" | "all" | "quit"> {
  const more = others === undefined ? "" : `, "all" for this and ${others}, or "quit"`;
  const words = ["yes", "no", ...(others === undefined ? [] : (["all", "quit"] as const))] as const;
  for (;;) {
    const answer = await askToConfirm(runtime, question, '"yes"', more);
    // An empty answer, and the end of the input, are a no.
    const meant = answer === "" ? "no" : words.find((word) => [word, word[0]].includes(answer.toLowerCase()));
    if (meant !== undefined) return meant;
    runtime.err(`${quoted(answer)} is no answer. Type ${joinWords(words, "or")}.\n`);
  }
}

export function isYes(answer: string): boolean {
  return ["y", "yes"].includes(answer.toLowerCase());
}

export function isNo(answer: string): boolean {
  return ["", "n", "no"].includes(answer.toLowerCase());
}
