/** Commands in reports: with the arguments of the run, as lines that work when they are pasted into a shell. */
import { type CommandWords, commandLine, withCommand } from "../model/command.ts";
import { withPlanHash } from "../model/document-json.ts";
import type { OutcomesDocument } from "../model/outcome.ts";
import type { PlanDocument } from "../model/plan.ts";
import { sanitize } from "../model/quote.ts";
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

/** The same document with commands that can be run: with the hash of the plan and the arguments of the run. */
export function withRunnableCommands<T extends PlanDocument | OutcomesDocument>(
  document: T,
  options: RenderOptions,
): T {
  const runnable = <H extends { readonly command?: CommandWords | undefined }>(one: H): H =>
    one.command === undefined
      ? one
      : { ...one, command: toRunnable(withPlanHash(one.command, document.hash), options) };
  return {
    ...document,
    changes: document.changes.map((change) => ({
      ...runnable(change),
      blocked: change.blocked && runnable(change.blocked),
      ...("error" in change && change.error !== null ? { error: runnable(change.error) } : {}),
    })),
    diagnostics: document.diagnostics.map(runnable),
  };
}
