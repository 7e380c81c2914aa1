import { describe, expect, it } from "vitest";
import { routeProblems, withoutMissingRoutes } from "../../../src/engine/missing-routes.ts";
import { listKey, type LiveList } from "../../../src/model/live.ts";

const WEB = "acme/projects/web";
const APP = "acme/projects/app";
const ORGANIZATION = listKey("acme", "batch_export");
const unknown = (route?: "undocumented" | "missing"): LiveList => ({
  status: "unknown",
  reason: "404",
  isDenied: false,
  route,
  problem: { cause: "404", diagnostic: { severity: "error", code: "unreadable", message: "404" } },
  objects: [],
});
const KNOWN: LiveList = { status: "known", objects: [] };
const NONE = unknown("undocumented");

describe("a list that no project has", () => {
  it.each<
    [
      name: string,
      organization: LiveList | undefined,
      web: LiveList | undefined,
      app: LiveList | undefined,
      codes: readonly string[],
    ]
  >([
    ["is empty if the organization lists the same objects", KNOWN, NONE, NONE, ["route_missing"]],
    ["stays unknown if the organization's list is, too", unknown(), NONE, NONE, ["unreadable"]],
    ["stays unknown if the organization's list was not read", undefined, NONE, NONE, ["unreadable"]],
    ["stays unknown if one project has it", KNOWN, NONE, KNOWN, ["unreadable"]],
    ["stays unknown if one project's list was not read", KNOWN, NONE, undefined, ["unreadable"]],
    ["stays unknown if one failed in another way", KNOWN, NONE, unknown("missing"), ["unreadable"]],
  ])("%s", (_name, organization, web, app, codes) => {
    const given = [
      [ORGANIZATION, organization],
      [listKey(WEB, "batch_export"), web],
      [listKey(APP, "batch_export"), app],
    ] as const;
    const lists = new Map(given.flatMap(([key, list]) => (list === undefined ? [] : [[key, list] as const])));
    const result = withoutMissingRoutes(lists, [["acme", [WEB, APP]]]);
    expect(routeProblems(result).map(({ code }) => code)).toEqual(codes);
    const isEmptied = codes.includes("route_missing");
    expect(result.lists.get(listKey(WEB, "batch_export"))).toEqual(isEmptied ? KNOWN : web);
  });

  it("says nothing of an organization without projects", () => {
    const lists = new Map([[ORGANIZATION, KNOWN]]);
    expect(withoutMissingRoutes(lists, [["acme", []]]).diagnostics).toEqual([]);
  });
});
