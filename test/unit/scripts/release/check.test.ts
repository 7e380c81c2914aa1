import { expect, it } from "vitest";
import { checkRelease, type ReleaseFiles } from "../../../../scripts/release/check.ts";

const changelog = (...sections: readonly string[]): string => `# Changelog\n\nAbout it.\n\n${sections.join("\n\n")}\n`;
const GOOD = "## [1.2.3] - 2026-01-31\n\n### Added\n\n- A command.";
const SCHEMA = { version: "1.2.2", config: { variables: {} }, types: {}, resources: {} };
const OLD = "## [1.2.2] - 2026-01-01\n\n### Fixed\n\n- An error.";

function files(text = changelog("## [Unreleased]", GOOD, OLD), version = "1.2.3", lock = version): ReleaseFiles {
  const recipes = {
    "recipe.yml": `# Replace OWNER/driftline@v${version}.\nuses: OWNER/driftline@v${version}\n`,
    "a.md": "",
  };
  const plugin = { dependencies: { driftline: version } };
  const schema = { recorded: SCHEMA, current: SCHEMA };
  return {
    manifest: { name: "driftline", version },
    lock: { version: lock },
    plugin,
    schema,
    recipes,
    changelog: text,
  };
}

it("returns the entries of the version, and no others", () => {
  expect(checkRelease("v1.2.3", files())).toEqual({ errors: [], notes: "### Added\n\n- A command." });
});

it("takes a version that comes before a release", () => {
  const text = changelog(GOOD.replace("1.2.3", "1.3.0-rc.1"), OLD);
  expect(checkRelease("v1.3.0-rc.1", files(text, "1.3.0-rc.1")).errors).toEqual([]);
});

it.each<[string, string, ReleaseFiles, RegExp]>([
  ["a tag that is no version", "release-1", files(), /tag release-1/],
  ["a tag without a v", "1.2.3", files(), /tag 1\.2\.3/],
  [
    "another version in package.json",
    "v1.2.3",
    { ...files(), manifest: { name: "driftline", version: "1.2.2" } },
    /^package\.json/,
  ],
  ["another version in package-lock.json", "v1.2.3", files(undefined, "1.2.3", "1.2.2"), /package-lock\.json/],
  [
    "another version in plugin/package.json",
    "v1.2.3",
    { ...files(), plugin: { dependencies: { driftline: "1.2.2" } } },
    /^plugin\/package\.json/,
  ],
  [
    "a recipe for another version",
    "v1.2.3",
    { ...files(), recipes: { "recipe.yml": "OWNER/driftline@v1.2.3 or OWNER/driftline@v1.2.2." } },
    /recipe\.yml uses the action at v1\.2\.2,/,
  ],
  ["no section of the version", "v1.2.3", files(changelog("## [Unreleased]", OLD)), /no section/],
  ["a section without a date", "v1.2.3", files(changelog("## [1.2.3]\n\n- A command.", OLD)), /no date/],
  ["a day that does not exist", "v1.2.3", files(changelog(GOOD.replace("01-31", "02-30"), OLD)), /no date/],
  ["a section without entries", "v1.2.3", files(changelog("## [1.2.3] - 2026-01-31", OLD)), /says nothing/],
  ["a later version above it", "v1.2.3", files(changelog(GOOD.replace("1.2.3", "1.3.0"), GOOD)), /1\.3\.0 above/],
  [
    "a schema for Pulumi that breaks programs",
    "v1.2.3",
    {
      ...files(),
      schema: {
        recorded: { ...SCHEMA, resources: { "a:b:C": { inputProperties: {}, properties: {} } } },
        current: SCHEMA,
      },
    },
    /programs of 1\.2\.2: a:b:C is gone/,
  ],
  ["entries that are not released", "v1.2.3", files(changelog("## [Unreleased]\n\n- More.", GOOD)), /unreleased/],
])("refuses %s", (_name, tag, given, error) => {
  expect(checkRelease(tag, given).errors).toEqual([expect.stringMatching(error)]);
});
