import { describe, expect, it } from "vitest";
import { change, intentOf, lost, world, type World } from "../support.ts";

const domains = ["a.com", "b.com", "c.com"].map((domain) => change("domain", { domain }));
/** Long after any request of an earlier run. */
const LATE = 1_700_000_000_000 + 2 * 60 * 60_000;
const listed = ({ log }: World): number => log.filter((one) => one === "domains.list").length;

describe("the look for objects of other runs after a create", () => {
  it("is one list for all creates of a kind in a scope, and nothing is waited for after it", async () => {
    const given = world({ otherRuns: "look after" });
    const outcomes = await given.apply(...domains);
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "applied", "applied"]);
    expect([listed(given), given.clock.slept]).toEqual([1, []]);
  });

  it("goes on until the list shows what was created, and no longer", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("domains.list", () => ({ status: 200, body: [] }));
    const outcomes = await given.apply(...domains);
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "applied", "applied"]);
    expect(listed(given)).toBe(2);
    expect(new Set(given.clock.slept)).toEqual(new Set([500]));
  });

  it("reads again after a list that failed", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("domains.list", () => Promise.reject(lost("domains.list")));
    const outcomes = await given.apply(...domains);
    expect(outcomes.map(({ status }) => status)).toEqual(["applied", "applied", "applied"]);
    expect(listed(given)).toBe(2);
  });

  it("calls a bug a bug, not a list that could not be read", async () => {
    const given = world({ otherRuns: "look after" });
    given.on("domains.list", () => Promise.reject(new TypeError("rows is not iterable")));
    const [outcome] = await given.apply(change("domain", { domain: "a.com" }));
    expect(outcome).toMatchObject({ status: "unknown", error: { code: "defect" } });
  });

  it("does not end with a list that was asked for before the own create could no longer take effect", async () => {
    const given = world({ otherRuns: "look after", intents: [intentOf({})] });
    given.add("domains", { domain: "a.com" });
    // The first list finds the object of the other run. While the second one is read, the own one takes effect.
    given.on("domains.list", (serve) => {
      given.on("domains.list", (read) => {
        const answer = read();
        given.clock.time = LATE;
        given.add("domains", { domain: "a.com" });
        return answer;
      });
      return serve();
    });
    const [outcome] = await given.apply(change("domain", { domain: "a.com" }));
    expect(outcome?.error?.code).toBe("created_twice");
  });
});
