import { describe, expect, it } from "vitest";
import { createHolders } from "../../../../src/apply/schedule/holders.ts";
import { isCandidate } from "../../../../src/apply/journal/intents.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import { intentOf } from "../support.ts";

describe("the owner of an object", () => {
  const holders = () =>
    createHolders({
      changes: [
        { address: "acme/domains/a", kind: "domain", id: "1" },
        { address: "acme/domains/new", kind: "domain", id: null },
        { address: "acme/batch_exports/e", kind: "batch_export", id: "1" },
        { address: "acme/pipeline_destinations/p", kind: "pipeline_destination", id: "7" },
      ],
    } as never);

  it("comes from the plan, and from later creates", () => {
    const given = holders();
    expect(given.holderOf("domain", "1")).toBe("acme/domains/a");
    expect(given.holderOf("batch_export", "1")).toBe("acme/batch_exports/e");
    expect(given.holderOf("domain", "2")).toBeUndefined();
    given.hold("acme/domains/new", "domain", "2");
    expect(given.holderOf("domain", "2")).toBe("acme/domains/new");
  });

  it("is the same for kinds among which the service moves objects", () => {
    expect(holders().holderOf("pipeline_frontend_app", "7")).toBe("acme/pipeline_destinations/p");
  });

  it("is undefined if a change has no object yet", () => {
    expect(holders().holderOf("domain", "null")).toBeUndefined();
  });
});

describe("an object is a candidate of an intent", () => {
  const live = (fields: Partial<LiveObject>): LiveObject => ({
    ...({ kind: "domain", scope: "acme", id: "1", pins: {}, values: {}, onDifference: "update" } as const),
    keys: ["a", "b"],
    ...fields,
  });

  it.each<[string, Partial<LiveObject>, boolean]>([
    ["if it has one of the keys", { keys: ["a", "x"] }, true],
    ["not if it has none of the keys", { keys: ["x"] }, false],
    ["not if it existed before", { id: "old" }, false],
    ["not if it is the replaced object", { id: "replaced" }, false],
    ["not if it is a placeholder for another kind's object", { state: "placeholder" }, false],
  ])("%s", (_name, fields, expected) => {
    const intent = intentOf({ known: ["old"], replaces: "replaced" });
    expect(isCandidate(intent, ["a", "c"], live(fields))).toBe(expected);
  });

  it("is looked for among the known ids only if it has the key, because a list may have a hundred thousand", () => {
    const known = Object.assign(["old"], { includes: () => expect.unreachable("another key") });
    expect(isCandidate(intentOf({ known }), ["a"], live({ keys: ["z"] }))).toBe(false);
  });
});
