import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { LiveList, LiveScope } from "../../../src/model/live.ts";
import type { ProjectScope } from "../../../src/model/resource.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import { listReads } from "../../../src/kinds/world.ts";
import { declaredReads } from "../../../src/plan/lists-to-read.ts";
import { resolveScopes } from "../../../src/plan/resolve-scopes.ts";
import { dataOf, sentencesOf } from "../../support/sentences.ts";
import { ACME, declare, graphOf } from "./world.ts";

const AT = { file: "a.yaml", line: 3, column: 5 };
const TEAMS = [
  { id: 2, name: "Web" },
  { id: 3, name: "App" },
  { id: 4, name: "App" },
];

function listed(...rows: readonly JsonObject[]): LiveList {
  return {
    status: "known",
    objects: kinds.organization.lists.assemble({ scope: "", path: {}, rows: { "organizations.list": rows } }),
  };
}

const project = (more: Partial<ProjectScope>): ProjectScope => ({
  address: "acme/projects/p",
  organization: "acme",
  position: AT,
  ...more,
});

function resolved(projects: readonly ProjectScope[], organizations: LiveList, name = "Acme Inc") {
  const resources = [declare("acme", { name }), declare("acme/domains/d", { domain: "d.com" })];
  return resolveScopes(graphOf(resources, { projects }), organizations);
}

describe("the resolved scope", () => {
  it("is always known for the service itself, and exists only for organizations and projects", () => {
    const { scopes, diagnostics } = resolved([], listed(ACME));
    expect([...scopes]).toEqual([
      ["", { status: "known", path: {} }],
      ["acme", { status: "known", path: { organization_id: ACME.id } }],
    ]);
    expect(diagnostics).toEqual([]);
  });

  it("is absent for an organization that is not listed, and for its projects", () => {
    const { scopes } = resolved([project({ name: "Web" })], listed());
    expect(scopes.get("acme")).toEqual({ status: "absent" });
    expect(scopes.get("acme/projects/p")).toEqual({ status: "absent" });
  });

  it.each<[string, Partial<ProjectScope>]>([
    ["another name", { name: "Web" }],
    ["an id", { id: "2" }],
    ["the name of the project that comes with it", { name: "Default project" }],
  ])("is absent for a project of a new organization, declared with %s, which is not created", (_name, declared) => {
    const { diagnostics } = resolved([project(declared)], listed());
    const [found, ...more] = diagnostics;
    expect(more).toEqual([]);
    expect(dataOf(found)).toEqual({
      severity: "warning",
      code: "project_not_created",
      address: "acme/projects/p",
      ...AT,
    });
    expect(sentencesOf(found)).toMatchSnapshot("sentences");
  });

  it("causes no diagnostic for a project of an organization that is declared absent", () => {
    const resources = [declare("acme", { name: "Acme Inc" }, { lifecycle: { state: "absent" } })];
    const { diagnostics } = resolveScopes(graphOf(resources, { projects: [project({ name: "Web" })] }), listed());
    expect(diagnostics).toEqual([]);
  });

  it("is that of the organization that is pinned, and not of one that had its name", () => {
    const before = declare("before", { name: "New" }, { lifecycle: { renamed_from: ACME.name } });
    const pinned = declare("pinned", { name: ACME.name }, { pin: { field: "id", value: ACME.id } });
    for (const resources of [
      [before, pinned],
      [pinned, before],
    ]) {
      const { scopes } = resolveScopes(graphOf(resources, {}), listed(ACME));
      expect(scopes.get("before")).toEqual({ status: "absent" });
      expect(scopes.get("pinned")).toEqual({ status: "known", path: { organization_id: ACME.id } });
    }
  });

  it("is absent for a project of an undeclared organization", () => {
    const { scopes } = resolved([project({ organization: "other", name: "Web" })], listed(ACME));
    expect(scopes.get("acme/projects/p")).toEqual({ status: "absent" });
  });

  it.each([true, false])(
    "is unknown for all scopes if the organizations could not be listed, isDenied: %s",
    (isDenied) => {
      const unread: LiveList = { status: "unknown", reason: "GET answered 403", isDenied, objects: [] };
      const { scopes, diagnostics } = resolved([project({ name: "Web" })], unread);
      const unknown = { status: "unknown", reason: "GET answered 403", isDenied };
      expect(scopes.get("acme")).toEqual(unknown);
      expect(scopes.get("acme/projects/p")).toEqual(unknown);
      expect(diagnostics).toEqual([]);
    },
  );

  it("is unknown for an organization if two have its name", () => {
    const { scopes } = resolved([], listed(ACME, { ...ACME, id: "other" }));
    expect(dataOf(scopes.get("acme"))).toEqual({ status: "unknown", isDenied: false });
    expect(sentencesOf(scopes.get("acme"))).toMatchSnapshot();
  });

  it.each<[string, Partial<ProjectScope>, string]>([
    ["by its name", { name: "Web" }, "2"],
    ["by its id", { id: "3" }, "3"],
    ["by its id rather than its name", { id: "4", name: "App" }, "4"],
  ])("is found for a project %s", (_name, more, id) => {
    const { scopes, diagnostics } = resolved([project(more)], listed({ ...ACME, teams: TEAMS }));
    expect(scopes.get("acme/projects/p")).toEqual({ status: "known", path: { project_id: id } });
    expect(diagnostics).toEqual([]);
  });

  it("is found by its id, with a warning if it has another name than the declared one", () => {
    const { scopes, diagnostics } = resolved([project({ id: "4", name: "Web" })], listed({ ...ACME, teams: TEAMS }));
    expect(scopes.get("acme/projects/p")).toEqual({ status: "known", path: { project_id: "4" } });
    const place = { address: "acme/projects/p", ...AT };
    expect(dataOf(diagnostics)).toEqual([{ severity: "warning", code: "project_name_differs", ...place }]);
    expect(sentencesOf(diagnostics)).toMatchSnapshot("sentences");
  });

  it.each<[string, Partial<ProjectScope>, readonly JsonObject[] | undefined, string, readonly string[]]>([
    ["mistyped name", { name: "Wev" }, TEAMS, "unknown_project", ["acme/projects/p", "Wev", "Web"]],
    [
      "name that is unlike all others",
      { name: "Warehouse" },
      TEAMS,
      "unknown_project",
      ["acme/projects/p", "Warehouse", "Web", "2", "App", "3", "4"],
    ],
    ["wrong id", { id: "9" }, TEAMS.slice(0, 1), "unknown_project", ["acme/projects/p", "9", "Web", "2"]],
    ["organization without projects", { name: "Web" }, [], "unknown_project", ["acme/projects/p", "Web"]],
    [
      "name that two projects have",
      { name: "App" },
      TEAMS,
      "unknown_project",
      ["acme/projects/p", "App", "3, 4", "id"],
    ],
    ["service that lists no projects", { name: "Web" }, undefined, "projects_not_listed", ["acme/projects/p"]],
  ])("is unknown for a project because of a %s", (_name, more, teams, code, says) => {
    const { teams: _teams, ...bare } = ACME;
    const { scopes, diagnostics } = resolved([project(more)], listed(teams === undefined ? bare : { ...bare, teams }));
    const [only] = diagnostics;
    expect(scopes.get("acme/projects/p")).toEqual({ status: "unknown", reason: only?.message, isDenied: false });
    expect(dataOf(diagnostics)).toEqual([{ severity: "error", address: "acme/projects/p", ...AT, code }]);
    const sentences = sentencesOf(diagnostics);
    for (const part of says) expect(sentences.join(" ")).toContain(part);
    expect(sentences).toMatchSnapshot("sentences");
  });
});

it("a project that is only a misspelt key is taken for the declared one that it is like", () => {
  const web = { ...project({ id: "2" }), address: "acme/projects/web-prod" };
  const misspelt = { ...project({ name: "web-prd" }), address: "acme/projects/web-prd" };
  const { diagnostics } = resolved([web, misspelt], listed({ ...ACME, teams: TEAMS }));
  expect(diagnostics.map(({ hint }) => hint)).toEqual(["Did you mean web-prod?"]);
  const elsewhere = { ...web, organization: "beta" };
  const { diagnostics: alone } = resolved([elsewhere, misspelt], listed({ ...ACME, teams: TEAMS }));
  expect(alone.map(({ hint }) => hint)).not.toContain("Did you mean web-prod?");
});

it("the declared id of an organization is trusted only if the key may not read organizations", () => {
  const pinned = declare("acme", {}, { pin: { field: "id", value: ACME.id } });
  const statusOf = (isDenied: boolean) =>
    resolveScopes(graphOf([pinned]), { status: "unknown", reason: "GET failed", isDenied, objects: [] }).scopes.get(
      "acme",
    )?.status;
  expect([statusOf(true), statusOf(false)]).toEqual(["known", "unknown"]);
});

it("two organizations are one only if they were found", () => {
  const twice = ["acme", "again"].map((key) => declare(key, {}, { pin: { field: "id", value: ACME.id } }));
  const codes = (rows: readonly JsonObject[]) =>
    resolveScopes(graphOf(twice), listed(...rows)).diagnostics.map(({ code, address }) => [code, address]);
  expect(codes([ACME])).toEqual([["duplicate_scope", "again"]]);
  expect(codes([])).toEqual([]);
});

describe("a declared project id in an organization that does not list its projects", () => {
  const { teams: _teams, ...bare } = ACME;

  it.each<[string, JsonObject]>([
    ["does not return the field", bare],
    ["returns null", { ...bare, teams: null }],
  ])("is trusted, with a warning, if the organization %s", (_name, organization) => {
    const { scopes, diagnostics } = resolved([project({ id: "9" })], listed(organization));
    expect(scopes.get("acme/projects/p")).toEqual({ status: "known", path: { project_id: "9" } });
    expect(diagnostics).toMatchObject([
      { severity: "warning", code: "projects_not_listed", address: "acme/projects/p" },
    ]);
    expect(sentencesOf(diagnostics)).toMatchSnapshot();
  });

  it.each([[[null]], [[{ title: "Web" }]], ["Web"]])("is not trusted if the list cannot be understood: %j", (teams) => {
    const { scopes, diagnostics } = resolved([project({ id: "9" })], listed({ ...bare, teams }));
    expect(scopes.get("acme/projects/p")).toMatchObject({ status: "unknown" });
    expect(diagnostics).toMatchObject([{ severity: "error", code: "projects_not_listed" }]);
  });
});

describe("the required lists", () => {
  const scopes = new Map<string, LiveScope>([
    ["", { status: "known", path: {} }],
    ["acme", { status: "known", path: { organization_id: ACME.id } }],
    ["acme/projects/web", { status: "known", path: { project_id: "2" } }],
    ["gone", { status: "absent" }],
  ]);
  const reads = (graph: Parameters<typeof declaredReads>[0], only: readonly string[] = []) =>
    listReads({ scopes }, declaredReads(graph, only)).map(
      ({ scope, kind, isFull: full }) => `${scope} ${kind}${full ? " in full" : ""}`,
    );

  it("have each declared kind once in each of its scopes, without organizations, which are known already", () => {
    const resources = [
      declare("acme", { name: "Acme Inc" }),
      declare("acme/domains/a", { domain: "a.com" }),
      declare("acme/domains/b", { domain: "b.com" }),
      declare("acme/batch_exports/e", { name: "E" }),
      declare("acme/projects/web/batch_exports/e", { name: "E" }),
    ];
    expect(reads(graphOf(resources))).toEqual(["acme domain", "acme batch_export", "acme/projects/web batch_export"]);
  });

  it("include the sibling kinds", () => {
    expect(reads(graphOf([declare("acme/pipeline_import_apps/p", { name: "P" })]))).toEqual([
      "acme pipeline_import_app",
      "acme pipeline_destination",
      "acme pipeline_frontend_app",
    ]);
  });

  it("are read in full if any resource declares a field that the cheapest form lacks", () => {
    const plain = declare("acme/projects/web/insights/a", { name: "A" });
    const ordered = declare("acme/projects/web/insights/b", { name: "B", order: 1 });
    expect(reads(graphOf([plain]))).toEqual(["acme/projects/web insight"]);
    for (const resources of [
      [plain, ordered],
      [ordered, plain],
    ])
      expect(reads(graphOf(resources))).toEqual(["acme/projects/web insight in full"]);
  });

  it("are none in an absent or unknown scope", () => {
    expect(reads(graphOf([declare("beta/domains/d", { domain: "d.com" })]))).toEqual([]);
    expect(reads(graphOf([declare("gone/domains/d", { domain: "d.com" })]))).toEqual([]);
    expect(reads(graphOf([], { exclusive: [{ scope: "gone", kind: "domain" }] }))).toEqual([]);
  });

  it("include those of named domains in the cheap form, and none for a project", () => {
    const okta = declare("acme/identity_provider_configs/o", { name: "O", organization_domain_ids: ["d.com"] });
    const access = { private_project_access: [{ id: "Web", level: "member" }] };
    const invite = declare("acme/invites/b", { target_email: "b@b.c", ...access });
    expect(reads(graphOf([okta]))).toEqual(["acme identity_provider_config", "acme domain"]);
    expect(reads(graphOf([invite]))).toEqual(["acme invite"]);
  });

  it("include exclusive kinds without any declared resource", () => {
    const graph = graphOf([], { exclusive: [{ scope: "acme", kind: "domain" }] });
    expect(reads(graph)).toEqual(["acme domain"]);
    expect(reads(graph, ["acme"])).toEqual(["acme domain"]);
    expect(reads(graph, ["acme/domains"])).toEqual(["acme domain"]);
    expect(reads(graph, ["acme/domains/id=7"])).toEqual(["acme domain"]);
    expect(reads(graph, ["acme/invites", "acme/domains/id=7"])).toEqual(["acme domain"]);
    expect(reads(graph, ["acme/domains2/x"])).toEqual([]);
    expect(reads(graph, ["acme/invites"])).toEqual([]);
  });

  it("have only selected kinds", () => {
    const resources = [
      declare("acme/domains/a", { domain: "a.com" }),
      declare("acme/invites/b", { target_email: "b@b.c" }),
    ];
    expect(reads(graphOf(resources), ["acme/invites/b"])).toEqual(["acme invite"]);
  });
});

describe("a project of an organization that is declared absent, and is", () => {
  it("needs no word about a new organization", () => {
    const absent = declare("acme", { name: "Acme Inc" }, { lifecycle: { state: "absent" } });
    const graph = graphOf([declare("abc", { name: "Abc" }), absent], { projects: [project({ name: "Web" })] });
    const { diagnostics } = resolveScopes(graph, listed());
    expect(diagnostics).toEqual([]);
  });
});
