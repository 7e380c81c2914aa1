/** Commands in reports: with the arguments of the run, as lines that work when they are pasted into a shell. */
import { type CommandWords, commandLine, withCommand } from "../model/command.ts";
import { sanitize } from "../model/text/quote.ts";
import type { RenderOptions } from "./options.ts";
import { wrapLine } from "./wrap.ts";

/** A sentence of a report with the command that stands at its end. */
export interface Step {
  readonly text: string;
  readonly command?: CommandWords | undefined;
}

/** A command with the arguments of the run. */
export function toRunnable(words: CommandWords, options: Pick<RenderOptions, "toRunnable">): CommandWords {
  return options.toRunnable?.(words) ?? words;
}

/** The command as a line; sanitized. */
export function pasteable(words: CommandWords): string {
  return sanitize(commandLine(words));
}

/** A text with its command in backticks behind it; sanitized. */
export function stepText({ text, command }: Step): string {
  return sanitize(withCommand(text, command));
}

/** A text with its command in lines of at most `width` columns where that is possible: the command is in one piece. Sanitized. */
export function stepLines(step: Step, width: number): readonly string[] {
  return wrapLine(stepText(step), width, 0).split("\n");
}
