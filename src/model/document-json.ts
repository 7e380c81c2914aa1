/**
 * Plans and outcomes in JSON. There, each text that suggests a command has it at its end, for people, and as words beside it,
 * for programs. In memory the text has no command, so nothing has to look for it.
 */
import type { Blocked } from "./change.ts";
import { type CommandWords, flagOf, PLAN_HASH, withCommand, withoutCommand } from "./command.ts";
import type { Outcome, OutcomeError, OutcomesDocument } from "./outcome.ts";
import type { PlanDocument, ShownChange } from "./plan.ts";

/** A document in JSON, with the hash of the plan in its commands. */
export function documentJson(document: PlanDocument | OutcomesDocument): object {
  const words = (command: CommandWords): CommandWords => withPlanHash(command, document.hash);
  return {
    ...document,
    changes: changesJson(document.changes, words),
    diagnostics: document.diagnostics.map((one) => hintJson(one)),
  };
}

/** Changes in JSON. Without `words` the hash of the plan stands in no command: the hash is made of this form. */
export function changesJson(
  changes: readonly (ShownChange | Outcome)[],
  words: (command: CommandWords) => CommandWords = (command) => command,
): readonly (ShownChange | Outcome)[] {
  return changes.map((change) => {
    const command = change.command && words(change.command);
    return {
      ...change,
      reason: withCommand(change.reason, command),
      ...(command === undefined ? {} : { command }),
      blocked: change.blocked && blockedJson(change.blocked, words),
      ...("error" in change ? { error: change.error && hintJson(change.error, words) } : {}),
    };
  });
}

function blockedJson({ lift, command, ...blocked }: Blocked, words: (command: CommandWords) => CommandWords): Blocked {
  if (command === undefined) return { ...blocked, lift };
  return { ...blocked, lift: withCommand(lift, words(command)), command: words(command) };
}

/** A diagnostic or an error with its command at the end of its hint. */
export function hintJson<T extends Pick<OutcomeError, "hint" | "command">>(
  one: T,
  words: (command: CommandWords) => CommandWords = (command) => command,
): T {
  if (one.command === undefined) return one;
  const command = words(one.command);
  return { ...one, hint: withCommand(one.hint ?? "", command), command };
}

/** The plan of a JSON document. Texts without a command beside them stay as they are. */
export function planFromJson(document: PlanDocument): PlanDocument {
  const { hash } = document;
  return {
    ...document,
    changes: document.changes.map(({ reason, command, blocked, ...change }) => ({
      ...change,
      ...splitText({ text: reason, command }, hash, "reason"),
      blocked: blocked && blockedFromJson(blocked, hash),
    })),
    diagnostics: document.diagnostics.map(({ hint, command, ...one }) => ({
      ...one,
      ...(hint === undefined ? {} : splitText({ text: hint, command }, hash, "hint")),
    })),
  };
}

function blockedFromJson({ rule, detail, lift, command }: Blocked, hash: string): Blocked {
  const counted = detail === undefined ? {} : { detail };
  return { rule, ...counted, ...splitText({ text: lift, command }, hash, "lift") };
}

/**
 * Takes the command off the end of a text. One that does not stand there was written by another hand. It is kept, so that the
 * plan in JSON is another one, with another hash.
 */
function splitText<Name extends string>(
  { text, command }: { readonly text: string; readonly command?: CommandWords | undefined },
  hash: string,
  name: Name,
): Readonly<Record<Name, string>> & { readonly command?: CommandWords } {
  const rest = command && withoutCommand(text, command);
  const named = { [name]: rest ?? text } as Readonly<Record<Name, string>>;
  return command === undefined ? named : { ...named, command: replaceApproval(command, hash, PLAN_HASH) };
}

/** A command with the hash of the plan in the place of {@link PLAN_HASH}. */
export function withPlanHash(words: CommandWords, hash: string): CommandWords {
  return replaceApproval(words, PLAN_HASH, hash);
}

function replaceApproval(words: CommandWords, from: string, to: string): CommandWords {
  return words.map((word, index) => (word === from && words[index - 1] === flagOf("approve") ? to : word));
}
