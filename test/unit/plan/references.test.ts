/** Which object the name in a resource stands for, and how a plan shows it (src/plan/references.ts). */
import { describe, expect, it } from "vitest";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { LiveWorld } from "../../../src/model/live.ts";
import type { PlanOptions } from "../../../src/model/plan.ts";
import type { ProjectScope, Resource } from "../../../src/model/resource.ts";
import { makePlan } from "../../../src/plan/make-plan.ts";
import { declaredObjects, withNames } from "../../../src/plan/references.ts";
import { sentencesOf } from "../../support/sentences.ts";
import { domains as rowsOf } from "./rows.ts";
import { ACME, changeOf, declare, graphOf, live, OPTIONS, unreadable } from "./world.ts";

const CORP = "0190aa11-2b3c-4d5e-8f60-718293a4b5c6";
const LABS = "0190aa11-2b3c-4d5e-8f60-718293a4b5c8";
const OKTA = "acme/identity_provider_configs/okta";
const CAROL = "acme/invites/carol";

interface Given {
  readonly declared?: readonly Resource[];
  readonly projects?: readonly ProjectScope[];
  readonly world?: LiveWorld;
  readonly only?: PlanOptions["only"];
}

const domains = (...rows: readonly JsonObject[]) =>
  live({ "domains.list": rows, "identity_provider_configs.list": [], "members.list": [], "invites.list": [] });
const UNREAD = live({ "identity_provider_configs.list": [] });
const LIVE_CORP = { id: CORP, domain: "acme.com" };
const BOTH = domains(LIVE_CORP, { id: LABS, domain: "labs.com" });
/** A service of today does not rename domains. */
const TODAY = domains({ ...LIVE_CORP, is_verified: true });
const corp = (values: JsonObject = { domain: "acme.com" }, more: Partial<Resource> = {}) =>
  declare("acme/domains/corp", values, more);
const PINNED = { pin: { field: "id", value: CORP } };

/** The organization with these projects. */
const teams = (...rows: readonly JsonObject[]) =>
  live({ "members.list": [], "invites.list": [] }, {}, { "organizations.list": [{ ...ACME, teams: rows }] });
const project = (key: string, more: Partial<ProjectScope> = {}): ProjectScope => ({
  address: `acme/projects/${key}`,
  organization: "acme",
  position: {},
  ...more,
});

/** The world with another state of one scope. */
function scoped(world: LiveWorld, scope: string, id: string | Error | undefined): LiveWorld {
  const known = typeof id === "string" ? ({ status: "known", path: { project_id: id } } as const) : undefined;
  const unread =
    id instanceof Error ? ({ status: "unknown", reason: id.message, isDenied: false } as const) : undefined;
  return { ...world, scopes: new Map([...world.scopes, [scope, known ?? unread ?? { status: "absent" }]]) };
}

/** The plan of a resource beside others. */
function planned(resource: Resource, { declared = [], projects = [], world = BOTH, only = [] }: Given) {
  return makePlan(graphOf([...declared, resource], { projects }), world, { ...OPTIONS, only });
}

/** The ids that the names stand for, or the code of the error, or what is not known. */
function foundBy(resource: Resource, given: Given) {
  const { plan } = planned(resource, given);
  const { action, reason, references, work } = changeOf(plan, resource.address);
  const errors = plan.diagnostics.filter(({ severity }) => severity === "error");
  return { action, reason, ids: references?.map(({ id }) => id), errors, values: work?.resource?.values };
}

const provider = (...ids: readonly string[]) => declare(OKTA, { name: "Okta", organization_domain_ids: ids });
const invite = (...ids: readonly (string | number)[]) =>
  declare(CAROL, {
    target_email: "carol@labs.com",
    private_project_access: ids.map((id) => ({ id, level: "member" })),
  });
const codes = (found: readonly Diagnostic[]) => found.map(({ code }) => code);

describe("a name of a domain", () => {
  it.each<[string, readonly string[], Given, readonly (string | null)[] | undefined]>([
    ["is its key", ["corp"], { declared: [corp()] }, [CORP]],
    ["is its natural key in any letter case, with blanks", [" ACME.com "], { declared: [corp()] }, [CORP]],
    ["is that of one that nothing declares", ["labs.com", "acme.com"], { declared: [] }, [LABS, CORP]],
    ["is yet to be created", ["corp"], { declared: [corp()], world: domains() }, [null]],
    ["is created in an organization that does not exist", ["corp"], { declared: [corp()], world: absent() }, [null]],
    ["is replaced", ["corp"], { declared: [corp({ domain: "new.com" }, PINNED)], world: TODAY }, [null]],
    [
      "is replaced, and not by this run",
      ["corp"],
      { declared: [corp({ domain: "new.com" }, PINNED)], world: TODAY, only: [OKTA] },
      [CORP],
    ],
    ["is that of an object whose name is not declared", ["acme.com"], { declared: [corp({}, PINNED)] }, [CORP]],
    ["is that of another object", ["labs.com"], { declared: [corp({}, PINNED)] }, [LABS]],
    ["is an id", [CORP], { declared: [corp()] }, undefined],
    ["is an id where no list was read", [CORP], { world: UNREAD }, undefined],
  ])("%s", (_name, names, given, ids) => {
    const found = foundBy(provider(...names), given);
    expect([found.ids, found.errors]).toEqual([ids, []]);
    expect(found.values?.["organization_domain_ids"]).toEqual(
      names.map((name, index) => (ids === undefined ? name : (ids[index] ?? "acme/domains/corp"))),
    );
  });

  function absent(): LiveWorld {
    return scoped(BOTH, "acme", undefined);
  }

  it.each<[string, readonly string[], Given, string | undefined]>([
    ["twice", ["corp", "acme.com"], { declared: [corp()] }, "duplicate_item"],
    ["beside its id", [CORP.toUpperCase(), "corp"], { declared: [corp()] }, "duplicate_item"],
    ["that nothing has", ["crop"], { declared: [corp()] }, "unknown_reference"],
    ["that nothing is like", ["somewhere.org"], { declared: [corp()] }, "unknown_reference"],
    ["that nothing has beside one without a name", ["z"], { declared: [corp({}, PINNED)] }, "unknown_reference"],
    ["that none of many has", ["z"], { world: domains(...rowsOf(12)) }, "unknown_reference"],
    ["that nothing has, and of another", ["nowhere.org", "somewhere.org"], { declared: [] }, "unknown_reference"],
    ["that nothing has where nothing is", ["x"], { world: domains() }, "unknown_reference"],
    ["in a new organization", ["acme.com"], { world: absent() }, "unknown_reference"],
    ["before a replace", ["acme.com"], { declared: [corp({ domain: "new.com" }, PINNED)] }, "unknown_reference"],
    ["that is not created", ["corp"], { declared: [corp()], world: domains(), only: [OKTA] }, "reference_not_planned"],
    [
      "that is a key and a name",
      ["acme.com"],
      { declared: [declare("acme/domains/acme.com", { domain: "labs.com" }), corp()] },
      "ambiguous_reference",
    ],
    [
      "that is a key and a live name",
      ["acme.com"],
      { declared: [declare("acme/domains/acme.com", { domain: "labs.com" })] },
      "ambiguous_reference",
    ],
    ["in a list that is unknown", ["acme.com"], { world: unreadable(BOTH, "acme", "domain") }, undefined],
    ["in a list that was not read", ["acme.com"], { world: UNREAD }, undefined],
    ["of one that is unknown", ["corp"], { declared: [corp()], world: unreadable(BOTH, "acme", "domain") }, undefined],
    [
      "of a pinned one that is unknown",
      ["corp"],
      { declared: [corp({}, PINNED)], world: unreadable(BOTH, "acme", "domain") },
      undefined,
    ],
  ])("%s stands for none", (_name, names, given, code) => {
    const { action, reason, errors, ids } = foundBy(provider(...names), given);
    expect([action, codes(errors).at(-1), errors.length <= 1, ids]).toEqual(["unknown", code, true, undefined]);
    expect(errors.every(({ address }) => address === OKTA)).toBe(true);
    expect([reason, ...sentencesOf(errors)]).toMatchSnapshot();
  });

  it("is not looked at if the resource is to go, or to be left alone", () => {
    for (const lifecycle of [{ state: "absent" }, { forget: true }] as const)
      expect(foundBy({ ...provider("crop"), lifecycle }, {})).toMatchObject({ action: "no_op", errors: [] });
  });
});

describe("a name of a project", () => {
  const WEB = teams({ id: 2, name: " Web " }, { id: 3, name: "Shop" });
  const WEB_AT_2 = scoped(WEB, "acme/projects/web", "2");
  const YEAR = { id: 2, name: "2024" };

  it.each<[string, string | number, Given, number | undefined]>([
    ["is its number", 2, { world: WEB }, 2],
    ["is its number as a text", "2", { world: WEB }, 2],
    ["is its live name", "Web", { world: WEB }, 2],
    ["is its key", "web", { world: WEB_AT_2, projects: [project("web", { name: "Web" })] }, 2],
    ["is its declared name", "Old", { world: WEB_AT_2, projects: [project("web", { id: "2", name: "Old" })] }, 2],
    ["is its live name", "Web", { world: WEB_AT_2, projects: [project("web", { id: "2", name: "Old" })] }, 2],
    ["is its number and its name", "2024", { world: teams({ id: 2024, name: "2024" }) }, 2024],
  ])("%s", (_name, name, given, id) => {
    const { errors, values, ids } = foundBy(invite(name), given);
    expect([errors, ids]).toEqual([[], /^\d+$/.test(String(name)) ? undefined : [String(id)]]);
    expect(values?.["private_project_access"]).toEqual([{ id: typeof name === "string" ? id : name, level: "member" }]);
  });

  it.each<[string, string, Given, string | undefined]>([
    ["that is the number of another one", "2024", { world: teams(YEAR) }, "ambiguous_reference"],
    ["that two have", "Web", { world: teams({ id: 2, name: "Web" }, { id: 3, name: "Web" }) }, "ambiguous_reference"],
    ["that nothing has", "Other", { world: WEB }, "unknown_reference"],
    [
      "of an organization that lists none",
      "Web",
      { world: live({ "invites.list": [], "members.list": [] }, {}, {}) },
      undefined,
    ],
    ["that does not exist yet", "new", { world: WEB, projects: [project("new")] }, undefined],
    [
      "that is not known",
      "new",
      { world: scoped(WEB, "acme/projects/new", new Error("GET answered 500")), projects: [project("new")] },
      undefined,
    ],
  ])("%s stands for none", (_name, name, given, code) => {
    const { action, reason, errors } = foundBy(invite(name), given);
    expect([action, ...codes(errors)]).toEqual(code === undefined ? ["unknown"] : ["unknown", code]);
    expect([reason, ...sentencesOf(errors)]).toMatchSnapshot();
  });
});

describe("a plan with names", () => {
  const rows = (more: JsonObject) => ({
    "domains.list": [LIVE_CORP, { id: LABS, domain: "labs.com" }],
    "identity_provider_configs.list": [{ id: "i", name: "Okta", ...more }],
  });
  const world = live(rows({ organization_domain_ids: [LABS, CORP] }));
  const shown = (resource: Resource, given: Given) => {
    const { plan } = planned(resource, given);
    return changeOf(withNames(plan, given.world ?? BOTH), resource.address);
  };

  it("has those that the resource writes, else natural keys", () => {
    const { fields, references } = shown(provider("corp"), { declared: [corp()], world });
    expect(fields).toMatchObject([{ prior: ["corp", "labs.com"], planned: ["corp"] }]);
    expect(references).toEqual([{ path: "/organization_domain_ids/0", name: "corp", id: CORP }]);
    expect(shown(provider(CORP), { declared: [corp()], world }).fields).toMatchObject([
      { prior: ["acme.com", "labs.com"], planned: ["acme.com"] },
    ]);
  });

  it("has them in what a removal takes away", () => {
    const exclusive = [{ scope: "acme", kind: "identity_provider_config" }] as const;
    const { plan } = makePlan(graphOf([], { exclusive }), world, { ...OPTIONS, prune: true });
    const removes = [{ path: "/organization_domain_ids", value: [LABS, CORP] }];
    const changes = plan.changes.map((change) => ({ ...change, removes }));
    expect(withNames({ ...plan, changes }, world).changes[0]?.removes).toEqual([
      { path: "/organization_domain_ids", value: ["labs.com", "acme.com"] },
    ]);
    expect(withNames(plan, world).changes[0]).not.toHaveProperty("removes");
  });

  it("keeps ids that have no name, and changes that refer to nothing", () => {
    const bare = { ...world, lists: new Map([...world.lists].filter(([key]) => !key.includes("domain"))) };
    expect(shown(provider(), { world: bare }).fields).toMatchObject([{ prior: [CORP, LABS], planned: [] }]);
    const { plan } = planned(provider("crop"), { declared: [corp()], world: domains() });
    expect(withNames(plan, BOTH)).toEqual(plan);
  });

  it("knows what is declared by its key and its natural key, with the id that is known", () => {
    const declared = [
      corp(),
      declare("acme/domains/new", { domain: "new.com" }, { pin: { field: "id", value: LABS } }),
    ];
    const graph = graphOf(declared, { projects: [project("web", { id: "2" }), project("new", { id: "4" })] });
    const { matches } = makePlan(graph, domains(LIVE_CORP), OPTIONS);
    const context = { graph, world: BOTH, planned: matches.planned };
    expect(declaredObjects(context, "acme", "domain")).toEqual([
      { names: ["corp", "acme.com"], id: CORP },
      { names: ["new", "new.com"], id: LABS },
    ]);
    expect(declaredObjects({ ...context, planned: new Map() }, "acme", "domain").map(({ id }) => id)).toEqual([
      undefined,
      LABS,
    ]);
    expect(declaredObjects(context, "acme", "project")).toEqual([
      { names: ["web"], id: "2" },
      { names: ["new"], id: "4" },
    ]);
  });
});
