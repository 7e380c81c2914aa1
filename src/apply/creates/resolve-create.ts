/**
 * Finding out whether an ambiguous create has created its object.
 *
 * Terms: a create is ambiguous if its request got no clear answer. A candidate is an object that did not exist before
 * the intent and has its natural key. The settle time is the time after which an unanswered request can no longer take
 * effect.
 * Premise: only a complete list is evidence, and a list without a candidate only after the settle time. Servers drop and
 * normalise fields, and move objects to a sibling kind, so candidates are recognised by their natural key alone.
 * Algorithm: list until one candidate is found, or several, or until two lists in a row after the settle time show none.
 */
import { ApiError } from "../../api/errors/errors.ts";
import type { LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import { isCandidate, type OpenIntent } from "../journal/intents.ts";

/** Waits between lists until the settle time, and after it. Milliseconds. */
const LIST_WAITS = [500, 1_000, 2_000, 5_000, 10_000];
const LONGEST_WAIT = 20_000;
/** How long a list may still show the state before a write, because it may come from a lagging replica. Milliseconds. */
export const LIST_LAG = 3_000;
const WAIT_WHEN_SETTLED = 500;
/** How many lists in a row after the settle time must show no candidate. */
const EMPTY_LISTS = 2;
/** How many lists in a row may fail. The cause of an ambiguous create often breaks the first list as well. */
const FAILED_LISTS = 4;

const LOST = "the journal has lost which objects existed before";
const STILL_POSSIBLE = "its create got no clear answer and may still take effect";

/** A create whose request got no clear answer. */
export interface AmbiguousCreate {
  readonly intent: OpenIntent;
  /** When the request can no longer take effect. Milliseconds since 1970. */
  readonly settledAt: number;
  /** How the request went. Absent if an earlier run has sent it. */
  readonly attempt?: Attempt;
}

/** A request of this run that got no clear answer. */
export interface Attempt {
  /** Absent if the answer held no object. */
  readonly error?: ApiError | undefined;
  /** Whether the request would fail with the same error again. */
  readonly isPermanent: boolean;
}

/** The object of a create does not exist. */
export interface ProvenAbsence {
  /** Ids of all objects of its kind that do. */
  readonly known: readonly string[];
}

/** The object that an ambiguous create made. */
interface ResolvedCreate {
  readonly live: LiveObject;
}

/** Finds out whether an object was created. @throws ChangeError `unknown` if that stays unknown */
export async function resolveCreate(
  task: Task,
  keys: readonly string[],
  ambiguous: AmbiguousCreate,
): Promise<ResolvedCreate | ProvenAbsence> {
  const { clock, signal } = task.context;
  const { intent, settledAt } = ambiguous;
  if (intent.known === undefined) throw unknownCreateError(intent, LOST);
  for (let lists = 0, empty = 0, failed = 0; ; lists += 1) {
    const isSettled = clock.now() >= settledAt;
    const objects = await task.lists.all().catch((error: unknown) => assertRetryable(intent, error, failed + 1));
    const candidates = objects?.filter((live) => isCandidate(intent, keys, live) && task.isFree(live)) ?? [];
    if (candidates.length > 1)
      throw unknownCreateError(intent, `several objects match (ids ${candidates.map(({ id }) => id).join(", ")})`);
    if (candidates[0] !== undefined) return { live: candidates[0] };
    failed = objects === undefined ? failed + 1 : 0;
    empty = objects !== undefined && isSettled ? empty + 1 : 0;
    if (objects !== undefined && empty === EMPTY_LISTS) return { known: objects.map(({ id }) => id) };
    if (lists === 0 && !isSettled) task.reportWait(STILL_POSSIBLE, settledAt);
    const wait = isSettled ? WAIT_WHEN_SETTLED : Math.min(listWait(lists), settledAt - clock.now());
    await task.pause(wait);
    if (signal?.aborted === true) throw unknownCreateError(intent, `${stopReason(signal)} before that was known`);
  }
}

/** Returns undefined if another list may succeed. */
function assertRetryable(intent: OpenIntent, error: unknown, failed: number): undefined {
  if (!(error instanceof ApiError)) throw error;
  if (!mayPass(error, failed)) throw unknownCreateError(intent, `the list could not be read: ${error.message}`);
}

/** Whether a list that failed may succeed soon. @param failed how many have failed in a row */
export function mayPass(error: ApiError, failed: number): boolean {
  const isPassing = error.tookEffect === "maybe" || ["network", "timeout", "incomplete"].includes(error.kind);
  return isPassing && failed < FAILED_LISTS;
}

/** How long to wait after the n-th list, counted from 0. Milliseconds. */
export function listWait(lists: number): number {
  return LIST_WAITS[lists] ?? LONGEST_WAIT;
}

export function stopReason({ reason }: AbortSignal): string {
  return typeof reason === "string" ? reason : "the run was interrupted";
}

function unknownCreateError({ kind, key }: OpenIntent, reason: string): ChangeError {
  return new ChangeError(
    "unknown",
    "outcome_unknown",
    `${kind} ${JSON.stringify(key)} may have been created: ${reason}`,
    { hint: "Run plan: it shows whether the object exists. The next apply resolves this create before anything else." },
  );
}
