import { describe, expect, it } from "vitest";
import type { Client } from "../../../../src/api/client.ts";
import { NO_ROUTE } from "../../../../src/api/errors/errors.ts";
import { exportOrganizations, findOrganizations, onlyKinds } from "../../../../src/engine/export/export.ts";
import type { ExportSelection } from "../../../../src/engine/export/selection.ts";
import { apiError } from "../../apply/support.ts";
import { ACME } from "../../plan/world.ts";
import { denied, serviceOf, type Answers } from "../world.ts";

const INSIGHT = { id: 7, short_id: "abcdefgh", name: "A" };
const DOMAIN = { id: "d", domain: "a.com" };
const LISTED: Answers = { "insights.list": [INSIGHT], "domains.list": [DOMAIN] };

async function read(answers: Answers, selection: ExportSelection = {}, profile: Client["profile"] = "posthog") {
  const { client, asked } = serviceOf({ ...LISTED, ...answers }, profile);
  const snapshot = await exportOrganizations(client, selection);
  const [first] = snapshot.organizations;
  return {
    snapshot,
    asked: asked.toSorted(),
    codes: snapshot.diagnostics.map(({ severity, code }) => `${severity} ${code}`),
    unread: snapshot.unread,
    organization: first,
    insights: first?.projects.flatMap(({ lists }) => lists.insight?.map(({ id }) => id) ?? []),
  };
}

describe("an export", () => {
  it("reads every list once, and knows the rows of each object", async () => {
    const { snapshot, organization, insights, asked, codes } = await read({});
    expect([organization?.lists.domain?.map(({ id }) => id), insights, codes]).toEqual([["d"], ["7"], []]);
    expect(new Set(asked).size).toBe(asked.length);
    const [live] = organization?.projects[0]?.lists.insight ?? [];
    expect(live && snapshot.rowsOf(live)).toEqual([[INSIGHT]]);
  });

  it("keeps no rows that nobody wants", async () => {
    const { client } = serviceOf(LISTED);
    const { organizations, rowsOf } = await exportOrganizations(client, {}, { keepsRows: false });
    const [live] = organizations[0]?.projects[0]?.lists.insight ?? [];
    expect(live && rowsOf(live)).toEqual([]);
  });

  it("of projects reads nothing of their organization", async () => {
    const { asked, organization } = await read({}, { project: ["Web"] });
    expect(asked).toEqual(["insights.list", "organizations.list", "project_batch_exports.list"]);
    expect(organization?.projectsOnly).toBe(true);
  });

  it("of projects and what is beside them does not read the organization's lists of project objects", async () => {
    const { asked } = await read({}, { project: ["Web"], besideProjects: true });
    expect(asked).toContain("domains.list");
    expect(asked).not.toContain("batch_exports.list");
  });

  it("of some kinds reads only those", async () => {
    const { asked, organization, insights } = await read({}, { kinds: ["insight"] });
    expect(asked).toEqual(["insights.list", "organizations.list"]);
    expect([insights, organization?.projectsOnly, Object.keys(organization?.lists ?? {})]).toEqual([
      ["7"],
      true,
      ["insight"],
    ]);
  });

  it("by the interface document names the lists that it does not have", async () => {
    const { asked, codes } = await read({}, { project: ["Web"] }, "document");
    expect([asked, codes]).toEqual([["insights.list", "organizations.list"], ["warning route_missing"]]);
  });
});

describe("a list that cannot be read", () => {
  it.each<[name: string, answers: Answers, codes: readonly string[], unread: readonly object[]]>([
    [
      "is an error, and named by what people call its scope",
      { "insights.list": apiError("insights.list", {}) },
      ["error outage"],
      [{ kind: "insight", scope: "Web" }],
    ],
    [
      "is an error that names the scope that the key lacks",
      { "domains.list": denied("domains.list", "organization:read") },
      ["error access_denied"],
      [{ kind: "domain", scope: "Acme Inc", missingPermission: "organization:read" }],
    ],
    [
      "is none if the service has no such list",
      { "domains.list": apiError("domains.list", { kind: "not_found", status: 404, detail: NO_ROUTE }) },
      [],
      [],
    ],
    [
      "is none in projects if only the organization lists the objects",
      {
        "project_batch_exports.list": apiError("project_batch_exports.list", {
          kind: "not_found",
          status: 404,
          detail: NO_ROUTE,
        }),
      },
      ["warning route_missing"],
      [],
    ],
  ])("%s", async (_name, answers, codes, unread) => {
    const found = await read(answers);
    expect([found.codes, found.unread]).toMatchObject([codes, unread]);
  });

  it("is one error for all scopes that the key lacks", async () => {
    const { codes, snapshot } = await read({
      "domains.list": denied("domains.list", "organization:read"),
      "members.list": denied("members.list", "member:read"),
      "invites.list": denied("invites.list", "member:read"),
    });
    expect(codes).toEqual(["error access_denied"]);
    expect(snapshot.diagnostics[0]?.hint).toContain("member:read and organization:read");
  });
});

it.each<[string, Answers[string], string]>([
  ["fails", apiError("organizations.get", { kind: "server", status: 500 }), "error unreadable"],
  ["is refused", denied("organizations.get"), "error access_denied"],
])("an organization that no list shows is not called missing if its own read %s", async (_name, answer, code) => {
  const answers = { "organizations.list": [], "organizations.get": answer };
  const { snapshot, codes } = await read(answers, { organization: [ACME.id] });
  expect([snapshot.organizations, codes]).toEqual([[], [code]]);
});

describe("a key that may not read organizations", () => {
  const refused = {
    "organizations.list": denied("organizations.list"),
    "organizations.get": denied("organizations.get"),
  };
  const byId = { organization: [ACME.id], project: ["2"] };

  it("exports what is selected by ids", async () => {
    const { codes, insights, organization } = await read(refused, byId);
    expect([insights, organization?.idOnly, codes]).toEqual([["7"], true, ["warning projects_not_listed"]]);
  });

  it("is told so where the organization itself is wanted", async () => {
    const { codes } = await read(refused, { organization: [ACME.id] });
    expect(codes).toEqual(["error access_denied"]);
  });

  it.each<[string, ExportSelection]>([
    ["a name is selected", { organization: ["Acme Inc"] }],
    ["nothing is selected", {}],
  ])("exports nothing if %s", async (_name, selection) => {
    const { snapshot, codes, asked } = await read(refused, selection);
    expect([snapshot.organizations, codes, asked]).toEqual([[], ["error access_denied"], ["organizations.list"]]);
  });

  it("exports nothing if it may read none of the lists, with the scopes that it lacks", async () => {
    const none = {
      "insights.list": denied("insights.list", "insight:read"),
      "project_batch_exports.list": denied("project_batch_exports.list", "batch_export:read"),
    };
    const { snapshot, codes } = await read({ ...refused, ...none }, byId);
    expect([snapshot.organizations, codes]).toEqual([[], ["error access_denied"]]);
    expect(snapshot.diagnostics[0]?.hint?.match(/\w+:\w+/gu)).toEqual(["batch_export:read", "insight:read"]);
  });
});

it("organizations are found without anything in them", async () => {
  const { client, asked } = serviceOf(LISTED);
  const { organizations } = await findOrganizations(client, { project: ["nothing"] });
  expect([organizations.map(({ projects }) => projects.length), asked]).toEqual([[1], ["organizations.list"]]);
});

it("the part of some kinds has no projects if none of them is in projects", async () => {
  const { snapshot } = await read({ "insights.list": apiError("insights.list", {}) });
  const { organizations, unread } = onlyKinds(snapshot, ["organization", "domain"]);
  expect(organizations).toMatchObject([{ projects: [], projectsOnly: false, lists: { domain: [{ id: "d" }] } }]);
  expect(unread).toEqual([]);
});
