/**
 * Which elements of two lists are the same one.
 *
 * Terms: partners are two elements, one of each list, that are one element for a person. The subject of an element is what it is
 * about: an event, an action, a property. The similarity of two elements is the part of their leaves that both have, from 0 to 1.
 * Premise: people add, remove, move or edit single elements. By index, everything behind them would seem changed, and what
 * belongs to one element would be given to another.
 * Algorithm: equal elements are partners, as many as possible in their order (the longest common subsequence). Of the rest, those
 * are partners wherever they are that are most alike: equal ones first, then those with a subject that no other element has, then
 * by similarity. Elements with different subjects are never partners.
 */
import { diffArrays } from "diff";
import { canonicalJson } from "../model/json/canonical-json.ts";
import { isJsonArray, isJsonObject, own, type Json, type JsonObject } from "../model/json/json.ts";
import { holdsSensitive, isSensitive } from "../model/secret-values.ts";

/** Two elements that belong together, or one that has no partner. Indexes start at 0. */
export interface AlignedPair {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Whether it stands at another place among its neighbours. It may have been edited as well. */
  readonly moved: boolean;
}

export interface AlignOptions {
  /** Whether two elements are equal, by their indexes. The default compares all of them. */
  readonly isEqual?: (from: number, to: number) => boolean;
  /** Set if the planned elements say only a part of what the prior ones hold: then only their leaves count. */
  readonly partial?: boolean;
}

/** The keys that say what an element is about. */
const SUBJECT_KEYS = ["id", "event", "key", "property"];
/** Elements that are less alike are not the same one. */
const MIN_SIMILARITY = 0.5;
const [EQUAL, SAME_SUBJECT] = [3, 2];
/** Lists with more edits than this are compared by place. It bounds the time, which grows with the square. */
const MAX_EDITS = 80;
/** So many pairs, the most alike ones, are asked whether they are equal. */
const MAX_ASKED = 1_000;
/**
 * If the comparison of all elements without a partner looks up more leaves than this, they are compared by place. Planned elements that
 * say only a part then have no partner: the rest of one must not go to another.
 */
const MAX_LOOKUPS = 1_000_000;

/** Returns the pairs in the order of the planned list. Removed elements stand where they were. */
export function alignLists(prior: readonly Json[], planned: readonly Json[]): readonly AlignedPair[] {
  const partners = findPartners(prior, planned);
  const pairs = [...partners].map(([to, from]) => ({ from, to })).toSorted((a, b) => a.to - b.to);
  const paired = new Set(partners.values());
  const aligned: AlignedPair[] = [];
  let [from, to] = [0, 0];
  for (const stay of [...longestChain(pairs), { from: prior.length, to: planned.length }]) {
    for (; from < stay.from; from++) if (!paired.has(from)) aligned.push({ from, moved: false });
    for (; to < stay.to; to++) aligned.push({ from: partners.get(to), to, moved: partners.has(to) });
    if (stay.to < planned.length) aligned.push({ ...stay, moved: false });
    [from, to] = [stay.from + 1, stay.to + 1];
  }
  return aligned;
}

/** Returns the index of the prior element for each planned one that has a partner. */
export function findPartners(
  prior: readonly Json[],
  planned: readonly Json[],
  { isEqual = equalityOf(prior, planned), partial = false }: AlignOptions = {},
): ReadonlyMap<number, number> {
  const partners = new Map(commonPairs(prior.length, planned.length, isEqual).map(({ from, to }) => [to, from]));
  const taken = new Set(partners.values());
  const isOwnSubject = ownSubjects(prior, planned);
  const options = { partial };
  const scoreOf = (left: Element, right: Element): number =>
    isOwnSubject(left, right) ? SAME_SUBJECT : similarityOf(left, right, options);
  const open = candidates(elementsOf(prior, taken), elementsOf(planned, partners), options);
  const alike = open.flatMap(([left, right], place) => {
    const score = scoreOf(left, right);
    return score < MIN_SIMILARITY ? [] : [{ from: left.index, to: right.index, score, place }];
  });
  const scored = alike
    .toSorted((a, b) => b.score - a.score)
    .map((one, index) => (index < MAX_ASKED && isEqual(one.from, one.to) ? { ...one, score: EQUAL } : one));
  for (const { from, to } of scored.toSorted((a, b) => b.score - a.score || a.place - b.place)) {
    if (taken.has(from) || partners.has(to)) continue;
    partners.set(to, from);
    taken.add(from);
  }
  return partners;
}

/** An element with a secret equals no other one, because nothing is known about it. */
function equalityOf(prior: readonly Json[], planned: readonly Json[]): (from: number, to: number) => boolean {
  const textsOf = (list: readonly Json[]): readonly (string | undefined)[] =>
    list.map((value) => (holdsSensitive(value) ? undefined : canonicalJson(value)));
  const [left, right] = [textsOf(prior), textsOf(planned)];
  return (from, to) => left[from] !== undefined && left[from] === right[to];
}

interface Pair {
  readonly from: number;
  readonly to: number;
}

/** Equal elements, as many as possible in one order. */
function commonPairs(
  priorLength: number,
  plannedLength: number,
  isEqual: (from: number, to: number) => boolean,
): readonly Pair[] {
  const [left, right] = [range(priorLength), range(plannedLength)];
  const parts = diffArrays(left, right, { comparator: isEqual, maxEditLength: MAX_EDITS });
  if (parts === undefined)
    return left
      .filter((index) => index < plannedLength && isEqual(index, index))
      .map((index) => ({ from: index, to: index }));
  const pairs: Pair[] = [];
  let [from, to] = [0, 0];
  for (const { removed, added, count } of parts) {
    if (!removed && !added) pairs.push(...range(count).map((index) => ({ from: from + index, to: to + index })));
    if (!added) from += count;
    if (!removed) to += count;
  }
  return pairs;
}

function range(length: number): number[] {
  return Array.from({ length }, (_, index) => index);
}

/** An element without a partner, with what its similarity to others is computed from. */
interface Element {
  readonly index: number;
  readonly value: Json;
  readonly subject: Subject;
  /** A text for each leaf outside of the subject, with its weight. */
  readonly leaves: ReadonlyMap<string, number>;
  /** The sum of the weights. */
  readonly weight: number;
}

/** By key of the subject. An id may be a number or a text. */
type Subject = ReadonlyMap<string, string>;

/** The elements of a list that have no partner. */
function elementsOf(list: readonly Json[], taken: { readonly has: (index: number) => boolean }): readonly Element[] {
  return list.flatMap((value, index) => {
    if (taken.has(index)) return [];
    const leaves = new Map(isMapping(value) ? memberLeaves(value, SUBJECT_KEYS) : leavesOf(value));
    const weight = [...leaves.values()].reduce((sum, one) => sum + one, 0);
    return [{ index, value, subject: subjectOf(value), leaves, weight }];
  });
}

function subjectOf(value: Json): Subject {
  if (!isJsonObject(value)) return new Map();
  return new Map(
    SUBJECT_KEYS.flatMap((key) => {
      const item = own(value, key);
      if (item === undefined) return [];
      return [[key, typeof item === "string" ? item : canonicalJson(item)] as const];
    }),
  );
}

type Leaf = readonly [text: string, weight: number];

/**
 * The leaves of a value. A list inside of an element weighs as much as one leaf, and the places of its elements do not count. So if
 * only that list has changed, the element still has its partner.
 */
function leavesOf(value: Json): readonly Leaf[] {
  if (isJsonArray(value) && value.length > 0) {
    const texts = [...new Set(value.flatMap((item) => leavesOf(item).map(([text]) => text)))];
    return texts.map((text) => [`/*${text}`, 1 / texts.length]);
  }
  const isLeaf = !isMapping(value) || Object.keys(value).length === 0;
  return isLeaf ? [[`=${canonicalJson(value)}`, 1]] : memberLeaves(value, []);
}

function isMapping(value: Json): value is JsonObject {
  return isJsonObject(value) && !isSensitive(value);
}

/** The leaves of the members. A null is like a missing member. */
function memberLeaves(value: JsonObject, except: readonly string[]): readonly Leaf[] {
  return Object.entries(value).flatMap(([key, item]) => {
    if (item === null || except.includes(key)) return [];
    return leavesOf(item).map(([text, weight]): Leaf => [`/${JSON.stringify(key)}${text}`, weight]);
  });
}

/** All pairs of elements. If there are too many: those at the same place, or none if the planned ones say only a part. */
function candidates(
  prior: readonly Element[],
  planned: readonly Element[],
  { partial }: Required<Pick<AlignOptions, "partial">>,
): readonly (readonly [Element, Element])[] {
  const lookups = prior.length * planned.reduce((sum, { leaves }) => sum + leaves.size + 1, 0);
  if (lookups > MAX_LOOKUPS && partial) return [];
  const byPlace = new Map(planned.map((right) => [right.index, right]));
  const partnersOf = ({ index }: Element): readonly Element[] =>
    lookups <= MAX_LOOKUPS ? planned : [byPlace.get(index) ?? []].flat();
  return prior.flatMap((left) => partnersOf(left).map((right) => [left, right] as const));
}

/** Returns whether two elements have one subject, and no other element of either list has it. */
function ownSubjects(prior: readonly Json[], planned: readonly Json[]): (left: Element, right: Element) => boolean {
  const [before, after] = [subjectCounts(prior), subjectCounts(planned)];
  return (left, right) =>
    relationOf(left.subject, right.subject) === "same" &&
    [...right.subject].some((entry) => {
      const text = entry.join("=");
      return before.get(text) === 1 && after.get(text) === 1;
    });
}

function subjectCounts(list: readonly Json[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of list)
    for (const entry of subjectOf(value)) counts.set(entry.join("="), (counts.get(entry.join("=")) ?? 0) + 1);
  return counts;
}

/** How two subjects are related. It is not known if the planned element does not say what it is about. */
function relationOf(prior: Subject, planned: Subject): "same" | "other" | "unknown" {
  if (planned.size === 0) return "unknown";
  const common = [...planned].filter(([key]) => prior.has(key));
  return common.length > 0 && common.every(([key, text]) => prior.get(key) === text) ? "same" : "other";
}

/** From 0 to 1. Nothing is known about a secret, so it is like no other one. */
function similarityOf(left: Element, right: Element, { partial }: Required<Pick<AlignOptions, "partial">>): number {
  if (isJsonArray(left.value) !== isJsonArray(right.value) || isSensitive(left.value)) return 0;
  if (relationOf(left.subject, right.subject) === "other") return 0;
  const weight = partial ? right.weight : Math.max(left.weight, right.weight);
  if (weight === 0) return 1;
  let shared = 0;
  for (const [text, wanted] of right.leaves) {
    const other = left.leaves.get(text);
    if (other !== undefined) shared += partial ? wanted : Math.min(wanted, other);
  }
  // The weights of a list are fractions, whose sum is not exact.
  return Math.round((shared / weight) * 1e6) / 1e6;
}

/** The longest part of pairs in the planned order that is also in the prior order. */
function longestChain(pairs: readonly Pair[]): readonly Pair[] {
  interface Link {
    readonly pair: Pair;
    readonly before: Link | undefined;
  }
  /** At each index, the chain of this length that ends earliest in the prior list. */
  const ends: Link[] = [];
  for (const pair of pairs) {
    const length = ends.findLastIndex((end) => end.pair.from < pair.from) + 1;
    ends[length] = { pair, before: ends[length - 1] };
  }
  const chain: Pair[] = [];
  for (let link = ends.at(-1); link !== undefined; link = link.before) chain.push(link.pair);
  return chain.toReversed();
}
