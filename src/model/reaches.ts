/** Whether one of the steps from a start, taken any number of times, leads to a goal. */
export function reaches<T>(start: T, next: (at: T) => readonly T[], isGoal: (at: T) => boolean): boolean {
  const seen = new Set<T>();
  const open = [...next(start)];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (isGoal(at)) return true;
    if (!seen.has(at)) open.push(...next(at));
    seen.add(at);
  }
  return false;
}
