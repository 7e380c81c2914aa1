import { describe, expect, it } from "vitest";
import { createClaims } from "../../../../src/apply/schedule/claims.ts";
import { isCandidate } from "../../../../src/apply/journal/intents.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import { intentOf } from "../support.ts";

describe("the owner of an object", () => {
  const claims = () =>
    createClaims({
      changes: [
        { address: "acme/domains/a", kind: "domain", id: "1" },
        { address: "acme/domains/new", kind: "domain", id: null },
        { address: "acme/batch_exports/e", kind: "batch_export", id: "1" },
        { address: "acme/pipeline_destinations/p", kind: "pipeline_destination", id: "7" },
      ],
    } as never);

  it("comes from the plan, and from later claims", () => {
    const given = claims();
    expect(given.ownerOf("domain", "1")).toBe("acme/domains/a");
    expect(given.ownerOf("batch_export", "1")).toBe("acme/batch_exports/e");
    expect(given.ownerOf("domain", "2")).toBeUndefined();
    given.claim("acme/domains/new", "domain", "2");
    expect(given.ownerOf("domain", "2")).toBe("acme/domains/new");
  });

  it("is the same for kinds among which the service moves objects", () => {
    expect(claims().ownerOf("pipeline_frontend_app", "7")).toBe("acme/pipeline_destinations/p");
  });

  it("is undefined if a change has no object yet", () => {
    expect(claims().ownerOf("domain", "null")).toBeUndefined();
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
});
