/**
 * Lets creates that are in flight together share one read of what is new, right before they are sent.
 *
 * Premise: the engine has a fixed number of calls in flight. It writes its state between two of them, so they come one by one, and no
 * more of them come while all wait here.
 * Algorithm: the creates of one list wait until as many are here as were in flight at the last read, or until none has come or gone for a
 * while. One read serves them all. It begins after each of them has come, so it shows what was there before.
 */
import type { Clock } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";

/** How many creates share a read at most. */
const GROUP_SIZE = 50;
/** For how long no create has to come or go before a read begins. The engine writes its state in less. Milliseconds. */
const QUIET = 2_000;
/** The same if no two were in flight at the last read: creates that depend on each other come one by one, and each would wait for a next one. */
const QUIET_ALONE = 100;
/** The wait is made of so many timers. If one fires late, the process was busy, perhaps with plans of more creates, so the others are still waited for. */
const PARTS = 10;

/** Answers a create with what is new in its list. @param read does that for all creates of the list */
export type ReadBefore = <T>(list: string, read: () => Promise<T>) => Promise<T>;

/** A create in flight: it reads, and then it is sent until it leaves. */
export interface CreateInFlight {
  readonly readBefore: ReadBefore;
  readonly leave: () => void;
}

interface Waiting {
  readonly begin: (read: Promise<unknown>) => void;
  readonly read: () => Promise<unknown>;
}

/** The creates of one list. */
class SharedReads {
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #sending = 0;
  /** How many were in flight when the last read began. */
  #inFlight = 0;
  /** How many have come or gone. */
  #events = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the answer of the read, and what ends the part of the create */
  join<T>(read: () => Promise<T>): { readonly answer: Promise<T>; readonly leave: () => void } {
    const answer = new Promise<unknown>((begin) => this.#waiting.push({ begin, read }));
    const create = this.#waiting.at(-1);
    this.#beginWhenComplete();
    return { answer: answer as Promise<T>, leave: () => this.#leave(create) };
  }

  #leave(create: Waiting | undefined): void {
    const at = this.#waiting.findIndex((other) => other === create);
    if (at === -1) this.#sending -= 1;
    else this.#waiting.splice(at, 1);
    this.#beginWhenComplete();
  }

  #beginWhenComplete(): void {
    const waiting = this.#waiting.length;
    this.#events += 1;
    if (waiting >= GROUP_SIZE || (this.#inFlight > 1 && waiting >= this.#inFlight)) this.#begin();
    else if (waiting > 0) void this.#beginIfQuiet(this.#events);
  }

  async #beginIfQuiet(event: number): Promise<void> {
    const quiet = this.#inFlight > 1 ? QUIET : QUIET_ALONE;
    for (let part = 0; part < PARTS; part += 1) {
      await this.#clock.sleep(quiet / PARTS);
      if (event !== this.#events) return;
    }
    this.#begin();
  }

  #begin(): void {
    const group = this.#waiting.splice(0, GROUP_SIZE);
    this.#sending += group.length;
    this.#inFlight = this.#sending + this.#waiting.length;
    // The plan of the last one knows the most of what this run has created.
    const answer = readInTime(group.toReversed());
    for (const { begin } of group) begin(answer);
    this.#beginWhenComplete();
  }
}

/** Has the first of a group read. If its time is up, the next one does. */
async function readInTime([first, ...others]: readonly Waiting[]): Promise<unknown> {
  try {
    return await first?.read();
  } catch (error) {
    if (others.length > 0 && error instanceof ApiError && error.code === "deadline") return readInTime(others);
    throw error;
  }
}

/** Returns what each create of a process begins with. */
export function createSharedReads(clock: Clock): () => CreateInFlight {
  const byList = new Map<string, SharedReads>();
  return () => {
    let leave = (): void => undefined;
    return {
      readBefore: (list, read) => {
        const reads = byList.get(list) ?? new SharedReads(clock);
        byList.set(list, reads);
        const joined = reads.join(read);
        leave = joined.leave;
        return joined.answer;
      },
      leave: () => leave(),
    };
  };
}
