import { describe, expect, it } from "vitest";
import {
  expectedRequests,
  expectedTimeText,
  timeAtLimit,
  timeLeft,
} from "../../../../src/engine/apply/expected-time.ts";
import type { ShownChange } from "../../../../src/model/plan.ts";
import { aboutTime } from "../../../../src/model/text/plural.ts";

const MINUTE = 60_000;

function changes(count: number, more: Partial<ShownChange> = {}): readonly ShownChange[] {
  return Array.from({ length: count }, (_, index) => ({
    address: `acme/projects/web/insights/i${String(index)}`,
    kind: "insight",
    action: "update",
    reason: "",
    id: "1",
    blocked: null,
    fields: [],
    fingerprint: null,
    ...more,
  }));
}

const CLOUD = {
  url: "https://eu.posthog.com",
  cap: undefined,
  seenLimits: { insights: undefined, queries: undefined, others: undefined },
};
const OWN_SERVICE = { ...CLOUD, url: "https://posthog.acme.example" };

describe("the time that the limits of the service take", () => {
  it.each([
    ["500 updates of insights, of which each is read before", changes(500), 4],
    ["240 requests in the first minute", changes(120), 0],
    ["one more", changes(121), 1],
    ["creates, which are not read", changes(500, { action: "create" }), 2],
    ["another kind has more requests in a minute", changes(500, { address: "acme/domains/a", kind: "domain" }), 2],
    ["the limit of an hour", changes(1000), 60 + 3],
    ["blocked changes take none", changes(500, { blocked: { rule: "prune", lift: "" } }), 0],
  ])("%s", (_name, all, minutes) => {
    expect(timeAtLimit(expectedRequests(all, CLOUD)) / MINUTE).toBe(minutes);
  });

  it("the budgets count apart, and the slowest one decides", () => {
    const both = [...changes(500, { address: "acme/domains/a", kind: "domain" }), ...changes(500)];
    expect(expectedRequests(both, CLOUD)).toMatchObject({ count: 1000, perMinute: 240 });
  });

  it("a limit of one's own is over all budgets", () => {
    const both = [...changes(100, { address: "acme/domains/a", kind: "domain" }), ...changes(100)];
    expect(timeAtLimit(expectedRequests(both, { ...CLOUD, cap: 20 })) / MINUTE).toBe(19);
  });
});

describe("the time before the first write", () => {
  it.each([
    ["PostHog Cloud has documented limits", CLOUD, 100],
    ["another service has none", OWN_SERVICE, 100],
    ["its pace is known", OWN_SERVICE, 1000],
    ["its pace is slower than a limit", { ...OWN_SERVICE, cap: 1000 }, 4000],
    ["it has shown one", { ...OWN_SERVICE, seenLimits: { ...CLOUD.seenLimits, insights: 100 } }, 100],
    ["one's own limit is the slowest", { ...CLOUD, cap: 60 }, 100],
  ])("%s", (_name, known, perRequest) => {
    expect(expectedTimeText(changes(500), { ...known, perRequest })).toMatchSnapshot();
  });

  it.each([
    [50, undefined],
    [51, "51 changes"],
  ])("%d changes that take no minute", (count, said) => {
    expect(expectedTimeText(changes(count), { ...OWN_SERVICE, perRequest: 10 })?.split(",")[0]).toBe(said);
  });
});

describe("the time that is left", () => {
  const expected = { count: 1000, perMinute: 240, perHour: 1200, at: "", total: 1000 };

  it.each([
    ["at the beginning", 0, 0, 4 * MINUTE],
    ["after a minute's worth at once", 240, 3_000, 4 * MINUTE - 3_000],
    ["if the service is slower, its pace counts", 100, MINUTE, 9 * MINUTE],
    ["some requests of the second minute were refused", 500, MINUTE, 3 * MINUTE],
    ["a service without that limit", 500, 5_000, 5_000],
    ["at the end", 1000, 4 * MINUTE, 0],
    ["more requests than expected", 1100, 5 * MINUTE, 0],
  ])("%s", (_name, sent, elapsed, left) => {
    expect(timeLeft(expected, sent, elapsed)).toBe(left);
  });
});

it.each([
  [29_000, undefined],
  [60_000, "about 1 minute"],
  [240_000, "about 4 minutes"],
  [63 * MINUTE, "about 63 minutes"],
  [150 * MINUTE, "about 3 hours"],
])("%d ms in words", (ms, words) => {
  expect(aboutTime(ms)).toBe(words);
});
