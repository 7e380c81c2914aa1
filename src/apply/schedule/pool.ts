export interface Pool {
  /** Runs a task once there is room for it, in the order in which tasks were given. */
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Lets another task in while the one that calls this only waits. */
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
  const between = async <T>(before: () => unknown, work: () => Promise<T>, after: () => unknown): Promise<T> => {
    await before();
    try {
      return await work();
    } finally {
      await after();
    }
  };
  return {
    run: (task) => between(enter, task, leave),
    outside: (wait) => between(leave, wait, enter),
  };
}
