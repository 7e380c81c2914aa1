import { describe, expect, it } from "vitest";
import {
  knownByIdOnly,
  selectOrganizations,
  selectedIds,
  type ExportSelection,
} from "../../../../src/engine/export/selection.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import type { LiveObject } from "../../../../src/model/live.ts";
import { live } from "../../plan/world.ts";

const A = "a0000000-0000-4000-8000-000000000001";
const B = "b0000000-0000-4000-8000-000000000002";
const C = "c0000000-0000-4000-8000-000000000003";
const teams = (...all: readonly (readonly [number, string])[]) => ({ teams: all.map(([id, name]) => ({ id, name })) });

function organizations(...rows: readonly JsonObject[]): readonly LiveObject[] {
  return live({}, {}, { "organizations.list": rows }).lists.get(" organization")?.objects ?? [];
}

const SEEN = organizations(
  { id: A, name: "Acme ", ...teams([2, "Web"], [3, "App"], [4, "App"]) },
  { id: B, name: "Beta", ...teams([5, "Web"], [6, "2"]) },
  { id: C, name: "Beta", ...teams() },
);

/** Each selected organization with its projects: `a: 2 3`. A star marks what shares its name with what was left out. */
function selected(selection: ExportSelection, seen = SEEN, idOnly: readonly LiveObject[] = []): readonly string[] {
  return selectOrganizations(seen, idOnly, selection).map(({ organization, projects, sharesName }) => {
    const mark = (is: boolean | undefined): string => (is === true ? "*" : "");
    return `${organization.id.slice(0, 1)}${mark(sharesName)}: ${projects.map((one) => one.id + mark(one.sharesName)).join(" ")}`;
  });
}

describe("a selection of an export", () => {
  it.each<[string, ExportSelection, readonly string[]]>([
    ["is everything without one", {}, ["a: 2 3 4", "b: 5 6", "c: "]],
    ["takes an organization by its name", { organization: ["Acme"] }, ["a: 2 3 4"]],
    ["takes one by its id, in any case, and knows of its namesake", { organization: [B.toUpperCase()] }, ["b*: 5 6"]],
    ["keeps the order of the service", { organization: [C, A] }, ["a: 2 3 4", "c*: "]],
    ["takes a project by its id before one of that name, and no other organization", { project: ["2"] }, ["a: 2"]],
    ["takes one of several with a name by its id", { project: ["3"] }, ["a: 3*"]],
    [
      "keeps the other organizations if their own is exported, too",
      { project: ["3"], besideProjects: true },
      ["a: 3*", "b: ", "c: "],
    ],
    ["takes no project, if that is wanted", { organization: ["Acme"], project: [], besideProjects: true }, ["a: "]],
    ["looks for a project in the selected organizations only", { organization: [B], project: ["Web"] }, ["b*: 5"]],
  ])("%s", (_name, selection, found) => {
    expect(selected(selection)).toEqual(found);
  });

  it.each<[string, ExportSelection, string]>([
    ["an organization that the key does not see", { organization: ["Gamma"] }, "not_found"],
    ["a project that no selected organization has", { organization: [C], project: ["Web"] }, "not_found"],
    ["a name that two organizations have", { organization: ["Beta"] }, "ambiguous_name"],
    ["a name that two projects have", { project: ["Web"] }, "ambiguous_name"],
  ])("is refused with %s", (_name, selection, code) => {
    expect(() => selected(selection)).toThrow(
      expect.objectContaining({ reason: "failed", diagnostics: [expect.objectContaining({ code })] }) as Error,
    );
  });
});

it("what has no name is not selected by an empty one", () => {
  expect(() => selected({ organization: [""] }, organizations({ id: A, name: "" }))).toThrow(
    expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "not_found" })] }) as Error,
  );
});

describe("an organization that does not list its projects", () => {
  const hidden = organizations({ id: A, name: "Acme" });
  const listing = organizations({ id: B, name: "Beta", ...teams([5, "Web"]) });

  it("has those that were selected by their ids", () => {
    expect(selected({ project: ["7", "8", "7"] }, hidden)).toEqual(["a: 7 8"]);
    expect(selected({ project: ["7", "5"] }, [...hidden, ...listing])).toEqual(["a: 7", "b: 5"]);
    expect(selectOrganizations(hidden, [], { project: ["7"] })[0]?.hidesProjects).toBe(true);
  });

  it.each([
    ["a name", ["Web"], hidden],
    ["a number that no id can be", ["07"], hidden],
    ["an id that two such organizations could have", ["7"], [...hidden, ...organizations({ id: C, name: "C" })]],
  ])("has none by %s", (_name, project, seen) => {
    expect(() => selected({ project }, seen)).toThrow(
      expect.objectContaining({ diagnostics: [expect.objectContaining({ code: "not_found" })] }) as Error,
    );
  });
});

describe("the selected organizations that a key may not read", () => {
  it("are known by their ids", () => {
    const selection = { organization: [A.toUpperCase(), B, "Acme", B] };
    expect(selectedIds(selection)).toEqual([A.toUpperCase(), B, B]);
    const found = SEEN.filter(({ id }) => id === A);
    const idOnly = knownByIdOnly(found, selection);
    expect(idOnly.map(({ id }) => id)).toEqual([B]);
    expect(selectOrganizations(found, idOnly, { organization: [B] }).map((one) => one.idOnly)).toEqual([true]);
  });
});
