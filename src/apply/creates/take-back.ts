import { listBeside } from "../../api/operations/index.ts";
import { fingerprintFor, withAttached } from "../../diff/fingerprint.ts";
import type { Kind } from "../../kinds/kind.ts";
import type { Call } from "../../kinds/kind-parts.ts";
import { scopesOfKind, allKinds, kinds, scopeType } from "../../kinds/registry.ts";
import type { LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import type { OpenIntent } from "../journal/intents.ts";
import { sendRemoval } from "../actions/remove.ts";
import { readById, targetOf } from "../actions/reread.ts";

const NOTHING = { destroyed: [], left: [] };

/** The task for the kind whose first list shows what a call creates: a membership begins as an invite. */
export function listingTask(task: Task, { operation }: Call): Task {
  const type = scopeType(task.scope);
  const list = listBeside(operation);
  const isOne = ({ name, lists }: Kind): boolean =>
    scopesOfKind(name).includes(type) && lists.operations(type)[0] === list;
  return task.asKind((isOne(task.kind) ? task.kind : (allKinds.find(isOne) ?? task.kind)).name);
}

/** The hash of an object as it was created: of all that people can change, and of what is attached to it. */
export function createdHash(live: LiveObject): string {
  return withAttached(fingerprintFor("replace")(kinds[live.kind], live, {}), live.attached ?? NOTHING);
}

/**
 * Removes the object that this run, or the one before it, has created. No file asks for that, as rule 5 of test/safety-rules.md
 * wants it: the object is the run's own, and still as it was created.
 *
 * @param listed the object in a list
 * @throws ChangeError if it is not as it was created; ApiError or ChangeError if it could not be removed
 */
export async function takeBack(task: Task, { created }: OpenIntent, listed: LiveObject): Promise<void> {
  const isReadable = targetOf(task, listed).get !== undefined;
  const findUntouched = async (): Promise<LiveObject | undefined> => {
    const live = isReadable ? await readById(task, listed.id) : listed;
    if (live === undefined || createdHash(live) === created) return live;
    throw new ChangeError("unverified", "changed", "it has been changed since", { hint: "", id: live.id });
  };
  const live = await findUntouched();
  if (live === undefined) return;
  for (const call of targetOf(task, live).remove) await sendRemoval({ task, live }, call, findUntouched);
}
