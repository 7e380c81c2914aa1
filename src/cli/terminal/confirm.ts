/** The questions before a write have one form: what will happen, and what to type for it. */
import type { Hint } from "../../model/command.ts";
import { EXIT } from "../exit-codes.ts";
import { wrapLine } from "../../report/wrap.ts";
import { failure, invalid } from "../failure.ts";
import type { QuestionForm, Runtime } from "../runtime.ts";

/**
 * Asks for what a run needs before it can write anything, and returns the answer without blanks around it.
 *
 * @throws Failure if there is no answer
 */
export async function askFor(runtime: Runtime, question: string, form?: QuestionForm): Promise<string> {
  const answer = await runtime.ask(question, form);
  requireRunning(runtime);
  if (answer !== undefined) return answer.trim();
  throw failure(EXIT.error, "no_answer", "the input ended before the question was answered", NOTHING);
}

/** @throws Failure if the run was interrupted. Nothing must have been written yet */
export function requireRunning({ signal }: Pick<Runtime, "signal">): void {
  if (signal.aborted) throw failure(EXIT.interrupted, "interrupted", "the run was interrupted", NOTHING);
}

const NOTHING = "Nothing was written.";

/**
 * Asks, and returns the answer without blanks around it; an empty text if there is none.
 *
 * @param question without a question mark
 * @param answers what can be typed, as the rest of a sentence
 */
export async function ask(runtime: Runtime, question: string, answers: string): Promise<string> {
  const answer = await runtime.ask(inLines(`${question}?`, `Type ${answers} to confirm: `, runtime));
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
 * @throws Failure without `--yes` and without a terminal
 */
export function requireConfirmable(
  { interactive }: Pick<Runtime, "interactive">,
  { yes }: { readonly yes?: boolean | undefined },
  { what, note = "", hint }: { readonly what: string; readonly note?: string; readonly hint: Hint },
): void {
  if (yes === true || interactive) return;
  const message = `${what} needs confirmation, but stdin is not a terminal${note}`;
  throw invalid("not_confirmed", message, hint);
}

export async function confirm(runtime: Runtime, question: string): Promise<boolean> {
  return isYes(await ask(runtime, question, '"yes"'));
}

/** Only the whole word is a yes. */
export function isYes(answer: string): boolean {
  return answer.toLowerCase() === "yes";
}
