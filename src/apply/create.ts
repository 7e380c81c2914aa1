/**
 * Creating exactly once, on a service that has no idempotency key.
 *
 * Terms: an intent is journaled before the request; a candidate is an object that was not there before and has the natural
 * key; the horizon is the time after which a request that was not heard of can no longer take effect.
 * Premise: a lost answer does not say whether the object exists. Only a proven list does, and an empty one only after the
 * horizon. Servers drop and normalise fields, so that candidates are known by their natural key alone.
 * Algorithm: journal, POST. Answered: done. Certainly not reached: the error stands. Anything else: list until there is one
 * candidate (it is taken over) or several (none is taken), or two lists beyond the horizon show none (POST again).
 */
import type { Answer } from "../api/client.ts";
import { ApiError } from "../api/errors.ts";
import { failsOnDeployed } from "../api/operations/index.ts";
import type { Call } from "../kinds/kind.ts";
import { sha256 } from "../diff/fingerprint.ts";
import type { LiveObject } from "../model/live.ts";
import { ChangeError, type ApplyContext, type Task } from "./context.ts";
import type { OpenIntent } from "./journal.ts";

/** How often a create is sent at most, each time after the one before is known not to have happened. */
const MAX_SENT = 3;
/** Waits between probes, until the horizon. Milliseconds. */
const PROBE_WAITS = [500, 1_000, 2_000, 5_000, 10_000, 20_000];
/** How many lists beyond the horizon have to agree that nothing was created. */
const EMPTY_PROBES = 2;

export interface Creation {
  readonly call: Call;
  /** Natural keys, the first one names the intent. */
  readonly keys: readonly string[];
  /** Ids of the kind that are there already. */
  readonly known: readonly string[];
  /** What has to happen between the journal and the request: the removal of what is replaced. */
  readonly prepare?: () => Promise<void>;
}

/** What came of a create: the answer, where one arrived, and the object. */
export interface Created {
  readonly id: string;
  readonly live: LiveObject | undefined;
}

/** A request of which no clear answer came, and how long it may still take effect. */
interface Unclear {
  readonly intent: OpenIntent;
  readonly horizonMs: number;
  /** Set where sending it again would only fail again. */
  readonly lasting?: ApiError;
}

export async function createOnce(task: Task, creation: Creation): Promise<Created> {
  const earlier = earlierIntent(task, creation);
  let unclear: Unclear | undefined = earlier && { intent: earlier, horizonMs: task.context.horizonMs };
  let known = creation.known;
  for (let sent = 1; ; sent += 1) {
    if (unclear !== undefined) {
      const settled = await settle(task, creation, unclear);
      if (settled.live !== undefined) return { id: settled.live.id, live: settled.live };
      if (unclear.lasting !== undefined || sent > MAX_SENT) throw notCreated(unclear.lasting);
      known = settled.known;
    }
    const result = await post(task, creation, known);
    if ("created" in result) return result.created;
    unclear = unclearAfter(task, result, sent);
  }
}

/**
 * A service that answered 500 itself is done with the request: where that is known to be lasting, or happens again, no time
 * has to pass, and it is not sent again.
 */
function unclearAfter({ context }: Task, { intent, error }: { readonly intent: OpenIntent; readonly error: ApiError }, sent: number): Unclear {
  const answered = error.status === 500 && error.code !== null;
  const lasting = answered && (sent > 1 || failsOnDeployed(error.operation));
  return lasting ? { intent, horizonMs: 0, lasting: error } : { intent, horizonMs: context.horizonMs };
}

function notCreated(error: ApiError | undefined): ChangeError {
  if (error !== undefined) return new ChangeError("failed", error.code ?? error.kind, error.message, error.hint);
  return new ChangeError("failed", "not_created", `the service did not create it in ${String(MAX_SENT)} tries`, "Look at the service's health, then apply again.");
}

/** Closes the intents of earlier runs whose objects the snapshot shows: nothing is left to be found out about them. */
export async function settleSeen({ journal, client, snapshot }: ApplyContext): Promise<void> {
  for (const intent of journal.open().filter(({ url }) => url === client.url)) {
    const lists = [...snapshot.scopes].flatMap(([address, scope]) =>
      scope.status === "known" && samePath(scope.path, intent.scope) ? [...snapshot.lists].filter(([key]) => key === `${address} ${intent.kind}`) : [],
    );
    const found = lists.flatMap(([, list]) => list.objects).find((live) => live.keys.includes(intent.key) && !intent.known.includes(live.id));
    if (found !== undefined) await journal.settle(intent.id, found.id);
  }
}

/** An intent of a run that ended before it was settled. */
function earlierIntent(task: Task, { keys }: Creation): OpenIntent | undefined {
  const { journal, client } = task.context;
  return journal.open().find((one) => one.url === client.url && one.kind === task.kind.name && one.key === keys[0] && samePath(one.scope, task.path));
}

async function post(task: Task, { call, keys, prepare }: Creation, known: readonly string[]): Promise<{ created: Created } | { intent: OpenIntent; error: ApiError }> {
  const { journal, client, clock } = task.context;
  const intent = await journal.begin({ url: client.url, kind: task.kind.name, scope: task.path, key: keys[0] ?? "", payload: sha256(call.body ?? {}), known, at: clock.now() });
  try {
    await prepare?.();
    const live = answered(task, call, await task.call(call));
    await journal.settle(intent.id, live.id);
    return { created: { id: live.id, live } };
  } catch (error) {
    if (error instanceof ApiError && error.effect === "maybe" && error.operation === call.operation) return { intent: { ...intent, at: clock.now() }, error };
    await journal.settle(intent.id, "not created");
    throw error;
  }
}

/** A success that does not show an object with an id is no clear answer. */
function answered(task: Task, call: Call, answer: Answer): LiveObject {
  const live = task.read(call.operation, answer.body);
  if (live !== undefined) return live;
  throw new ApiError({ kind: "protocol", operation: call.operation, method: "POST", path: "", status: answer.status, code: null, attr: null, effect: "maybe", message: `${call.operation} answered ${String(answer.status)} without an object`, hint: "Run plan to see what was created." });
}

interface Settled {
  readonly live: LiveObject | undefined;
  readonly known: readonly string[];
}

/** Finds out what became of an intent. Throws `unknown` where that cannot be told. */
async function settle(task: Task, creation: Creation, { intent, horizonMs }: Unclear): Promise<Settled> {
  const { journal, clock, signal } = task.context;
  for (let probe = 0, empty = 0; ; probe += 1) {
    const beyond = clock.now() - intent.at >= horizonMs;
    const objects = await probeList(task, intent);
    const found = objects.filter((live) => live.standIn !== true && !intent.known.includes(live.id) && creation.keys.some((key) => live.keys.includes(key)));
    const [first] = found;
    if (first !== undefined && found.length === 1) {
      await journal.settle(intent.id, first.id);
      return { live: first, known: [] };
    }
    if (found.length > 1) throw undecided(intent, `there are several: ids ${found.map((live) => live.id).join(", ")}`);
    empty = beyond ? empty + 1 : 0;
    if (empty >= EMPTY_PROBES) {
      await journal.settle(intent.id, "not created");
      return { live: undefined, known: objects.map((live) => live.id) };
    }
    const wait = PROBE_WAITS[Math.min(probe, PROBE_WAITS.length - 1)] ?? 0;
    await clock.sleep(beyond ? PROBE_WAITS[0] ?? 0 : Math.min(wait, intent.at + horizonMs - clock.now()), signal);
    if (signal?.aborted === true) throw undecided(intent, "it was interrupted before that could be told");
  }
}

async function probeList(task: Task, intent: OpenIntent): Promise<readonly LiveObject[]> {
  try {
    return await task.list();
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw undecided(intent, `the list that would tell could not be read: ${error.message}`);
  }
}

function undecided(intent: OpenIntent, why: string): ChangeError {
  return new ChangeError("unknown", "outcome_unknown", `${intent.kind} ${JSON.stringify(intent.key)} may have been created: ${why}`, "Run plan: it shows whether the object is there. The next apply settles it before anything else.");
}

function samePath(a: Readonly<Record<string, string>>, b: Readonly<Record<string, string>>): boolean {
  return Object.keys({ ...a, ...b }).every((key) => a[key] === b[key]);
}
