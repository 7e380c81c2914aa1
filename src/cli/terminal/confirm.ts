/** The questions before a write have one form: what will happen, and what to type for it. */
import type { Hint } from "../../model/command.ts";
import { wrapLine } from "../../report/wrap.ts";
import { invalid } from "../failure.ts";
import type { Runtime } from "../runtime.ts";

/**
 * Asks, and returns the answer without blanks around it; an empty text if there is none.
 *
 * @param question without a question mark
 * @param answers what can be typed, as the rest of a sentence
 */
export async function askToConfirm(runtime: Runtime, question: string, answers: string): Promise<string> {
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
  return isYes(await askToConfirm(runtime, question, '"yes"'));
}

/** Only the whole word is a yes. */
export function isYes(answer: string): boolean {
  return answer.toLowerCase() === "yes";
}
