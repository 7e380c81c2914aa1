/** Returns what was made for a key before, or makes it. */
export type Memo<T> = (key: string, make: () => Promise<T>) => Promise<T>;

/** Makes one thing for each key. If that fails, all who wait get the error, and the next call makes it anew. */
export function createMemo<T>(): Memo<T> {
  const made = new Map<string, Promise<T>>();
  return (key, make) => {
    const one = made.get(key) ?? make();
    made.set(key, one);
    one.catch(() => made.get(key) === one && made.delete(key));
    return one;
  };
}
