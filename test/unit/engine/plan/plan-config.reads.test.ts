/** What is read for a plan, and what follows from what could not be read. */
import { describe, expect, it } from "vitest";
import { readScopes } from "../../../../src/engine/import/search-scopes.ts";
import { loadGood } from "../../config/helpers.ts";
import { apiError } from "../../apply/support.ts";
import { ACME } from "../../plan/world.ts";
import { denied, planned, serviceOf, type Answers } from "../world.ts";

const file = (organization: string, project: string): string => `driftline: 1
organizations:
  acme:
    ${organization}
    projects: { web: { ${project}, insights: { a: { name: A } } } }
`;
const PINNED = `id: ${ACME.id}`;
const NAMED = "name: Acme Inc";
const A = { "insights.list": [{ id: 1, short_id: "aaaaaaaa", name: "A" }] };
const WEB = "acme/projects/web/insights/a";

async function read(text: string, answers: Answers, only: readonly string[] = []) {
  const service = serviceOf({ ...A, ...answers });
  const { plan, document } = await planned(text, service, { options: { only } });
  return {
    actions: Object.fromEntries(plan.changes.map(({ address, action }) => [address, action])),
    codes: document.diagnostics.map(({ severity, code }) => `${severity} ${code}`),
    asked: service.asked,
  };
}

describe("an organization of which only the id is declared", () => {
  const text = (more = ""): string =>
    `driftline: 1\norganizations: { acme: { id: ${ACME.id}, ${more}domains: { d: { domain: a.com } } } }\n`;
  const D = { "domains.list": [{ id: "1", domain: "a.com" }] };

  it("is not read, because its lists show that it exists", async () => {
    const { actions, asked } = await read(text(), D);
    expect([actions, asked]).toEqual([{ acme: "no_op", "acme/domains/d": "no_op" }, ["domains.list"]]);
  });

  it("is read if a name is declared, or if its list cannot be read", async () => {
    expect((await read(text("name: Acme Inc, "), D)).asked).toContain("organizations.list");
    expect((await read(text(), { "domains.list": apiError("domains.list", {}) })).asked).toContain(
      "organizations.list",
    );
  });
});

describe("the lists of a project that is pinned", () => {
  it("are read once, before the organizations are known", async () => {
    const { actions, asked } = await read(file(NAMED, 'id: "2"'), {});
    expect(actions).toEqual({ acme: "no_op", [WEB]: "no_op" });
    expect(asked.toSorted()).toEqual(["insights.list", "organizations.list"]);
  });

  it("are an error if the organization has no such project, unless the plan is about something else", async () => {
    const files = file(NAMED, 'id: "9"');
    await expect(read(files, {})).rejects.toMatchObject({
      reason: "invalid",
      diagnostics: [{ code: "unknown_project" }],
    });
    const outside = file(`${NAMED}\n    domains: { d: { domain: a.com } }`, 'id: "9"');
    const { actions } = await read(outside, { "domains.list": [{ id: "1", domain: "a.com" }] }, ["acme/domains/d"]);
    expect(actions).toEqual({ "acme/domains/d": "no_op" });
  });
});

describe("one organization or project under two keys is an error, whatever the plan is limited to:", () => {
  const text = (...organizations: readonly string[]): string =>
    `driftline: 1\norganizations:\n${organizations.map((one) => `  ${one}\n`).join("")}`;
  const web = (key: string, project: string): string => `${key}: { ${project}, insights: { a: { name: A } } }`;
  const hidden = {
    "organizations.list": denied("organizations.list"),
    "organizations.get": denied("organizations.get"),
  };
  const otherId = ACME.id.replace(/^./, "f");

  it.each<[string, string, Answers]>([
    [
      "a project by its id and by its name",
      text(`acme: { ${PINNED}, projects: { ${web("web", 'id: "2"')}, ${web("site", "name: Web")} } }`),
      {},
    ],
    [
      "an organization by its id and by its name",
      text(`acme: { ${PINNED}, domains: {} }`, `other: { ${NAMED}, domains: { d: { domain: a.com } } }`),
      {},
    ],
    [
      "a project by its id in two organizations that are not shown",
      text(
        `acme: { ${PINNED}, projects: { ${web("web", 'id: "2"')} } }`,
        `other: { id: ${otherId}, projects: { ${web("web", 'id: "2"')} } }`,
      ),
      hidden,
    ],
  ])("%s", async (_name, configuration, answers) => {
    const duplicate = { reason: "invalid", diagnostics: [{ code: "duplicate_scope" }] };
    const only = answers === hidden ? [] : ["acme"];
    await expect(read(configuration, answers, only)).rejects.toMatchObject(duplicate);
  });
});

describe("if the key may not read the organizations", () => {
  const answers = {
    "organizations.list": denied("organizations.list"),
    "organizations.get": denied("organizations.get"),
  };

  it("declared ids take their place, and the organization itself stays unknown", async () => {
    const { actions, codes } = await read(file(`${PINNED}\n    name: Acme Inc`, 'id: "2"'), answers);
    expect(actions).toEqual({ acme: "unknown", [WEB]: "no_op" });
    expect(codes.filter((code) => code.startsWith("error"))).toEqual(["error access_denied"]);
  });

  it("an unlisted project is mentioned only if anything else could be read", async () => {
    const text = file(PINNED, 'id: "2"');
    expect((await read(text, answers)).codes).toEqual(["warning projects_not_listed"]);
    const nothing = { ...answers, "insights.list": denied("insights.list") };
    expect((await read(text, nothing)).codes).toEqual(["error access_denied"]);
  });

  it("nothing is known without an id, and the project is not blamed", async () => {
    const { actions, codes } = await read(file(NAMED, "name: Web"), answers);
    expect([actions, codes]).toEqual([{ acme: "unknown", [WEB]: "unknown" }, ["error access_denied"]]);
  });

  it("an import is told the same", async () => {
    const { graph } = await loadGood(file(NAMED, 'id: "2"'));
    const { organizations } = await readScopes(serviceOf(answers).client, graph);
    expect([organizations.problem?.diagnostic.code, organizations.status]).toEqual(["access_denied", "unknown"]);
    const pinned = await loadGood(file(PINNED, 'id: "2"'));
    expect((await readScopes(serviceOf(answers).client, pinned.graph, [WEB])).organizations.problem).toBeUndefined();
  });
});

it("a list that cannot be read leaves the others as they are", async () => {
  const text = file(`${NAMED}\n    domains: { d: { domain: a.com } }`, 'id: "2"');
  const { actions, codes } = await read(text, { "domains.list": apiError("domains.list", {}) });
  expect(actions).toEqual({ acme: "no_op", "acme/domains/d": "unknown", [WEB]: "no_op" });
  expect(codes).toEqual(["error outage"]);
});
