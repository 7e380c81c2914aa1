/** Faults of creates, and of the lists that a client reads to resolve them. */
import type { Fault } from "../../src/emulator/index.ts";
import type { Random } from "../support/random.ts";

export interface Named {
  readonly name: string;
  readonly faults: readonly Fault[];
}

const CARRIED_OUT: Fault = { type: "process-first" };
/** The client waits 60 s for an answer, and another 60 s before it sends again. Milliseconds. */
const TIMEOUT = 60_000;
const SETTLE_TIME = 60_000;
const MARGIN = 3_000;

type Draw = (random: Random) => Named;
const always = (name: string, ...faults: readonly Fault[]): Draw => {
  const named = { name, faults };
  return () => named;
};
const between = (random: Random, from: number, to: number): number => Math.round(from + random.next() * (to - from));

/** Faults of a create. Faults with an unknown outcome are more frequent than refusals. */
export const CREATE_FAULTS: readonly [Draw, ...Draw[]] = [
  always("dropped before", { type: "drop-before" }),
  always("processed, then dropped", { type: "process-then-drop" }),
  always("processed, then dropped", { type: "process-then-drop" }),
  always("half a body", { type: "half-body" }),
  always("half of the headers", { type: "half-headers" }),
  always("headers and no body", { type: "headers-only" }),
  always("half a chunked body", { type: "half-chunked" }),
  always("a redirect", { type: "redirect", location: "http://elsewhere.example/" }),
  always("a redirect after the commit", { type: "redirect", location: "http://elsewhere.example/" }, CARRIED_OUT),
  always("an HTML page with 200", { type: "answer", status: 200, text: "<html>", contentType: "text/html" }),
  always("an HTML page with 200 after the commit", { type: "answer", status: 200, text: "<html>" }, CARRIED_OUT),
  always("an empty object with 200", { type: "answer", status: 200, text: "{}" }),
  always("HTML 502 before", { type: "html-502" }),
  always("HTML 502 after the commit", { type: "html-502" }, CARRIED_OUT),
  always("500 before", { type: "status", status: 500 }),
  always("500 after the commit", { type: "status", status: 500 }, CARRIED_OUT),
  always("503 before", { type: "status", status: 503 }),
  always("503 after the commit", { type: "status", status: 503 }, CARRIED_OUT),
  always("504 before", { type: "status", status: 504 }),
  always("504 after the commit", { type: "status", status: 504 }, CARRIED_OUT),
  always("no id in the answer", { type: "drop-field", field: "id" }),
  always("403", { type: "status", status: 403 }),
  always("404", { type: "status", status: 404 }),
  always("429, no header", { type: "throttle", retryAfter: null }),
  always("429, seconds", { type: "throttle", retryAfter: 2 }),
  always("429, a date", { type: "throttle", retryAfter: new Date("2030-01-01T00:00:20Z") }),
  always("slow drip", { type: "slow-drip", bytes: 64, ms: 40 }),
  (random) =>
    random.chance(0.2)
      ? { name: "slow drip without an end", faults: [{ type: "slow-drip", bytes: 8, ms: 25_000 }] }
      : { name: "429, at once", faults: [{ type: "throttle", retryAfter: 0 }] },
  always("silence within the body", { type: "slow-drip", bytes: 64, ms: 40_000 }),
  (random) => ({ name: "slow", faults: [{ type: "delay-before", ms: between(random, 1, TIMEOUT - MARGIN) }] }),
  (random) => ({
    name: "commit after the time-out",
    faults: [{ type: "delay-before", ms: between(random, TIMEOUT + MARGIN, TIMEOUT + SETTLE_TIME - MARGIN) }],
  }),
  (random) => ({
    name: "commit after the time-out",
    faults: [{ type: "delay-before", ms: between(random, TIMEOUT + MARGIN, TIMEOUT + SETTLE_TIME - MARGIN) }],
  }),
  (random) => ({
    name: "answer after the time-out",
    faults: [{ type: "delay-after", ms: between(random, TIMEOUT + MARGIN, 3 * TIMEOUT) }],
  }),
  (random) => ({
    name: "commit after the time-out, then dropped",
    faults: [
      { type: "delay-before", ms: between(random, TIMEOUT + MARGIN, TIMEOUT + SETTLE_TIME - MARGIN) },
      { type: "process-then-drop" },
    ],
  }),
];

/** Faults of the lists in which a client looks for objects that it may have created. */
export const PROBE_FAULTS: readonly [Draw, ...Draw[]] = [
  always("list: dropped", { type: "drop-before" }),
  always("list: half a body", { type: "half-body" }),
  always("list: HTML 502", { type: "html-502" }),
  always("list: 500", { type: "status", status: 500 }),
  always("list: 503", { type: "status", status: 503 }),
  always("list: 403", { type: "status", status: 403 }),
  always("list: 404", { type: "status", status: 404 }),
  always("list: 429", { type: "throttle", retryAfter: 1 }),
  always("list: count that lies", { type: "lying-count", by: 1 }),
  always("list: count that lies", { type: "lying-count", by: -1 }),
  always("list: clamped pages", { type: "clamp-limit", limit: 2 }),
  always("list: moved row", { type: "move-row" }),
  always("list: rows without ids", { type: "drop-field", field: "id" }),
  (random) => ({ name: "list: slow", faults: [{ type: "delay-after", ms: between(random, 1, 70_000) }] }),
];

/**
 * Lists that lag by one write soon after the first lost request. A later list would prove that the object is absent.
 */
export const STALE: Named = { name: "list: stale", faults: [{ type: "stale-read" }] };
