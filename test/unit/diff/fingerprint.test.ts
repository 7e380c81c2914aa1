/** A plan is bound only to the values that it was made from. */
import { describe, expect, it } from "vitest";
import { fingerprint, fingerprintFor } from "../../../src/diff/fingerprint.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import type { JsonObject, ValueObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import type { LiveObject } from "../../../src/model/live.ts";

const OBJECT: LiveObject = {
  kind: "membership",
  scope: "acme",
  id: "1",
  pins: {},
  keys: ["ada@acme.com"],
  values: { level: 8 },
  onDifference: "update",
};

const ofObject = (more: Partial<LiveObject>): string =>
  fingerprint(kinds.membership, { ...OBJECT, ...more }, { level: 15 });
const ofValues = (kind: KindName, declared: ValueObject, values: JsonObject): string =>
  fingerprint(kinds[kind], { ...OBJECT, kind, values }, declared);

describe("a fingerprint depends on", () => {
  it.each<[string, Partial<LiveObject>]>([
    ["another id", { id: "2" }],
    ["another natural key", { keys: ["eve@acme.com"] }],
    ["no natural key", { keys: [] }],
    ["that it was deleted", { state: "deleted" }],
    ["that it has expired", { state: "expired" }],
    ["that it is a placeholder", { state: "placeholder" }],
    ["that it consists of other objects", { parts: { invites: [] } }],
    ["another value of a declared field", { values: { level: 1 } }],
    ["no value of a declared field", { values: {} }],
  ])("%s", (_name, more) => {
    expect(ofObject(more)).not.toBe(ofObject({}));
  });

  it("the parts of an object", () => {
    const parts: readonly LiveObject["parts"][] = [
      { invites: [] },
      { invites: ["i"] },
      { invites: ["i", "j"] },
      { member: "m", invites: [] },
      { member: "m", invites: ["i"] },
      { member: "n", invites: ["i"] },
    ];
    expect(new Set(parts.map((one) => ofObject({ parts: one }))).size).toBe(parts.length);
  });

  it("each state", () => {
    const states = ["deleted", "expired", "leaving", "placeholder", undefined] as const;
    expect(new Set(states.map((state) => ofObject({ state }))).size).toBe(states.length);
  });
});

describe("a fingerprint is the same", () => {
  it("in later versions, so that a plan of an earlier one can be applied", () => {
    const filters = ofValues(
      "insight",
      { filters: { insight: "TRENDS" } },
      { filters: {}, query: { kind: "TrendsQuery" } },
    );
    const time = ofValues("batch_export", { start_at: null }, { start_at: "2024-01-01T01:00:00.120+01:00" });
    expect([ofObject({}), filters, time]).toEqual([
      "sha256:ad2acb795d315d52fcd09f3793f052a014cb2d5404ea537b5b5bbce29023ef62",
      "sha256:157c97e9c722a5accaf0c34ac8ec8c9faf7fa9d92cb6f1a93064a7fd804b6627",
      "sha256:b354eb4c4d929a4d62b9d2bdffe801ef221e8537c38790336546d9ffca07e2f0",
    ]);
  });

  it.each<[string, Partial<LiveObject>]>([
    ["for other further natural keys", { keys: ["ada@acme.com", "ada"] }],
    ["for other pins and another author", { pins: { uuid: "u" }, modified: { at: "2024", by: "eve" } }],
    ["for other values of undeclared fields", { values: { level: 8, first_name: "Ada" } }],
  ])("%s", (_name, more) => {
    expect(ofObject(more)).toBe(ofObject({}));
  });
});

describe("of a declared field it distinguishes", () => {
  it.each<[string, KindName, ValueObject, JsonObject, JsonObject, boolean]>([
    ["not the order of a set", "insight", { tags: [] }, { tags: ["a", "b", "c"] }, { tags: ["c", "a", "b"] }, true],
    ["not forms of an element that are equal", "insight", { tags: [] }, { tags: ["A", "a"] }, { tags: ["a"] }, true],
    ["the elements of a set", "insight", { tags: [] }, { tags: ["a", "b"] }, { tags: ["a", "c"] }, false],
    [
      "the order of a list",
      "pipeline_destination",
      { config_schema: [] },
      { config_schema: [1, 2] },
      { config_schema: [2, 1] },
      false,
    ],
    [
      "not the order of keys",
      "insight",
      { query: { a: 1 } },
      { query: { a: 1, b: 2 } },
      { query: { b: 2, a: 1 } },
      true,
    ],
    [
      "what others have put beside it, as that is sent again",
      "insight",
      { query: { a: 1 } },
      { query: { a: 1, b: 2 } },
      { query: { a: 1, b: 3 } },
      false,
    ],
    [
      "white space in a free-form value",
      "insight",
      { query: {} },
      { query: { a: " x" } },
      { query: { a: "x" } },
      false,
    ],
    ["not what a service trims", "insight", { description: "x" }, { description: " x" }, { description: "x" }, true],
    [
      "not blank from null if the service does not",
      "insight",
      { description: "x" },
      { description: "" },
      { description: null },
      true,
    ],
    ["not null from what is missing", "organization", { enforce_2fa: true }, { enforce_2fa: null }, {}, true],
    [
      "not the zone of a time",
      "batch_export",
      { start_at: null },
      { start_at: "2024-01-01T00:00:00Z" },
      { start_at: "2024-01-01T01:00:00+01:00" },
      true,
    ],
    [
      "the letters of an address not",
      "invite",
      { target_email: "x" },
      { target_email: "Ada@acme.com" },
      { target_email: "ada@ACME.com" },
      true,
    ],
    [
      "not the type that only some views add to filters",
      "insight",
      { filters: {} },
      { filters: { events: [] } },
      { filters: { insight: "TRENDS", events: [] } },
      true,
    ],
    ["another type of filters", "insight", { filters: {} }, { filters: {} }, { filters: { insight: "PATHS" } }, false],
    [
      "the query that a service shows in the place of declared filters",
      "insight",
      { filters: { insight: "TRENDS" } },
      { filters: {}, query: { kind: "TrendsQuery", series: [] } },
      { filters: {}, query: { kind: "TrendsQuery", series: [{ kind: "EventsNode" }] } },
      false,
    ],
    [
      "the query that hides declared filters",
      "insight",
      { filters: { insight: "TRENDS" } },
      { filters: {}, query: { kind: "HogQLQuery", query: "select 1" } },
      { filters: {}, query: { kind: "HogQLQuery", query: "select 2" } },
      false,
    ],
    [
      "the query that is live where empty filters are declared",
      "insight",
      { filters: {} },
      { filters: {}, query: { kind: "TrendsQuery", series: [] } },
      { filters: {}, query: null },
      false,
    ],
    [
      "not other fields beside them",
      "insight",
      { filters: { insight: "TRENDS" } },
      { filters: {}, query: { kind: "TrendsQuery" }, description: "a" },
      { filters: {}, query: { kind: "TrendsQuery" }, description: "b" },
      true,
    ],
    ["the letters of a name", "insight", { name: "x" }, { name: "A" }, { name: "a" }, false],
  ])("%s", (_name, kind, declared, left, right, isSame) => {
    expect(ofValues(kind, declared, left) === ofValues(kind, declared, right)).toBe(isSame);
  });
});

describe("the fingerprint of a replace depends on", () => {
  const of = (values: JsonObject, more: Partial<LiveObject> = {}): string =>
    fingerprintFor("replace")(kinds.batch_export, { ...OBJECT, ...more, kind: "batch_export", values }, { name: "E" });
  const before = of({ name: "E" });

  it.each<[string, string]>([
    ["an undeclared field that was not set", of({ name: "E", end_at: "2030-01-01T00:00:00Z" })],
    ["what is carried besides", of({ name: "E" }, { carried: { message: "Welcome" } })],
  ])("%s", (_name, after) => {
    expect(after).not.toBe(before);
  });

  it("each value that is carried besides", () => {
    const carried = ["Welcome", "Hello"].map((message) => of({ name: "E" }, { carried: { message } }));
    expect(new Set(carried).size).toBe(2);
  });

  it("no field that the service sets itself", () => {
    expect(of({ name: "E", last_paused_at: "2030-01-01T00:00:00Z" })).toBe(before);
  });
});
