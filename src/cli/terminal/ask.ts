/** Questions before a run can begin. Those before a write are in confirm.ts, and prompt.ts shows both on the terminal. */
import { engineError } from "../../model/engine-error.ts";
import type { QuestionForm, Runtime } from "../runtime.ts";

/**
 * Asks for what a run needs before it can write anything, and returns the answer without blanks around it.
 *
 * @throws EngineError if there is no answer
 */
export async function askFor(runtime: Runtime, question: string, form?: QuestionForm): Promise<string> {
  const answer = await runtime.ask(question, form);
  requireRunning(runtime);
  if (answer !== undefined) return answer.trim();
  throw engineError("failed", "no_answer", "the input ended before the question was answered", NOTHING);
}

/** @throws EngineError if the run was interrupted. Nothing must have been written yet */
export function requireRunning({ signal }: Pick<Runtime, "signal">): void {
  if (signal.aborted) throw engineError("interrupted", "interrupted", "the run was interrupted", NOTHING);
}

const NOTHING = "Nothing was written.";
