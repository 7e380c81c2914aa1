/** Which lists a plan needs before it can be made, and what it makes of those that were read (src/plan/declared-world.ts). */
import { describe, expect, it } from "vitest";
import { type Needing, readKey, type World, worldOf } from "../../../src/kinds/world.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { listKey, type LiveList } from "../../../src/model/live.ts";
import type { EngineError } from "../../../src/model/engine-error.ts";
import type { DesiredGraph, Resource } from "../../../src/model/resource.ts";
import {
  type DeclaredWorld,
  declaredScopes,
  declaredWorld,
  type PlanRequest,
  worldFromPins,
} from "../../../src/plan/declared-world.ts";
import { declaredReads } from "../../../src/plan/lists-to-read.ts";
import { sentencesOf, thrownBy } from "../../support/sentences.ts";
import { ACME, declare, graphOf, live } from "./world.ts";

const PIN = { field: "id", value: ACME.id };
const PINNED = declare("acme", {}, { pin: PIN });
const NAMED = declare("acme", { name: ACME.name });
const DOMAIN = declare("acme/domains/d", { domain: "d.com" });
const READ: Given = { "": live().lists.get(listKey("", "organization")), acme: { status: "known", objects: [] } };
const DENIED: LiveList = {
  status: "unknown",
  reason: "GET answered 403",
  isDenied: true,
  objects: [],
  problem: { diagnostic: { severity: "error", code: "access_denied", message: "denied" }, cause: "403" },
};
const FAILED: LiveList = { ...DENIED, isDenied: false };
const project = (key: string, more: object) => ({
  address: `acme/projects/${key}`,
  organization: "acme",
  position: {},
  ...more,
});

/** The list of organizations, and that of domains in `acme`. */
type Given = Readonly<Record<string, LiveList | undefined>>;

function wanted(
  resources: readonly Resource[],
  more: Partial<DesiredGraph> = {},
  only: readonly string[] = [],
): PlanRequest {
  const graph = graphOf(resources, more);
  return { graph, only, reads: declaredReads(graph, only) };
}

/** What is made of the plan's own reads, if they were answered with these lists. */
function made(request: PlanRequest, lists: Given, make: (one: PlanRequest, world: World) => DeclaredWorld) {
  const answered = (world: World): World => {
    const answers = make(request, world).needs.flatMap((read) => {
      const list = read.what === "objects" ? lists[read.scope] : undefined;
      return list === undefined ? [] : [[readKey(read), list] as const];
    });
    return { ...world, answers: { ...world.answers, lists: new Map(answers) } };
  };
  return make(request, answered(answered(worldOf())));
}

/** The needed lists, with what the reads say beside. */
const needed = (found: Needing | undefined) =>
  found?.needs.map((read) =>
    read.what === "objects"
      ? [
          listKey(read.scope, read.kind).trim(),
          ...(read.hasGivenIds ? ["given"] : []),
          ...(read.needsList ? ["list"] : []),
        ]
      : read.operation,
  );
const organizations = ({ world }: DeclaredWorld) => world.lists.get(listKey("", "organization"));

describe("a world from pins alone", () => {
  it("needs the lists of its organizations, and has those that were read", () => {
    const request = wanted([PINNED, DOMAIN]);
    const first = worldFromPins(request, worldOf());
    expect(needed(first)).toEqual([["acme domain", "given"], ["acme domain"]]);
    expect([...(first?.world.lists.keys() ?? [])]).toEqual([" organization"]);
    const found = made(request, READ, (one, world) => worldFromPins(one, world) ?? declaredWorld(one, world));
    expect([...found.world.lists.keys()]).toEqual([" organization", "acme domain"]);
    expect(found.world.scopes.get("acme")).toEqual({ status: "known", path: { organization_id: ACME.id } });
    expect(organizations(found)?.objects.map(({ id, keys }) => [id, keys])).toEqual([[ACME.id, []]]);
  });

  it("is none if the plan needs the organizations, or did before they were read", () => {
    expect(worldFromPins(wanted([NAMED, DOMAIN]), worldOf())).toBeUndefined();
    const request = wanted([PINNED, DOMAIN]);
    const [read] = declaredScopes(request.graph, [], worldOf()).needs;
    const lists = new Map(read === undefined ? [] : [[readKey(read), DENIED] as const]);
    expect(worldFromPins(request, { ...worldOf(), answers: { lists, rows: new Map(), stats: [] } })).toBeUndefined();
  });

  it.each<[string, KindName, readonly string[], boolean]>([
    ["is none if people who are not declared may go", "membership", [], false],
    ["is one if they stay in this plan", "membership", ["acme/domains"], true],
    ["is one if other objects may go", "domain", [], true],
  ])("%s", (_name, kind, only, isOne) => {
    const request = wanted([PINNED, DOMAIN], { exclusive: [{ scope: "acme", kind }] }, only);
    expect(worldFromPins(request, worldOf()) !== undefined).toBe(isOne);
  });

  it("is none if an organization is declared twice", () => {
    const again = declare("again", {}, { pin: PIN });
    const request = wanted([PINNED, again, DOMAIN, declare("again/domains/d", { domain: "d.com" })]);
    expect(thrownBy(() => worldFromPins(request, worldOf()))).toMatchObject({
      reason: "invalid",
      diagnostics: [{ code: "duplicate_scope", address: "again" }],
    });
  });
});

describe("the world with the organizations", () => {
  it("needs them before the lists of those that have no id, and at once with the others", () => {
    expect(needed(declaredWorld(wanted([NAMED, DOMAIN]), worldOf()))).toEqual([["organization", "list"]]);
    expect(needed(made(wanted([NAMED, DOMAIN]), READ, declaredWorld))).toEqual([
      ["organization", "list"],
      ["acme domain"],
    ]);
    const pinned = { ...NAMED, pin: PIN };
    expect(needed(declaredWorld(wanted([pinned, DOMAIN]), worldOf()))).toEqual([
      ["organization"],
      ["acme domain", "given"],
    ]);
    const [read] = declaredWorld(wanted([pinned, DOMAIN]), worldOf()).needs;
    expect(read).toMatchObject({ scope: "", kind: "organization", isFull: false, path: {}, pins: [PIN] });
  });

  it("needs no list for an organization that the plan leaves out", () => {
    const request = wanted([PINNED, DOMAIN, declare("beta", { name: "Beta" })], {}, ["acme"]);
    expect(needed(declaredWorld(request, worldOf()))?.[0]).toEqual(["organization"]);
    expect(needed(declaredWorld({ ...request, only: ["beta"] }, worldOf()))?.[0]).toEqual(["organization", "list"]);
  });

  it("is unknown while they were not read", () => {
    const first = declaredWorld(wanted([NAMED, DOMAIN]), worldOf());
    expect(first.world.scopes.get("acme")).toEqual({
      status: "unknown",
      reason: "the organizations were not read",
      isDenied: false,
    });
    expect(organizations(first)).toMatchObject({ status: "unknown", objects: [] });
    expect([...first.world.lists.keys()]).toEqual([" organization"]);
  });

  it.each<[string, readonly Resource[], LiveList, number, boolean]>([
    ["takes the declared ids if the key may not read them", [PINNED, DOMAIN], DENIED, 1, false],
    [
      "reports that if the ids are not enough",
      [PINNED, DOMAIN, declare("beta", { name: "Beta" }), declare("beta/domains/d", { domain: "e.com" })],
      DENIED,
      1,
      true,
    ],
    ["does not take them if the service fails", [PINNED, DOMAIN], FAILED, 0, true],
    ["leaves a list as it is that was read", [PINNED, DOMAIN], { status: "known", objects: [] }, 0, false],
  ])("%s", (_name, resources, list, trusted, hasProblem) => {
    const found = organizations(made(wanted(resources), { ...READ, "": list }, declaredWorld));
    expect([found?.objects.length, found?.status === "unknown" && found.problem !== undefined]).toEqual([
      trusted,
      hasProblem,
    ]);
  });

  it("says that projects are not listed, unless nothing could be read", () => {
    const { teams: _none, ...row } = ACME;
    const bare = live({}, {}, { "organizations.list": [row] }).lists.get(listKey("", "organization"));
    const pinned = { ...NAMED, pin: PIN };
    const request = wanted([pinned, DOMAIN], { projects: [project("web", { name: "Web" })] });
    const codes = (given: Given) => made(request, given, declaredWorld).diagnostics.map(({ code }) => code);
    expect(codes({ ...READ, "": bare })).toEqual(["projects_not_listed"]);
    const unread = bare && { ...FAILED, objects: bare.objects };
    expect(codes({ "": unread, acme: FAILED })).toEqual([]);
    expect(codes({ "": unread, acme: READ["acme"] })).toEqual(["projects_not_listed"]);
    const other = wanted([pinned, DOMAIN], { projects: [project("web", { id: "2", name: "Other" })] });
    const shown = { ...FAILED, objects: READ[""]?.objects ?? [] };
    expect(made(other, { "": shown, acme: FAILED }, declaredWorld).diagnostics).toMatchObject([
      { code: "project_name_differs" },
    ]);
  });

  it.each<[string, readonly object[], readonly string[], readonly string[]]>([
    ["a project that the organization lacks", [{ name: "Nowhere" }], [], ["unknown_project"]],
    ["the same in what is planned", [{ name: "Nowhere" }], ["acme/projects/p0/insights"], ["unknown_project"]],
    ["one project under two keys", [{ name: "Web" }, { id: "2" }], ["acme/domains"], ["duplicate_scope"]],
    ["both", [{ name: "Web" }, { id: "2" }, { name: "Nowhere" }], [], ["duplicate_scope", "unknown_project"]],
  ])("is refused for %s", (_name, projects, only, codes) => {
    const declared = projects.map((more, index) => project(`p${String(index)}`, more));
    const request = wanted([NAMED, DOMAIN], { projects: declared }, only);
    const thrown = thrownBy(() => made(request, READ, declaredWorld)) as EngineError;
    expect(thrown).toMatchObject({
      reason: "invalid",
      diagnostics: codes.map((code) => ({ severity: "error", code })),
    });
    expect(sentencesOf(thrown.diagnostics)).toMatchSnapshot();
  });

  it("is not refused for a project that is not planned", () => {
    const request = wanted([NAMED, DOMAIN], { projects: [project("p", { name: "Nowhere" })] }, ["acme/domains"]);
    expect(made(request, READ, declaredWorld).diagnostics).toMatchObject([{ code: "unknown_project" }]);
  });
});
