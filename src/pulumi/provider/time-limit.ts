/**
 * The time that a program gives a call in `customTimeouts`. Pulumi's engine passes it on, and does not measure it.
 *
 * Premise: a write that was sent may still take effect later, whether or not its answer is waited for.
 * Algorithm: requests get a deadline, and everything else that is waited for ends with an error when the time is up. No write
 * is sent after that. A create whose answer did not come stays in the journal as open, so the next run finds out about it
 * before it sends another one.
 */
import type { Clock } from "../../api/client.ts";
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
    return await work(
      sessionWithDeadline(session, new Deadline(session.clock, Math.min(seconds, LONGEST), ended.signal)),
    );
  } finally {
    ended.abort();
  }
}

/** The moment at which the time of a call is up, and what is waited for until then. */
class Deadline {
  readonly at: number;
  readonly #seconds: number;
  readonly #over = new AbortController();
  readonly #expired: Promise<never>;

  /** @param ended aborted at the end of the call, when nothing waits any more */
  constructor(clock: Clock, seconds: number, ended: AbortSignal) {
    this.at = clock.now() + seconds * 1000;
    this.#seconds = seconds;
    this.#expired = clock.sleep(seconds * 1000, ended).then((): never => {
      this.#over.abort(`its ${String(seconds)} s were up`);
      throw timeIsUp(seconds);
    });
    // It also ends with the call, when nothing waits for it any more.
    this.#expired.catch(() => undefined);
  }

  /** A signal that is aborted when the time is up, or with the other one. */
  signalWith(other: AbortSignal | undefined): AbortSignal {
    return AbortSignal.any([this.#over.signal, ...(other === undefined ? [] : [other])]);
  }

  wait<R>(work: Promise<R>): Promise<R> {
    return Promise.race([work, this.#expired]);
  }

  /** Waits in time until a task begins, and then for its end, which the task itself limits. */
  async waitForBegin<R>(schedule: (begin: () => void) => Promise<R>): Promise<R> {
    let result: Promise<R> | undefined;
    const begun = new Promise<void>((resolve) => {
      result = schedule(() => {
        if (this.#over.signal.aborted) throw timeIsUp(this.#seconds);
        resolve();
      });
    });
    await this.wait(Promise.race([begun, result]));
    return result as Promise<R>;
  }
}

function sessionWithDeadline(session: ProviderSession, deadline: Deadline): ProviderSession {
  const { client, lists, journal, coalesce, beginWrite, readObject, inOrder } = session;
  return {
    ...session,
    signal: deadline.signalWith(session.signal),
    client: { ...client, request: (name, input) => client.request(name, { deadline: deadline.at, ...input }) },
    // Reads that other calls share go on without this one.
    coalesce: (key, read) => deadline.wait(coalesce(key, read)),
    beginWrite: () => {
      const { readBefore, leave } = beginWrite();
      return { leave, readBefore: (list, read) => deadline.wait(readBefore(list, read)) };
    },
    lists: { ...lists, list: (...one) => deadline.wait(lists.list(...one)) },
    readObject: (...object) => deadline.wait(readObject(...object)),
    inOrder: (key, task) =>
      deadline.waitForBegin((begin) =>
        inOrder(key, () => {
          begin();
          return task();
        }),
      ),
    journal: {
      ...journal,
      use: (work) =>
        deadline.waitForBegin((begin) =>
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
    code: "deadline",
    tookEffect: "no",
    message: `not finished in the ${String(seconds)} s of customTimeouts`,
    hint: "Run pulumi up again, or give it more time",
  });
}
