/**
 * Asks on the terminal of this process.
 *
 * Premise: a person answers what is on the screen. Keys that were pressed while the command was still at work, such as a "yes"
 * for a question that was expected, may be meant for something else. So they are thrown away before each question.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReadStream } from "node:tty";

export interface Interruptible {
  readonly signal: AbortSignal;
  /** Called for Ctrl-C: while readline reads a line, the terminal sends it to readline and not to the process. */
  readonly interrupt: () => void;
}

/** Asks on stderr. Stdin must be a terminal. Returns undefined if the input ended, or if the signal was aborted. */
export async function promptOnTerminal(
  question: string,
  { signal, interrupt }: Interruptible,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  await discardTyped(process.stdin);
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  prompt.on("SIGINT", interrupt);
  try {
    return await prompt.question(question, { signal });
  } catch {
    return undefined;
  } finally {
    prompt.close();
  }
}

/** Throws away what was typed so far, also the beginning of a line. Leaves the terminal in raw mode, as readline needs it. */
async function discardTyped(terminal: ReadStream): Promise<void> {
  let isEmpty = false;
  const discard = (): void => void (isEmpty = false);
  // A terminal in raw mode does not wait for the end of a line.
  terminal.setRawMode(true);
  terminal.on("data", discard);
  while (!isEmpty) {
    isEmpty = true;
    // What waits is read between the first and the second turn.
    await nextTurn();
    await nextTurn();
  }
  terminal.off("data", discard);
}
