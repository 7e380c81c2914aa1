/**
 * A clock for whole commands over real sockets: time passes only when nothing is under way, and then to the next timer.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { setMaxListeners } from "node:events";
import type { Clock } from "../../src/api/limits/clock.ts";

export interface SimulatedTime {
  readonly clock: Clock;
  /** For the emulator: what it waits is waited on the same clock. */
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => Date;
  /** Advances the time until the work is done. */
  readonly run: <T>(work: Promise<T>) => Promise<T>;
}

/** How often in a row nothing may be found under way before time passes: what is between two steps is no wait. */
const QUIET = 16;

/** Files that are read, written or closed, names that are looked up, and processes such as git: what else is under way. */
const WORK = /^(?:FSReq|CloseReq|GetAddrInfoReq|ProcessWrap)/;

export function simulatedTime(): SimulatedTime {
  let now = Date.UTC(2026, 0, 1);
  let serving = 0;
  const timers: { readonly at: number; readonly wake: () => void }[] = [];
  const sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((wake) => {
      if (signal?.aborted === true) return wake();
      timers.push({ at: now + Math.max(0, ms), wake });
      if (signal !== undefined) setMaxListeners(0, signal);
      signal?.addEventListener("abort", () => wake(), { once: true });
    });
  // Timers of one moment fire in one turn, as those of Node do.
  const next = (): void => {
    const at = Math.min(...timers.map((timer) => timer.at));
    if (timers.length > 0) now = Math.max(now, at);
    for (const due of timers.filter((timer) => timer.at === at)) {
      timers.splice(timers.indexOf(due), 1);
      due.wake();
    }
  };
  const served = async (ms: number): Promise<void> => {
    serving += 1;
    await sleep(ms);
    serving -= 1;
  };
  return {
    clock: { now: () => now, sleep, random: () => 0.5 },
    now: () => new Date(now),
    sleep: served,
    run: async (work) => {
      const requests = countRequests();
      let [done, quiet] = [false, 0];
      const end = (): void => void (done = true);
      work.then(end, end);
      while (!isDone()) {
        await new Promise(setImmediate);
        const busy = requests.open() > serving || process.getActiveResourcesInfo().some((name) => WORK.test(name));
        quiet = busy ? 0 : quiet + 1;
        if (quiet >= QUIET) next();
        if (quiet >= QUIET) quiet = 0;
      }
      requests.stop();
      return work;
      // A call, as the compiler takes what was false before a loop to stay so.
      function isDone(): boolean {
        return done;
      }
    },
  };
}

/** The requests of undici without an answer, as reported by its diagnostics channels. */
function countRequests(): { readonly open: () => number; readonly stop: () => void } {
  const open = new Set<unknown>();
  const begin = (message: unknown): void => void open.add((message as { readonly request: unknown }).request);
  const end = (message: unknown): void => void open.delete((message as { readonly request: unknown }).request);
  const channels = [
    ["undici:request:create", begin],
    ["undici:request:trailers", end],
    ["undici:request:error", end],
  ] as const;
  for (const [name, listen] of channels) subscribe(name, listen);
  return {
    open: () => open.size,
    stop: () => {
      for (const [name, listen] of channels) unsubscribe(name, listen);
    },
  };
}
