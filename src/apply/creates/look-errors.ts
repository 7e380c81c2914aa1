import { isScope } from "../../kinds/registry.ts";
import { operations } from "../../api/operations/index.ts";
import { command, type Hint } from "../../model/command.ts";
import { idsWithParts, type LiveObject } from "../../model/live.ts";
import type { OpenIntent } from "../journal/intents.ts";
import { ChangeError } from "../change-error.ts";
import type { Task } from "../task.ts";
import { targetOf } from "../actions/reread.ts";

/** The code of the error that names both objects. */
export const CREATED_TWICE = "created_twice";
const LOOK_AGAIN = "The next apply looks again before anything else.";

/** The list does not show the own object, so it may not show that of another run either. */
export function notListed({ kind, key, made }: OpenIntent, reason = "the service does not list it yet"): ChangeError {
  const what =
    made === undefined
      ? `${kind} ${JSON.stringify(key)} may have been created`
      : `${kind} ${JSON.stringify(key)} was created, id ${made}`;
  const message = `${what}, but whether another run has created it too is not known: ${reason}`;
  return new ChangeError("unknown", "not_looked", message, { hint: LOOK_AGAIN, id: made });
}

/** The run was stopped, and sends nothing any more. What was created without an answer stays unknown. */
export function notLooked(intent: OpenIntent, reason: string): ChangeError {
  const { made: id } = intent;
  if (id === undefined) return notListed(intent, reason);
  const message = `created, but whether another run has created it too is not known: ${reason}`;
  return new ChangeError("unverified", "not_looked", message, { hint: LOOK_AGAIN, id });
}

/**
 * Two runs have created one object, and both objects are still there.
 *
 * @param objects the oldest first
 * @param reason why the own one was not taken back
 */
export function createdTwice(
  task: Task,
  { kind, key }: OpenIntent,
  objects: readonly LiveObject[],
  reason?: string,
): ChangeError {
  const ids = objects.map(({ id }) => id);
  const why = reason === undefined ? "" : `; the younger one was not taken back: ${reason}`;
  const message = `${kind} ${JSON.stringify(key)} is there ${String(ids.length)} times, because another run has created it at the same time: ids ${ids.join(", ")}, the oldest first${why}`;
  return new ChangeError("unverified", CREATED_TWICE, message, { hint: removalHint(task, objects.at(-1)), id: ids[0] });
}

function removalHint(task: Task, youngest: LiveObject | undefined): Hint {
  const byHand = "Remove one of them on the service, or pin the one to keep by its id.";
  if (youngest === undefined || isScope(task.kind)) return byHand;
  const [call] = targetOf(task.asKind(youngest.kind), youngest).remove;
  if (call === undefined) return byHand;
  const { path: route } = operations[call.operation];
  const ids = Object.entries({ ...task.path, ...call.path }).filter(([name]) => route.split("/").includes(`:${name}`));
  const words = ids.map(([name, value]) => `${name}=${value}`);
  const body = Object.entries({ ...call.body }).map(([name, value]) => `${name}:=${JSON.stringify(value)}`);
  return {
    hint: `To remove the younger one, ${idsWithParts(youngest)[0] ?? ""}:`,
    command: command("call", {}, call.operation, ...words, ...body),
  };
}
