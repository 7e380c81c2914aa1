/** Plans of a key that may not read organizations. */
import { describe, expect, it } from "vitest";
import type { LiveList } from "../../../src/model/live.ts";
import type { DesiredGraph, ProjectScope, Resource } from "../../../src/model/resource.ts";
import { resolveScopes } from "../../../src/plan/resolve-scopes.ts";
import { needsOnlyPins, withScopesFromPins } from "../../../src/plan/scopes-from-pins.ts";
import { declare, graphOf } from "./world.ts";

const pin = (value: string): Partial<Resource> => ({ pin: { field: "id", value } });
const acme = declare("acme", {}, pin("A0"));
const beta = declare("beta", {}, pin("b0"));
const named = declare("acme", { name: "Acme" }, pin("A0"));
const unpinned = declare("acme", { name: "Acme" });
const domain = declare("acme/domains/d", { domain: "d.com" });
const insight = declare("acme/projects/web/insights/i", { name: "I" });
const elsewhere = declare("beta/domains/d", { domain: "d.com" });
const web: ProjectScope = { address: "acme/projects/web", organization: "acme", id: "2", position: {} };
const byName: ProjectScope = { address: "acme/projects/web", organization: "acme", name: "Web", position: {} };
const exclusive = [{ scope: "acme", kind: "domain" }] as const;
const denied: LiveList = { status: "unknown", reason: "403", isDenied: true, objects: [] };

describe("the declared ids are enough for a plan", () => {
  it.each<[string, boolean, readonly Resource[], Partial<DesiredGraph>, readonly string[]]>([
    ["if an organization is only a scope of a resource", true, [acme, domain], {}, []],
    ["if it is only the scope of a project with a resource", true, [acme, insight], { projects: [web] }, []],
    ["if one of its collections is exclusive", true, [acme], { exclusive }, []],
    ["but not if nothing in it is listed", false, [acme, elsewhere], {}, []],
    ["but not if it is to be compared", false, [named, domain], {}, []],
    ["unless only its resources are planned", true, [named, domain], {}, ["acme/domains/d"]],
    ["but not if it has no id", false, [unpinned, domain], {}, ["acme/domains/d"]],
    ["even if another organization needs more", true, [unpinned, beta, elsewhere], {}, ["beta"]],
    ["but not if one of two organizations needs more", false, [unpinned, beta, domain, elsewhere], {}, []],
    ["but not if a project is known by its name", false, [acme, insight], { projects: [byName] }, []],
    ["unless that project is not planned", true, [acme, domain, insight], { projects: [byName] }, ["acme/domains/d"]],
    ["but not if one of two projects has a name", false, [acme, insight], { projects: [web, byName] }, []],
  ])("%s: %s", (_name, expected, resources, graph, only) => {
    expect(needsOnlyPins(graphOf(resources, graph), only)).toBe(expected);
  });
});

describe("organizations that a key may not read", () => {
  const ids = (resources: readonly Resource[], only: readonly string[] = [], list: LiveList = denied) =>
    withScopesFromPins(graphOf(resources), only, list).objects.map(({ id }) => id);

  it("are taken from their pins, and say so", () => {
    const list = withScopesFromPins(graphOf([acme, domain]), [], denied);
    expect(list).toMatchObject({ ...denied, objects: [{ kind: "organization", id: "a0", values: {} }] });
    expect(list.objects[0]?.note).toMatchSnapshot("note");
  });

  it("are taken only if they are scopes of what is planned, and not known", () => {
    expect(ids([acme, beta, domain, elsewhere])).toEqual(["a0", "b0"]);
    expect(ids([acme, beta, domain, elsewhere], ["beta/domains/d"])).toEqual(["b0"]);
    expect(ids([named, domain])).toEqual([]);
    expect(ids([unpinned, domain])).toEqual([]);
    expect(ids([acme])).toEqual([]);
    const known = withScopesFromPins(graphOf([acme, domain]), [], denied);
    expect(ids([acme, beta, domain, elsewhere], [], known)).toEqual(["a0", "b0"]);
  });

  it("are scopes with their declared ids, but others are unknown", () => {
    const graph = graphOf([acme, declare("gamma", { name: "Gamma" })]);
    const { scopes } = resolveScopes(graph, denied);
    expect(scopes.get("acme")).toEqual({ status: "known", path: { organization_id: "a0" } });
    expect(scopes.get("gamma")).toMatchObject({ status: "unknown", isDenied: true });
  });

  it("are not trusted after another failure or if a complete list lacks them", () => {
    const failed = resolveScopes(graphOf([acme]), { ...denied, isDenied: false });
    expect(failed.scopes.get("acme")).toEqual({ status: "unknown", reason: "403", isDenied: false });
    const absent = resolveScopes(graphOf([acme]), { status: "known", objects: [] });
    expect(absent.scopes.get("acme")).toMatchObject({ status: "unknown", isDenied: false });
  });
});
