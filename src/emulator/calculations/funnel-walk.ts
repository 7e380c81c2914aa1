import type { Matcher } from "./properties.ts";
import type { ProjectEvent } from "../resources/event.ts";

/**
 * How far one person comes in a funnel.
 *
 * Terms: a walk is the moments at which its person did the first steps of the funnel, as many as they did.
 * Premise: the events of a person are in order of time, and one event is one step at most.
 * Algorithm: every event that can be a first step starts a walk, which then takes the earliest event that fits the next
 * step and lies within the window after its start. The longest walk counts; of several, the earliest.
 */

/** How steps have to follow each other. */
export type FunnelOrder = "ordered" | "strict" | "unordered";

/** What a person must not do between two steps, both counted from 0. */
export interface Exclusion {
  readonly matches: Matcher;
  readonly from: number;
  readonly to: number;
}

/** The rules of a funnel. */
export interface FunnelRules {
  readonly steps: readonly Matcher[];
  readonly order: FunnelOrder;
  /** The last moment of a window that begins then, in milliseconds since 1970. */
  readonly windowEnd: (start: number) => number;
  readonly exclusions: readonly Exclusion[];
}

/** The moments of the steps that a person did, in milliseconds since 1970. */
export type Walk = readonly number[];

/** The longest walk of a person through a funnel; undefined for one whom an exclusion takes out of it. */
export function walk(events: readonly ProjectEvent[], rules: FunnelRules): Walk | undefined {
  let best: Walk = [];
  for (const [index, event] of events.entries()) {
    if (best.length === rules.steps.length) break;
    const end = rules.windowEnd(event.at);
    const next = take(events.slice(index), rules, end);
    if (next.length > best.length) best = next;
  }
  const [start] = best;
  if (start === undefined) return best;
  return isExcluded(events, best, rules, rules.windowEnd(start)) ? undefined : best;
}

/** The walk that begins with the first of these events. */
function take(events: readonly ProjectEvent[], rules: FunnelRules, end: number): Walk {
  const within = events.filter((event) => event.at <= end);
  if (rules.order === "unordered") return takeAny(within, rules.steps);
  const moments: number[] = [];
  for (const event of within) {
    const step = rules.steps[moments.length];
    if (step === undefined) break;
    if (step(event)) moments.push(event.at);
    // The first event starts the walk or there is none; where steps have to be neighbours, any other event ends it.
    else if (moments.length === 0 || rules.order === "strict") break;
  }
  return moments;
}

/** Each event does the first step that it can and that is still to be done. */
function takeAny(events: readonly ProjectEvent[], steps: readonly Matcher[]): Walk {
  const open = new Set(steps);
  const moments: number[] = [];
  for (const event of events) {
    const done = [...open].find((step) => step(event));
    if (done === undefined && moments.length === 0) break;
    if (done === undefined) continue;
    open.delete(done);
    moments.push(event.at);
  }
  return moments;
}

/** Between two steps lies the time from the one to the other, or to the end of the window for who never came so far. */
function isExcluded(events: readonly ProjectEvent[], done: Walk, rules: FunnelRules, end: number): boolean {
  return rules.exclusions.some(({ matches, from, to }) => {
    const start = done[from];
    if (start === undefined) return false;
    const stop = done[to] ?? end + 1;
    return events.some((event) => event.at > start && event.at < stop && matches(event));
  });
}
