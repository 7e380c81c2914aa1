/** Scopes that pins name before anything is read (src/plan/scopes-from-pins.ts). */
import { describe, expect, it } from "vitest";
import type { ProjectScope, Resource } from "../../../src/model/resource.ts";
import { needsOrganizations, organizationsFromPins, pinnedScopes } from "../../../src/plan/scopes-from-pins.ts";
import { ACME, changeOf, declare, graphOf, live, plan } from "./world.ts";

const pin = (value: string): Partial<Resource> => ({ pin: { field: "id", value } });
const acme = declare("acme", {}, pin("A0"));
const beta = declare("beta", {}, pin("b0"));
const domain = declare("acme/domains/d", { domain: "d.com" });
const other = declare("beta/domains/d", { domain: "d.com" });
const project: ProjectScope = { address: "acme/projects/web", organization: "acme", id: "2", position: {} };

describe("scopes that are known before the first read", () => {
  it("are organizations and projects with a declared id, written as in request paths", () => {
    const named: ProjectScope = { address: "acme/projects/app", organization: "acme", name: "App", position: {} };
    const graph = graphOf([acme, declare("gamma", { name: "Gamma" }), { ...domain, ...pin("d0") }], {
      projects: [project, named],
    });
    expect([...pinnedScopes(graph)]).toEqual([
      ["acme", { status: "known", path: { organization_id: "a0" } }],
      ["acme/projects/web", { status: "known", path: { project_id: "2" } }],
    ]);
  });
});

describe("organizations that need not be read", () => {
  it("are those that only serve as scopes of planned resources", () => {
    const list = organizationsFromPins(graphOf([acme, beta, domain, other]), []);
    expect(list).toEqual({
      status: "known",
      objects: ["a0", "b0"].map((id) => ({
        kind: "organization",
        scope: "",
        id,
        pins: { id },
        keys: [],
        values: {},
        onDifference: "update",
      })),
    });
  });

  it.each<[string, readonly Resource[], readonly string[]]>([
    ["one has no pin", [declare("acme", {}), domain], []],
    ["one has a declared field", [{ ...acme, values: { name: "Acme" } }, domain], []],
    ["one is declared absent", [{ ...acme, lifecycle: { state: "absent" } }, domain], []],
    ["one has no declared resources", [acme, beta, domain], []],
    ["one has no selected resources", [acme, beta, domain, other], ["acme"]],
    ["no organization is declared", [], []],
  ])("are none if %s", (_name, resources, only) => {
    expect(organizationsFromPins(graphOf(resources), only)).toBeUndefined();
  });

  it("are none if a project has to be looked up", () => {
    expect(organizationsFromPins(graphOf([acme, domain], { projects: [project] }), [])).toBeUndefined();
  });
});

describe("a plan without organizations", () => {
  const people = (level: number) => [{ id: "m", level, user: { uuid: "u", email: "ada@acme.com" } }];
  const member = (values: Resource["values"], more: Partial<Resource> = {}) =>
    declare("acme/members/ada@acme.com", values, more);

  it.each<[string, boolean, () => ReturnType<typeof plan>]>([
    ["a person's level is changed", true, () => plan([member({ level: 1 })], live({ "members.list": people(8) }))],
    [
      "a person is removed",
      true,
      () => plan([member({}, { lifecycle: { state: "absent" } })], live({ "members.list": people(8) })),
    ],
    ["the only change is unknown", true, () => plan([domain], live())],
    [
      "one of several changes is unknown",
      true,
      () => plan([domain, declare("acme/invites/i", { target_email: "i@acme.com" })], live({ "domains.list": [] })),
    ],
    ["people are unchanged", false, () => plan([member({ level: 8 })], live({ "members.list": people(8) }))],
    ["another kind is created", false, () => plan([domain], live({ "domains.list": [] }))],
    [
      "another kind is changed",
      false,
      () =>
        plan(
          [declare("acme/domains/d", { domain: "d.com", sso_enforcement: "google-oauth2" })],
          live({ "domains.list": [{ id: "1", domain: "d.com" }] }),
        ),
    ],
    [
      "a domain is removed, which may let people in",
      true,
      () =>
        plan(
          [declare("acme/domains/d", { domain: "d.com" }, { lifecycle: { state: "absent" } })],
          live({ "domains.list": [{ id: "1", domain: "d.com" }] }),
        ),
    ],
    [
      "another kind is removed",
      false,
      () =>
        plan(
          [declare("acme/batch_exports/e", { name: "E" }, { lifecycle: { state: "absent" } })],
          live({ "batch_exports.list": [{ id: "1", name: "E" }] }),
        ),
    ],
  ])("has to be made again if %s: %s", (_name, expected, made) => {
    expect(needsOrganizations(made().changes)).toBe(expected);
  });

  it("decides the same as one with organizations that are only scopes", () => {
    const graph = graphOf([declare("acme", {}, pin(ACME.id)), domain]);
    const known = live({ "domains.list": [{ id: "1", domain: "d.com" }] });
    const pinned = organizationsFromPins(graph, []);
    if (pinned === undefined) throw new Error("not pinned");
    const guessed = { ...known, lists: new Map([...known.lists, [" organization", pinned] as const]) };
    const made = plan(graph.resources, guessed);
    expect(made.changes.map(({ address, action }) => [address, action])).toEqual(
      plan(graph.resources, known).changes.map(({ address, action }) => [address, action]),
    );
    expect(changeOf(made, "acme").action).toBe("no_op");
  });
});

describe("a change that a deployed server refuses before a step of the user", () => {
  it("needs the organizations, which show whether the service is one", () => {
    const row = { id: "1", domain: "d.com", is_verified: false, sso_enforcement: "" };
    const signIn = declare("acme/domains/d", { domain: "d.com", sso_enforcement: "google-oauth2" });
    expect(needsOrganizations(plan([signIn], live({ "domains.list": [row] })).changes)).toBe(true);
  });
});
