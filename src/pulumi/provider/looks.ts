/**
 * Lets creates that are in flight together look once for what is new, right before they are sent.
 *
 * Premise: the engine has a fixed number of calls in flight. It writes its state between two of them, so they come one by one, and no
 * more of them come while all wait here.
 * Algorithm: the creates of one list wait until as many are here as were ever in flight together, or until no more come. One look
 * serves them all. It begins after each of them has come, so it shows what was there before.
 */
import type { Clock } from "../../api/client.ts";
import { ApiError } from "../../api/errors/errors.ts";

/** How many creates share a look at most. */
const GROUP_SIZE = 50;
/** How long nothing has to happen before a look begins: if none is being sent, if one is, and at most. Milliseconds. */
const QUIET = 100;
const QUIET_WHILE_SENDING = 2_000;
const MAX_QUIET = 8_000;
/** How many of the longest gaps between two creates have to pass. An engine that writes a large state takes seconds for some of them. */
const GAPS = 4;
/** How late a timer may fire in a process that is not busy, in milliseconds, and how often it may be late in a row. */
const LATE = 30;
const MAX_LATE = 20;

/** A create: it looks, and then it is sent until it leaves. */
export interface Looking {
  /** @param read the same for all of the list */
  readonly look: <T>(list: string, read: () => Promise<T>) => Promise<T>;
  readonly leave: () => void;
}

interface Waiting {
  readonly begin: (read: Promise<unknown>) => void;
  readonly read: () => Promise<unknown>;
}

/** The creates of one list. */
class Looks {
  readonly #clock: Clock;
  #waiting: Waiting[] = [];
  #sending = 0;
  /** The most that were in flight when a look began or while some were sent. */
  #most = 0;
  #events = 0;
  #lastAt = 0;
  /** How long a create came after the event before it, at most: since the last look, and between that look and the one before it. */
  #gaps: readonly [number, number] = [0, 0];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** @returns the answer of the look, and what ends the part of the create */
  join<T>(read: () => Promise<T>): { readonly answer: Promise<T>; readonly leave: () => void } {
    const answer = new Promise<unknown>((begin) => this.#waiting.push({ begin, read }));
    const one = this.#waiting.at(-1);
    const gap = this.#events > 0 ? this.#clock.now() - this.#lastAt : 0;
    this.#gaps = [Math.max(this.#gaps[0], gap), this.#gaps[1]];
    if (this.#sending > 0) this.#noteMost();
    this.#beginWhenComplete();
    return { answer: answer as Promise<T>, leave: () => this.#leave(one) };
  }

  #leave(one: Waiting | undefined): void {
    const at = this.#waiting.findIndex((other) => other === one);
    if (at === -1) this.#sending -= 1;
    else this.#waiting.splice(at, 1);
    this.#beginWhenComplete();
  }

  #beginWhenComplete(): void {
    const waiting = this.#waiting.length;
    this.#events += 1;
    this.#lastAt = this.#clock.now();
    if (waiting === 0) return;
    const isComplete = waiting >= GROUP_SIZE || (this.#most > 1 && waiting >= this.#most);
    if (isComplete) return this.#begin();
    void this.#beginIfQuiet(this.#events, this.#quiet());
  }

  #quiet(): number {
    const least = this.#sending > 0 ? QUIET_WHILE_SENDING : QUIET;
    // Resources that depend on each other come one by one, and each would wait for a next one.
    const isAlone = this.#most < 2 && this.#waiting.length < 2;
    return isAlone ? least : Math.min(Math.max(least, GAPS * Math.max(...this.#gaps)), MAX_QUIET);
  }

  async #beginIfQuiet(event: number, ms: number): Promise<void> {
    // A timer that fires late shows that the process was busy, perhaps with the plans of creates that will come.
    for (let tries = 0, isLate = true; isLate && tries < MAX_LATE; tries += 1) {
      const due = this.#clock.now() + ms;
      await this.#clock.sleep(ms);
      if (event !== this.#events) return;
      isLate = this.#clock.now() > due + LATE;
    }
    this.#begin();
  }

  #begin(): void {
    const group = this.#waiting.splice(0, GROUP_SIZE);
    this.#sending += group.length;
    this.#gaps = [0, this.#gaps[0]];
    this.#noteMost();
    // The plan of the last one knows the most of what this run has created.
    const answer = readInTime(group.toReversed());
    for (const { begin } of group) begin(answer);
    this.#beginWhenComplete();
  }

  #noteMost(): void {
    this.#most = Math.max(this.#most, this.#sending + this.#waiting.length);
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

/** Returns what each create of a process looks with. */
export function createLooks(clock: Clock): () => Looking {
  const byList = new Map<string, Looks>();
  return () => {
    const joined: (() => void)[] = [];
    return {
      look: (list, read) => {
        const looks = byList.get(list) ?? new Looks(clock);
        byList.set(list, looks);
        const { answer, leave } = looks.join(read);
        joined.push(leave);
        return answer;
      },
      leave: () => {
        for (const leave of joined.splice(0)) leave();
      },
    };
  };
}
