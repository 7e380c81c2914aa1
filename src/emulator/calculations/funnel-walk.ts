import type { Matcher } from "./properties.ts";
import type { ProjectEvent } from "../resources/event.ts";

/**
 * Computes how far one person gets in a funnel.
 *
 * Terms: a walk is the list of moments at which a person completed the steps of the funnel, from the first step on.
 * Premise: the events of a person are sorted by time, and one event completes at most one step.
 * Algorithm: every event that matches the first step starts a walk. The walk then takes the earliest event that matches
 * the next step and lies within the window after its start. The longest walk counts, or the earliest of equal length.
 */

/** The order in which the steps must follow each other. */
export type FunnelOrder = "ordered" | "strict" | "unordered";

/** An event that a person must not do between two steps. Steps are counted from 0. */
export interface Exclusion {
  readonly matches: Matcher;
  readonly from: number;
  readonly to: number;
}

/** The rules of a funnel. */
export interface FunnelRules {
  readonly steps: readonly Matcher[];
  readonly order: FunnelOrder;
  /** Returns the last moment of a window that begins at `start`, in milliseconds since 1970. */
  readonly windowEnd: (start: number) => number;
  readonly exclusions: readonly Exclusion[];
}

/** The moments of the steps that a person completed, in milliseconds since 1970. */
export type Walk = readonly number[];

/** Returns the longest walk of a person through a funnel, or undefined if an exclusion removes the person. */
export function longestWalk(events: readonly ProjectEvent[], rules: FunnelRules): Walk | undefined {
  let best: Walk = [];
  for (const [index, event] of events.entries()) {
    if (best.length === rules.steps.length) break;
    const end = rules.windowEnd(event.at);
    const next = walkFromFirst(events.slice(index), rules, end);
    if (next.length > best.length) best = next;
  }
  const [start] = best;
  if (start === undefined) return best;
  return isExcluded(events, best, rules, rules.windowEnd(start)) ? undefined : best;
}

/** Returns the walk that begins with the first of these events. */
function walkFromFirst(events: readonly ProjectEvent[], rules: FunnelRules, end: number): Walk {
  const within = events.filter((event) => event.at <= end);
  if (rules.order === "unordered") return walkUnordered(within, rules.steps);
  const moments: number[] = [];
  for (const event of within) {
    const step = rules.steps[moments.length];
    if (step === undefined) break;
    if (step(event)) moments.push(event.at);
    // The first event must start the walk. In strict order, any event that is not the next step ends it.
    else if (moments.length === 0 || rules.order === "strict") break;
  }
  return moments;
}

/** Each event completes the first open step that it matches. */
function walkUnordered(events: readonly ProjectEvent[], steps: readonly Matcher[]): Walk {
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

/**
 * An exclusion applies between its two steps, or until the end of the window if the person never reached the second.
 */
function isExcluded(events: readonly ProjectEvent[], moments: Walk, rules: FunnelRules, end: number): boolean {
  return rules.exclusions.some(({ matches, from, to }) => {
    const start = moments[from];
    if (start === undefined) return false;
    const stop = moments[to] ?? end + 1;
    return events.some((event) => event.at > start && event.at < stop && matches(event));
  });
}
