/** The questions of all commands have one form: what will happen, and what to type for it. */
import type { Runtime } from "./runtime.ts";

/**
 * Asks, and returns the answer without blanks around it; an empty text if there is none.
 *
 * @param question without a question mark
 * @param answers what can be typed, as the rest of a sentence
 */
export async function ask(runtime: Runtime, question: string, answers: string): Promise<string> {
  const answer = await runtime.ask(`${question}? Type ${answers} to confirm: `);
  return answer?.trim() ?? "";
}

/** Asks whether to go on. */
export async function confirm(runtime: Runtime, question: string): Promise<boolean> {
  return isYes(await ask(runtime, question, '"yes"'));
}

/** Only the whole word is a yes. */
export function isYes(answer: string): boolean {
  return answer.toLowerCase() === "yes";
}
