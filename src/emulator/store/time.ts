const DATE_TIME =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:[.,](\d{1,6})\d*)?)?\s*(Z|[+-]\d{2}(?::?\d{2})?)?)?$/i;

/** Formats a moment like the service: UTC, `Z`, and six digits of a second unless they are zero. */
export function stamp(date: Date): string {
  return shorten(date.toISOString().slice(0, 19), date.toISOString().slice(20, 23));
}

function shorten(seconds: string, fraction: string): string {
  const digits = fraction.padEnd(6, "0");
  return digits === "000000" ? `${seconds}Z` : `${seconds}.${digits}Z`;
}

/**
 * Converts an ISO 8601 date and time to UTC. A time without an offset counts as UTC, as in the service.
 * @returns `undefined` if the text is not a date and time
 */
export function toUtc(text: string): string | undefined {
  const [, day, minute = "00:00", second = "00", fraction = "", offset = "Z"] = DATE_TIME.exec(text.trim()) ?? [];
  if (day === undefined) return undefined;
  const zone = /^[+-]\d{2}$/.test(offset) ? `${offset}:00` : offset.replace(/^([+-]\d{2})(\d{2})$/, "$1:$2");
  const date = new Date(`${day}T${minute}:${second}${zone.toUpperCase()}`);
  if (Number.isNaN(date.getTime())) return undefined;
  return shorten(date.toISOString().slice(0, 19), fraction);
}

/** Reports whether a date and time has no offset from UTC. */
export function hasNoOffset(text: string): boolean {
  return !/[T ].*(Z|[+-]\d{2}(:?\d{2})?)$/i.test(text.trim());
}
