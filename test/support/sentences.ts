const SENTENCES: ReadonlySet<string> = new Set(["message", "hint", "command", "reason", "lift"]);

type Entry = readonly [string, unknown];

/** An error's message is not enumerable, so it is put beside the rest. */
function entriesOf(value: object): readonly Entry[] {
  const own = Object.entries(value).filter(([key]) => key !== "stack");
  return value instanceof Error ? [["message", value.message], ...own.filter(([key]) => key !== "message")] : own;
}

/** The same value without its English sentences. A test asserts this: codes, paths, addresses, statuses. */
export function dataOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item: unknown) => dataOf(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    entriesOf(value)
      .filter(([key]) => !SENTENCES.has(key))
      .map(([key, item]) => [key, dataOf(item)]),
  );
}

/**
 * The English sentences of a value, in order. Only a snapshot holds these, so that a new wording costs no edit of a
 * test.
 */
export function sentencesOf(value: unknown): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((item: unknown) => sentencesOf(item));
  return entriesOf(value).flatMap(([key, item]) => {
    if (key === "command" && Array.isArray(item)) return [`command: ${withoutPorts(item.join(" "))}`];
    return SENTENCES.has(key) && typeof item === "string" ? [`${key}: ${withoutPorts(item)}`] : sentencesOf(item);
  });
}

/** Ports differ from run to run. */
export function withoutPorts(text: string): string {
  return text.replaceAll(/(127\.0\.0\.1|localhost):\d+/g, "$1:PORT");
}

/** Returns the error that a function throws. The test fails if it throws nothing. */
export function thrownBy(run: () => unknown): unknown {
  try {
    run();
  } catch (error) {
    return error;
  }
  throw new Error("it threw nothing");
}
