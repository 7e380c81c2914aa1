/** Questions before a run can begin. Those before a write are in confirm.ts, and prompt.ts shows both on the terminal. */
import { EXIT } from "../exit-codes.ts";
import { failure } from "../failure.ts";
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
