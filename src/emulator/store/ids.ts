const BASE62 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const URL_SAFE = `${BASE62}-_`;

/** Creates identifiers that are unique within one emulator, even if the random source is constant. */
export interface Ids {
  uuid(): string;
  /** 8 letters and digits, the form of an insight's short id. */
  shortId(): string;
  /** Returns the next integer of a named sequence. */
  next(sequence: string): number;
  /** Moves a sequence past an id that was given from outside. */
  reserve(sequence: string, id: number): void;
  /** Returns random characters of the URL-safe alphabet. */
  token(length: number): string;
}

/** Creates identifiers from random numbers in [0, 1). A counter in each one keeps them unique. */
export function createIds(random: () => number): Ids {
  const sequences = new Map<string, number>();
  let made = 0;

  const pick = (alphabet: string, length: number): string =>
    Array.from({ length }, () => alphabet.charAt(Math.floor(random() * alphabet.length))).join("");
  const hex = (length: number): string => pick("0123456789abcdef", length);

  return {
    uuid() {
      made += 1;
      const tail = made.toString(16).padStart(8, "0");
      return `${hex(8)}-${hex(4)}-4${hex(3)}-8${hex(3)}-${hex(4)}${tail}`;
    },
    shortId() {
      made += 1;
      const tail = made.toString(36).padStart(4, "0").slice(-4);
      return `${pick(BASE62, 4)}${tail}`;
    },
    next(sequence) {
      const id = (sequences.get(sequence) ?? 0) + 1;
      sequences.set(sequence, id);
      return id;
    },
    reserve(sequence, id) {
      sequences.set(sequence, Math.max(id, sequences.get(sequence) ?? 0));
    },
    token: (length) => pick(URL_SAFE, length),
  };
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Reports whether a text has the form of a UUID. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}
