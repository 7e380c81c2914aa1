import { expect, it } from "vitest";
import { at, loadGood } from "../helpers.ts";

const part = (more: string): string => `driftline: 1\norganizations:\n  acme:\n    name: Acme Inc\n${more}`;
const FILES = {
  "a/exports.yaml": part("    projects:\n      web:\n        name: Web\n        batch_exports: {}\n"),
  "b.driftline.ts": `export default { driftline: 1, organizations: { acme: { name: "Acme Inc", domains: {} } } };`,
  "organization.yaml": part("    enforce_2fa: true\n    projects: { web: { name: Web, exclusive: [insights] } }\n"),
  "people.yaml": part("    domains: { corp: { domain: acme.com } }\n    memberships: {}\n"),
  "z.yaml": part("    memberships: {}\n"),
};

it("a scope is where most of its own fields are, not where it is mentioned first", async () => {
  const loaded = await loadGood(FILES);
  expect(at(loaded, "acme").position).toEqual({ file: "organization.yaml", line: 3, column: 3 });
  expect(at(loaded, "acme").positionOf?.("enforce_2fa")).toEqual({ file: "organization.yaml", line: 5, column: 5 });
  expect(at(loaded, "acme").positionOf?.("slug")).toBeUndefined();
  expect(loaded.graph.projects[0]?.position).toMatchObject({ file: "organization.yaml", line: 6 });
});

it("of two places with as many fields the first one counts that can be edited", async () => {
  const program = `export default { driftline: 1, organizations: { acme: { name: "Acme Inc" } } };`;
  const loaded = await loadGood({ "a.driftline.ts": program, "b.yaml": part(""), "c.yaml": part("") });
  expect(at(loaded, "acme").position.file).toBe("b.yaml");
});

it("of two places in YAML the one in the outermost folder counts, such as the file of an exported project", async () => {
  const web = (more: string): string => part(`    projects: { web: { id: "2", ${more} } }\n`);
  const files = { "web/insights/a.yaml": web("insights: { a: { name: A } }"), "web.yaml": web("batch_exports: {}") };
  const loaded = await loadGood(files);
  expect(loaded.graph.projects[0]?.position.file).toBe("web.yaml");
  expect(at(loaded, "acme").position.file).toBe("web.yaml");
});

it("a collection has a place in each YAML document that declares some of it", async () => {
  const { collectionPlaces } = await loadGood(FILES);
  const found = [...collectionPlaces].filter(([, places]) => places.length > 0);
  expect(found.map(([address, places]) => [address, ...places.map(({ file }) => file)])).toEqual([
    ["acme/domains", "people.yaml"],
    ["acme/memberships", "people.yaml", "z.yaml"],
    ["acme/projects/web/batch_exports", "a/exports.yaml"],
  ]);
});
