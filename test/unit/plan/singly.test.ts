import { describe, expect, it } from "vitest";
import type { DesiredGraph, Resource } from "../../../src/model/resource.ts";
import { declaredReads, readsInKnownScopes } from "../../../src/plan/lists-to-read.ts";
import { declare, graphOf, live } from "./world.ts";

const WEB = "acme/projects/web";
const pinned = (id: string, more: Partial<Resource> = {}): Resource =>
  declare(`${WEB}/insights/i${id}`, { name: `I${id}` }, { pin: { field: "id", value: id }, ...more });

/** The ids by which a list need not be read, by kind. */
function singly(resources: readonly Resource[], only: readonly string[], more: Partial<DesiredGraph> = {}) {
  const reads = readsInKnownScopes(live().scopes, declaredReads(graphOf(resources, more), only));
  return Object.fromEntries(reads.map(({ scope, kind, ids }) => [`${scope} ${kind}`, ids]));
}

const LIST = `${WEB} insight`;
const all = [pinned("1"), pinned("2"), pinned("3"), pinned("4")];
const addresses = all.map(({ address }) => address);

describe("a few objects are read by themselves", () => {
  it("where ids are declared of all that are chosen", () => {
    expect(singly(all, addresses.slice(0, 1))).toEqual({ [LIST]: ["1"] });
    expect(singly(all, addresses.slice(0, 3))).toEqual({ [LIST]: ["1", "2", "3"] });
  });

  it("and no others: of another kind or scope, or not chosen", () => {
    const elsewhere = declare("acme/batch_exports/e", { name: "E" }, { pin: { field: "id", value: "e" } });
    const other = declare("beta/projects/x/insights/i", { name: "I" }, { pin: { field: "id", value: "9" } });
    const only = [...addresses.slice(0, 2), elsewhere.address, other.address];
    expect(singly([...all, elsewhere, other], only)).toEqual({ [LIST]: ["1", "2"], "acme batch_export": undefined });
    const beside = declare(`${WEB}/batch_exports/e`, { name: "E" });
    expect(singly([pinned("1"), beside], [WEB])).toEqual({ [LIST]: ["1"], [`${WEB} batch_export`]: undefined });
  });

  it.each<[string, readonly Resource[], readonly string[], Partial<DesiredGraph>?]>([
    ["everything is planned, which counts what is not managed", all.slice(0, 1), []],
    ["there are many", all, addresses],
    ["one has no id", [pinned("1"), declare(`${WEB}/insights/n`, { name: "N" })], [WEB]],
    [
      "one is declared by another id than reads take",
      [pinned("1", { pin: { field: "short_id", value: "abc" } })],
      [WEB],
    ],
    ["one is to be removed, which takes a whole list", [pinned("1", { lifecycle: { state: "absent" } })], [WEB]],
    ["what is not declared may be pruned", all.slice(0, 1), [WEB], { exclusive: [{ scope: WEB, kind: "insight" }] }],
  ])("not where %s", (_name, resources, only, more) => {
    expect(singly(resources, only, more)).toEqual({ [LIST]: undefined });
  });

  it("not where none of them is chosen, but any may be one of what is pruned around them", () => {
    const around = { exclusive: [{ scope: "acme", kind: "insight" }] } as const;
    expect(singly(all.slice(0, 1), ["acme/insights"], around)).toEqual({
      "acme insight": undefined,
      [LIST]: undefined,
    });
  });

  it("not where lists are short", () => {
    const domain = declare("acme/domains/d", { domain: "d.com" }, { pin: { field: "id", value: "d" } });
    expect(singly([domain], ["acme"])).toEqual({ "acme domain": undefined });
  });

  it("not where only another kind of the same place is chosen", () => {
    const graph = [pinned("1"), declare(`${WEB}/batch_exports/e`, { name: "E" })];
    expect(singly(graph, [`${WEB}/batch_exports`], { exclusive: [{ scope: WEB, kind: "batch_export" }] })).toEqual({
      [`${WEB} batch_export`]: undefined,
    });
  });
});
