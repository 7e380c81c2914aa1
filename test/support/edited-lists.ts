import * as fc from "fast-check";

/** An element of a list, such as a series of a query. */
export interface Element {
  /** What it is about. */
  readonly subject: string;
  /** The elements of a list in it. */
  readonly properties: readonly string[];
  /** Whether it has keys that only others set. */
  readonly owned: boolean;
}

type Edit = (list: readonly Element[], at: number, fresh: Element) => readonly Element[];

const swapped: Edit = (list, at) => {
  const other = (at * 7 + 1) % list.length;
  return list.map((one, index) => list[index === at ? other : index === other ? at : index] ?? one);
};

/** What people do to a list. `fresh` is an element that the list does not have. */
const EDITS: Readonly<Record<string, Edit>> = {
  "remove the first and append one": ([, ...rest], _at, fresh) => [...rest, fresh],
  "swap two": swapped,
  rotate: (list, at) => [...list.slice(at), ...list.slice(0, at)],
  "turn around": (list) => list.toReversed(),
  "duplicate one": (list, at) => list.flatMap((one, index) => (index === at ? [one, one] : [one])),
  "replace one": (list, at, fresh) => list.with(at, fresh),
  "remove one": (list, at) => list.toSpliced(at, 1),
  "insert one": (list, at, fresh) => list.toSpliced(at, 0, fresh),
  "change a nested list": (list, at, { properties }) =>
    list.map((one, index) => (index === at ? { ...one, properties } : one)),
  "swap two and change a nested list": (list, at, { properties }) =>
    swapped(list, at, list[at] as Element).map((one, index) => (index === at ? { ...one, properties } : one)),
};

const properties = fc.uniqueArray(fc.constantFrom("browser", "plan", "country"), { maxLength: 3 });

/** A list in which each element has keys that only others set, and the list after up to three edits. */
export const editedLists: fc.Arbitrary<{ readonly before: readonly Element[]; readonly after: readonly Element[] }> = fc
  .record({
    of: fc.array(properties, { minLength: 1, maxLength: 6 }),
    edits: fc.array(fc.tuple(fc.constantFrom(...Object.values(EDITS)), fc.nat(20), properties), {
      minLength: 1,
      maxLength: 3,
    }),
  })
  .map(({ of, edits }) => {
    const before = of.map((keys, index): Element => ({ subject: `e${index}`, properties: keys, owned: true }));
    const edited = (list: readonly Element[], index: number): readonly Element[] => {
      const [edit, at, keys] = edits[index] ?? [];
      if (edit === undefined || at === undefined || keys === undefined || list.length === 0) return list;
      const fresh = { subject: `n${index}`, properties: keys, owned: false };
      return edited(edit(list, at % list.length, fresh), index + 1);
    };
    return { before, after: edited(before, 0) };
  });
