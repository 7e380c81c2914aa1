/** The object with other values. `__proto__` stays a plain key, and no prototype is inherited. */
export function mapValues<T, R>(
  object: Readonly<Record<string, T>>,
  change: (value: T, key: string) => R,
): Readonly<Record<string, R>> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}

/** The object with some of its keys. */
export function filterKeys<T>(
  object: Readonly<Record<string, T>>,
  isKept: (key: string, value: T) => boolean,
): Readonly<Record<string, T>> {
  return Object.fromEntries(Object.entries(object).filter(([key, value]) => isKept(key, value)));
}
