/** Limits how many tasks run at once. */

/** How many changes of an apply are executed at the same time. The client limits its requests on its own. */
export const CONCURRENCY = 8;

export interface Pool {
  /** Runs a task once a slot is free. Tasks start in the order in which they were added. */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Frees the slot of the calling task while it only waits, so that another task can run. */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** Runs at most `size` tasks at a time. */
export function createPool(size: number): Pool {
  const waiting: (() => void)[] = [];
  let free = size;
  const enter = async (): Promise<void> => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const leave = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const bracket = async <T>(before: () => unknown, work: () => Promise<T>, after: () => unknown): Promise<T> => {
    await before();
    try {
      return await work();
    } finally {
      await after();
    }
  };
  return { run: (task) => bracket(enter, task, leave), outside: (wait) => bracket(leave, wait, enter) };
}
