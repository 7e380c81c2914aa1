/**
 * Finding out what became of a create of which no clear answer came.
 *
 * Terms: a candidate is an object that was not there before the intent and has its natural key; the horizon is the time after
 * which a request that was not heard of can no longer take effect.
 * Premise: only a proven list tells, and an empty one only after the horizon. Servers drop and normalise fields, so that
 * candidates are known by their natural key alone, and may move them to a sibling kind.
 * Algorithm: list until there is one candidate, or several, or two lists in a row beyond the horizon that show none.
 */
import { ApiError } from "../../api/errors/errors.ts";
import type { LiveObject } from "../../model/live.ts";
import { ChangeError, type Task } from "../task.ts";
import { isCandidate } from "../journal/intents.ts";
import type { OpenIntent } from "../journal/intent.ts";

/** Waits between probes until the horizon, and beyond it. Milliseconds. */
const PROBE_WAITS = [500, 1_000, 2_000, 5_000, 10_000];
const LONGEST_WAIT = 20_000;
const WAIT_BEYOND = 500;
/** How many lists beyond the horizon have to agree that nothing was created. */
const EMPTY_PROBES = 2;
/** How many lists in a row may fail: what broke the create often breaks the first look as well. */
const FAILED_PROBES = 4;

/** A request of which no clear answer came. */
export interface AmbiguousCreate {
  readonly intent: OpenIntent;
  /** When the request was last on its way, at the latest. Milliseconds since 1970. */
  readonly sentBy: number;
  /** How long from then on it may still take effect. Milliseconds. */
  readonly horizonMs: number;
  /** Set where sending it again would only fail again. */
  readonly lasting?: ApiError;
}

/** The object that the request created, or else the ids of what is there now. */
export type ResolvedCreate = { readonly live: LiveObject } | { readonly known: readonly string[] };

/** Finds out whether an object was created. @throws ChangeError `unknown` where that cannot be told */
export async function resolveCreate(
  task: Task,
  keys: readonly string[],
  unclear: AmbiguousCreate,
): Promise<ResolvedCreate> {
  const { clock, signal } = task.context;
  const { intent } = unclear;
  const end = unclear.sentBy + unclear.horizonMs;
  for (let probe = 0, empty = 0, failed = 0; ; probe += 1) {
    const isBeyond = clock.now() >= end;
    const objects = await task.listAll().catch((error: unknown) => assertRetryable(intent, error, failed + 1));
    const found = objects?.filter((live) => isCandidate(intent, keys, live) && task.isFree(live)) ?? [];
    if (found.length > 1)
      throw outcomeUnknown(intent, `there are several: ids ${found.map(({ id }) => id).join(", ")}`);
    if (found[0] !== undefined) return { live: found[0] };
    failed = objects === undefined ? failed + 1 : 0;
    empty = objects !== undefined && isBeyond ? empty + 1 : 0;
    if (objects !== undefined && empty === EMPTY_PROBES) return { known: objects.map(({ id }) => id) };
    const wait = isBeyond ? WAIT_BEYOND : Math.min(PROBE_WAITS[probe] ?? LONGEST_WAIT, end - clock.now());
    await task.pause(wait);
    if (signal?.aborted === true) throw outcomeUnknown(intent, "it was interrupted before that could be told");
  }
}

/** Undefined where it is worth to look again. */
function assertRetryable(intent: OpenIntent, error: unknown, failed: number): undefined {
  if (!(error instanceof ApiError)) throw error;
  const mayPass = error.effect === "maybe" || ["network", "timeout", "incomplete"].includes(error.kind);
  if (!mayPass || failed >= FAILED_PROBES) {
    throw outcomeUnknown(intent, `the list that would tell could not be read: ${error.message}`);
  }
}

function outcomeUnknown({ kind, key }: OpenIntent, why: string): ChangeError {
  return new ChangeError(
    "unknown",
    "outcome_unknown",
    `${kind} ${JSON.stringify(key)} may have been created: ${why}`,
    "Run plan: it shows whether the object is there. The next apply settles it before anything else.",
  );
}
