import { describe, expect, it } from "vitest";
import {
  createLearnedRateWindow,
  type Start,
  type LearnedRateWindow,
} from "../../../../src/api/limits/learned-rate-window.ts";

const T = 1_000_000;

/** A window with some requests, one second apart, each answered after 100 ms. */
function taken(count: number): {
  readonly window: LearnedRateWindow;
  readonly starts: readonly Start[];
  readonly now: number;
} {
  const window = createLearnedRateWindow();
  const starts = Array.from({ length: count }, (_, index) => {
    const start = window.take(T + index * 1_000);
    window.succeeded(start, T + index * 1_000 + 100);
    return start;
  });
  return { window, starts, now: T + count * 1_000 };
}

/** The same after a 429 that asks for a wait of `waitMs`. */
function complained(count: number, waitMs: number) {
  const { window, now } = taken(count);
  window.throttled(window.take(now), waitMs, now);
  return { window, now };
}

describe("the window of a budget", () => {
  it("is open before the first 429", () => {
    const { window, now } = taken(1_000);
    expect(window.opensAt(now)).toBe(now);
  });

  it.each([
    ["exactly", 0],
    ["in whole seconds, rounded up", 900],
    ["from when the oldest arrived", -80],
  ])("learns its limit from a wait for the oldest, %s", (_name, off) => {
    const { window, now } = complained(10, 50_100 + off);
    // It is full until one minute after the answer to the oldest request.
    expect(window.opensAt(now)).toBe(T + 100 + 60_000);
    expect(window.opensAt(T + 100 + 60_000)).toBe(T + 100 + 60_000);
    window.take(T + 60_100);
    expect(window.opensAt(T + 60_101)).toBe(T + 1_100 + 60_000);
  });

  it.each([
    ["a shorter wait", 1_000],
    ["a longer wait", 55_000],
  ])("learns nothing from %s", (_name, waitMs) => {
    const { window, now } = complained(10, waitMs);
    expect(window.opensAt(now)).toBe(now);
  });

  it("learns nothing from a 429 for the first request", () => {
    const { window, now } = complained(0, 60_000);
    expect(window.opensAt(now)).toBe(now);
  });

  it("does not count the rejected requests of a burst", () => {
    const { window, now } = taken(10);
    const burst = [window.take(now), window.take(now), window.take(now)];
    for (const start of burst) window.throttled(start, 50_100, now);
    // The window holds ten, so a request may start when one of them leaves.
    expect(window.opensAt(T + 60_099)).toBe(T + 60_100);
    expect(window.opensAt(T + 60_100)).toBe(T + 60_100);
  });

  it("grows after as many successes as its limit", () => {
    const { window, now } = complained(10, 50_100);
    let at = now + 120_000;
    for (let index = 0; index < 10; index += 1) {
      expect(window.opensAt(at)).toBe(at);
      window.succeeded(window.take(at), at);
    }
    // The learned limit is ten. A quarter more is thirteen.
    at += 1;
    const more = Array.from({ length: 3 }, () => [window.opensAt(at), window.take(at)] as const);
    expect(more.map(([opens]) => opens)).toEqual([at, at, at]);
    expect(window.opensAt(at)).toBeGreaterThan(at);
  });
});
