/**
 * Asks on the terminal of this process.
 *
 * Premise: a person answers what is on the screen. Keys that were pressed while the command was still at work, such as a "yes"
 * for a question that was expected, may be meant for something else. So they are thrown away before each question.
 */
import { Writable } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { ReadStream } from "node:tty";
import type { QuestionForm } from "../runtime.ts";

export interface PromptOptions extends QuestionForm {
  readonly signal: AbortSignal;
  /** Called for Ctrl-C: while readline reads a line, the terminal sends it to readline and not to the process. */
  readonly interrupt: () => void;
}

/** Asks on stderr. Stdin must be a terminal. Returns undefined if the input ended, or if the signal was aborted. */
export async function promptOnTerminal(
  question: string,
  { signal, interrupt, hidden = false }: PromptOptions,
): Promise<string | undefined> {
  const { createInterface } = await import("node:readline/promises");
  await discardTyped(process.stdin);
  const screen = new Screen();
  const output = hidden ? screen : process.stderr;
  const prompt = createInterface({ input: process.stdin, output, terminal: true });
  prompt.on("SIGINT", interrupt);
  try {
    const answer = prompt.question(question, { signal });
    screen.isOff = true;
    return await answer;
  } catch {
    return undefined;
  } finally {
    prompt.close();
    if (hidden && !signal.aborted) process.stderr.write("\n");
  }
}

/**
 * Shows the question on stderr, and nothing of what readline writes after it was turned off. In raw mode, nothing else
 * shows what is typed.
 */
class Screen extends Writable {
  isOff = false;

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    if (!this.isOff) process.stderr.write(chunk);
    done();
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
