/** A name that differs from that of an undeclared object only in what people overlook would create a second object. */
import { expect, it } from "vitest";
import type { ValueObject } from "../../../src/model/json/json.ts";
import type { Resource } from "../../../src/model/resource.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { declare, live, plan } from "./world.ts";

const INSIGHT = "acme/projects/web/insights/s";
const ROW = { id: 1, short_id: "abc", name: "Signups per week", query: { kind: "TrendsQuery" } };

const planned = (values: ValueObject, more: Partial<Resource> = {}, rows = [ROW]) =>
  plan([declare(INSIGHT, values, more)], live({}, { "insights.list": rows })).diagnostics;
const codesOf = (...args: Parameters<typeof planned>): readonly string[] => planned(...args).map(({ code }) => code);

it.each(["signups per week", "Signups  per week", "SIGNUPS PER\u00a0WEEK", "Ｓignups per week"])(
  "is a warning: %s",
  (name) => {
    expect(planned({ name })).toMatchObject([{ severity: "warning", code: "similar_name" }]);
  },
);

it("is a warning about the URL of a plugin with a blank before its query", () => {
  const row = { id: 1, name: "P", url: "https://acme.com/p", plugin_type: "custom" };
  const address = "acme/pipeline_destinations/p";
  const world = live({ "pipeline_destinations.list": [row] });
  const made = plan([declare(address, { name: "other", url: "https://acme.com/p ?v=2" })], world);
  expect(made.diagnostics).toMatchObject([{ code: "similar_name", address }]);
});

it("is a warning beside other changes, and none for an object that exists", () => {
  const [old, other] = [
    { ...ROW, id: 2, name: "Other" },
    { ...ROW, id: 3, name: "OTHER" },
  ];
  const resources = [declare(INSIGHT, { name: "signups per week" }), declare(`${INSIGHT}2`, { name: "Other" })];
  const made = plan(resources, live({}, { "insights.list": [ROW, old, other] }));
  expect(made.diagnostics.map(({ code, address }) => [code, address])).toEqual([["similar_name", INSIGHT]]);
});

it("names the object, and the command that settles it", () => {
  expect(sentencesOf(planned({ name: "signups per week" }))).toMatchSnapshot();
});

it("is none for another name, for the same one, and for an object that is declared as new", () => {
  expect(codesOf({ name: "Signups per day" })).toEqual([]);
  expect(codesOf({ name: "Signups-per-week" })).toEqual([]);
  expect(codesOf({ name: "Signups perweek" })).toEqual([]);
  expect(codesOf({ name: "Strasse" }, {}, [{ ...ROW, name: "Straße" }])).toEqual([]);
  expect(codesOf({ name: "Signups per week" })).toEqual([]);
  expect(codesOf({ name: "signups per week" }, { lifecycle: { create: true } })).toEqual([]);
});

it("is none for a person, whom no pin keeps", () => {
  const ada = { id: "m", level: 1, user: { uuid: "u", email: "ada@acme.com" } };
  const made = plan(
    [declare("acme/memberships/ａda@acme.com", { level: 1 })],
    live({ "members.list": [ada], "invites.list": [] }),
  );
  expect(made.changes).toMatchObject([{ action: "create", blocked: { rule: "forgotten_rename" } }]);
  expect(made.diagnostics).toEqual([]);
});

it("is none for a resource that was not read, nor for a removal", () => {
  const exclusive = [{ scope: "acme/projects/web", kind: "insight" }] as const;
  const unread = declare("acme/domains/d", { domain: "d.com" });
  const made = plan([unread], live({}, { "insights.list": [ROW] }), { prune: true }, { exclusive });
  expect(made.changes.map(({ action }) => action)).toEqual(["unknown", "delete"]);
  expect(made.diagnostics).toEqual([]);
});

it("is none if the object is declared under another address", () => {
  const both = [declare(INSIGHT, { name: "signups per week" }), declare(`${INSIGHT}2`, { name: "Signups per week" })];
  expect(plan(both, live({}, { "insights.list": [ROW] })).diagnostics).toEqual([]);
});

it("is none for an update, nor for a create that is blocked already", () => {
  const rows = [ROW, { ...ROW, id: 2, short_id: "def", name: "SIGNUPS PER WEEK" }];
  expect(codesOf({ name: ROW.name, description: "new" }, {}, rows)).toEqual([]);
  const renamed = declare(INSIGHT, { name: "signups per week", query: ROW.query });
  const made = plan([renamed], live({}, { "insights.list": [ROW] }));
  expect(made.changes).toMatchObject([{ action: "create", blocked: { rule: "forgotten_rename" } }]);
  expect(made.diagnostics).toEqual([]);
});

it("is none for an object that is created anew in the place of a pinned one", () => {
  const pinned = declare(INSIGHT, { name: "signups per week" }, { pin: { field: "short_id", value: "gonegone" } });
  const made = plan([pinned], live({}, { "insights.list": [ROW] }), { recreate: [INSIGHT] });
  expect(made.changes).toMatchObject([{ action: "create", blocked: null }]);
  expect(made.diagnostics).toEqual([]);
});

it("stays silent where a warning says already that it was renamed", () => {
  expect(codesOf({ name: "signups per week", query: ROW.query, description: "x" })).toEqual(["probable_rename"]);
});
