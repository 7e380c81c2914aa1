import { setImmediate } from "node:timers/promises";
import type { Clock } from "../../../src/api/client.ts";

/** One clock for client and service: it moves when the client waits, and then the waits of the service end. */
export interface VirtualTime {
  readonly clock: Clock;
  readonly now: () => Date;
  /** How the service waits. */
  readonly sleep: (ms: number) => Promise<void>;
}

interface Sleeper {
  readonly due: number;
  readonly wake: () => void;
}

/** Waits of the service that are shorter than this are not worth a test's time. Milliseconds. */
const SHORT = 100;

export function virtualTime(): VirtualTime {
  let time = Date.UTC(2026, 0, 1);
  let sleepers: readonly Sleeper[] = [];
  /** Ends all waits that are due, each at its own moment. Their effects are complete when this returns. */
  const moveTo = async (end: number): Promise<void> => {
    const due = sleepers.filter((sleeper) => sleeper.due <= end).toSorted((a, b) => a.due - b.due);
    sleepers = sleepers.filter((sleeper) => sleeper.due > end);
    for (const sleeper of due) {
      time = Math.max(time, sleeper.due);
      sleeper.wake();
      await setImmediate();
    }
    time = Math.max(time, end);
  };
  return {
    now: () => new Date(time),
    sleep: (ms) =>
      ms < SHORT
        ? setImmediate()
        : new Promise((resolve) => {
            sleepers = [...sleepers, { due: time + ms, wake: resolve }];
          }),
    clock: {
      now: () => time,
      random: () => 0.5,
      sleep: async (ms) => {
        await moveTo(time + Math.max(0, ms));
        await setImmediate();
      },
    },
  };
}
