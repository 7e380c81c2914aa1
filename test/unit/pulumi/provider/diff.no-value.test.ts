import { describe, expect, it } from "vitest";
import { kinds } from "../../../../src/kinds/registry.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { check } from "../../../../src/pulumi/properties/check.ts";
import { diff } from "../../../../src/pulumi/provider/diff.ts";

const NOOP = { type: "NoOp", config: {} };
const program = (more: JsonObject): JsonObject => ({
  projectId: 2,
  name: "Nightly",
  interval: "day",
  paused: false,
  destination: NOOP,
  ...more,
});

describe("an empty text in a field that the service never shows", () => {
  it.each(["", " \n"])("is the null that some languages leave out: %j", (hogqlQuery) => {
    const { inputs, failures } = check(kinds.batch_export, program({ hogqlQuery }));
    expect([failures, inputs]).toEqual([[], program({ hogqlQuery: null })]);
  });

  it("is no change against a null, in a program or in a state of an earlier release", () => {
    const [blank, none] = [program({ hogqlQuery: "" }), program({ hogqlQuery: null })];
    expect([diff(kinds.batch_export, blank, none), diff(kinds.batch_export, none, blank)]).toEqual([
      { changes: false },
      { changes: false },
    ]);
    expect(diff(kinds.batch_export, program({ hogqlQuery: "SELECT 1" }), blank).changed).toHaveLength(1);
  });

  it("stays a text in a field that the service shows", () => {
    const news = { projectId: 2, name: "Signups", description: "" };
    expect(check(kinds.insight, news).inputs).toEqual(news);
  });
});
