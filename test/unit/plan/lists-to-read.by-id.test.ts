/** Objects that are read by their ids instead of in lists (src/plan/lists-to-read.ts). */
import { describe, expect, it } from "vitest";
import type { DesiredGraph, Resource } from "../../../src/model/resource.ts";
import { listReads } from "../../../src/kinds/world.ts";
import { declaredReads } from "../../../src/plan/lists-to-read.ts";
import { declare, graphOf, live } from "./world.ts";

const WEB = "acme/projects/web";
const pinned = (id: string, more: Partial<Resource> = {}): Resource =>
  declare(`${WEB}/insights/i${id}`, { name: `I${id}` }, { pin: { field: "id", value: id }, ...more });

/** The ids that are read one by one instead of a list, by kind. */
function singly(resources: readonly Resource[], only: readonly string[], more: Partial<DesiredGraph> = {}) {
  const reads = listReads({ scopes: live().scopes }, declaredReads(graphOf(resources, more), only));
  return Object.fromEntries(reads.map(({ scope, kind, ids }) => [`${scope} ${kind}`, ids]));
}

const WITH_VARIABLE = {
  query: { kind: "HogQLQuery", query: "select {variables.plan}", variables: { v: { code_name: "plan" } } },
};
const LIST = `${WEB} insight`;
const all = [pinned("1"), pinned("2"), pinned("3"), pinned("4")];
const addresses = all.map(({ address }) => address);

describe("a few objects are read one by one", () => {
  it("if all selected resources declare an id", () => {
    expect(singly(all, addresses.slice(0, 1))).toEqual({ [LIST]: ["1"] });
    expect(singly(all, addresses.slice(0, 3))).toEqual({ [LIST]: ["1", "2", "3"] });
  });

  it("but none of another kind or scope, or that is not selected", () => {
    const elsewhere = declare("acme/batch_exports/e", { name: "E" }, { pin: { field: "id", value: "e" } });
    const other = declare("beta/projects/x/insights/i", { name: "I" }, { pin: { field: "id", value: "9" } });
    const only = [...addresses.slice(0, 2), elsewhere.address, other.address];
    expect(singly([...all, elsewhere, other], only)).toEqual({ [LIST]: ["1", "2"], "acme batch_export": undefined });
    const beside = declare(`${WEB}/batch_exports/e`, { name: "E" });
    expect(singly([pinned("1"), beside], [WEB])).toEqual({ [LIST]: ["1"], [`${WEB} batch_export`]: undefined });
  });

  it.each<[string, readonly Resource[], readonly string[], Partial<DesiredGraph>?]>([
    ["everything is planned, because unmanaged objects are counted", all.slice(0, 1), []],
    ["many are selected", all, addresses],
    ["one has no id", [pinned("1"), declare(`${WEB}/insights/n`, { name: "N" })], [WEB]],
    [
      "one is declared with an id that reads do not accept",
      [pinned("1", { pin: { field: "short_id", value: "abc" } })],
      [WEB],
    ],
    ["one is to be removed, because that needs a whole list", [pinned("1", { lifecycle: { state: "absent" } })], [WEB]],
    ["one names a variable of SQL, which a read by id may leave out", [pinned("1", { values: WITH_VARIABLE })], [WEB]],
    ["undeclared objects may be pruned", all.slice(0, 1), [WEB], { exclusive: [{ scope: WEB, kind: "insight" }] }],
  ])("but not if %s", (_name, resources, only, more) => {
    expect(singly(resources, only, more)).toEqual({ [LIST]: undefined });
  });

  it("but not if none is selected, and any of them may be pruned in the scope around them", () => {
    const around = { exclusive: [{ scope: "acme", kind: "insight" }] } as const;
    expect(singly(all.slice(0, 1), ["acme/insights"], around)).toEqual({
      "acme insight": undefined,
      [LIST]: undefined,
    });
  });

  it("but not if lists are short", () => {
    const domain = declare("acme/domains/d", { domain: "d.com" }, { pin: { field: "id", value: "d" } });
    expect(singly([domain], ["acme"])).toEqual({ "acme domain": undefined });
  });

  it("but not if only another kind in the same scope is selected", () => {
    const graph = [pinned("1"), declare(`${WEB}/batch_exports/e`, { name: "E" })];
    expect(singly(graph, [`${WEB}/batch_exports`], { exclusive: [{ scope: WEB, kind: "batch_export" }] })).toEqual({
      [`${WEB} batch_export`]: undefined,
    });
  });
});
