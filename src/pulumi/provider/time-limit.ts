/**
 * The time that a program gives a call in `customTimeouts`. Pulumi's engine passes it on, and does not measure it.
 *
 * Premise: a write that was sent may still take effect later, whether or not its answer is waited for.
 * Algorithm: requests get a deadline, and everything else that is waited for ends with an error when the time is up. No write
 * is sent after that. A create whose answer did not come stays in the journal as open, so the next run finds out about it
 * before it sends another one.
 */
import { ApiError } from "../../api/errors/errors.ts";
import type { ProviderSession } from "./session.ts";

/** A timer of Node holds no longer times. Seconds. */
const LONGEST = 24 * 60 * 60;

/**
 * Does the work of a call within its time.
 *
 * @param seconds the time of the call; without limit if undefined or 0
 */
export async function withinTime<T>(
  session: ProviderSession,
  seconds: number | undefined,
  work: (session: ProviderSession) => Promise<T>,
): Promise<T> {
  if (seconds === undefined || seconds <= 0) return work(session);
  const ended = new AbortController();
  try {
    return await work(limited(session, Math.min(seconds, LONGEST), ended.signal));
  } finally {
    ended.abort();
  }
}

function limited(session: ProviderSession, seconds: number, ended: AbortSignal): ProviderSession {
  const { clock, client, rows, journal, coalesce, readObject, inOrder } = session;
  const deadline = clock.now() + seconds * 1000;
  const over = new AbortController();
  const expired = clock.sleep(seconds * 1000, ended).then((): never => {
    over.abort(`its ${String(seconds)} s were up`);
    throw timeIsUp(seconds);
  });
  // It also ends with the call, when nothing waits for it any more.
  expired.catch(() => undefined);
  const inTime = <R>(work: Promise<R>): Promise<R> => Promise.race([work, expired]);
  /** Waits in time until a task begins, and then for its end, which the task itself limits. */
  const begunInTime = async <R>(schedule: (begin: () => void) => Promise<R>): Promise<R> => {
    let result: Promise<R> | undefined;
    const begun = new Promise<void>((resolve) => {
      result = schedule(() => {
        if (over.signal.aborted) throw timeIsUp(seconds);
        resolve();
      });
    });
    await inTime(Promise.race([begun, result]));
    return result as Promise<R>;
  };
  return {
    ...session,
    signal: AbortSignal.any([over.signal, ...(session.signal === undefined ? [] : [session.signal])]),
    client: { ...client, request: (name, input) => client.request(name, { deadline, ...input }) },
    // Reads that other calls share go on without this one.
    coalesce: (key, read) => inTime(coalesce(key, read)),
    rows: { ...rows, read: (...list) => inTime(rows.read(...list)) },
    readObject: (...object) => inTime(readObject(...object)),
    inOrder: (key, task) =>
      begunInTime((begin) =>
        inOrder(key, () => {
          begin();
          return task();
        }),
      ),
    journal: {
      ...journal,
      use: (work) =>
        begunInTime((begin) =>
          journal.use((...opened) => {
            begin();
            return work(...opened);
          }),
        ),
    },
  };
}

function timeIsUp(seconds: number): ApiError {
  return new ApiError({
    kind: "timeout",
    operation: "",
    method: "GET",
    path: "",
    status: null,
    code: "deadline",
    attr: null,
    effect: "no",
    message: `not finished in the ${String(seconds)} s of customTimeouts`,
    hint: "Run pulumi up again, or give it more time",
  });
}
