/**
 * Whether a tag may be released: all files that name the version have to name that of the tag, and the schema for Pulumi may break
 * no program.
 */
import { breakingChanges, type Schema } from "./schema-changes.ts";

/** The files that name the version. */
export interface ReleaseFiles {
  /** `package.json`. */
  readonly manifest: { readonly name: string; readonly version: string };
  /** `package-lock.json`. */
  readonly lock: { readonly version?: string };
  /** `plugin/package.json`, which installs the package at exactly this version. */
  readonly plugin: { readonly dependencies: { readonly driftline: string } };
  /** Recipes and documentation, by their paths. Those that use the action name its tag, such as `OWNER/driftline@v1.2.3`. */
  readonly recipes: Readonly<Record<string, string>>;
  /** `schemas/pulumi.schema.json`, and what the last release recorded of it. */
  readonly schema: { readonly recorded: Schema; readonly current: Schema };
  /** The text of `CHANGELOG.md`, in the form of Keep a Changelog. */
  readonly changelog: string;
}

/** What is wrong, in sentences; and the entries of the version, in Markdown. */
export interface ReleaseCheck {
  readonly errors: readonly string[];
  readonly notes: string;
}

/** `v1.2.3`, or `v1.2.3-rc.1` for a release that comes before it. */
const TAG = /^v(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)$/u;

const USE_OF_ACTION = /\bOWNER\/driftline@v([\w.-]*\w)/gu;

/** Checks the files of a tag. @param tag the name of the tag, such as `v1.2.3` */
export function checkRelease(tag: string, files: ReleaseFiles): ReleaseCheck {
  const version = TAG.exec(tag)?.[1];
  if (version === undefined) return { errors: [`The tag ${tag} is no version such as v1.2.3.`], notes: "" };
  const { errors, notes } = checkVersion(version, files);
  return { errors: [...errors, ...schemaErrors(version, files.schema)], notes };
}

function schemaErrors(version: string, { recorded, current }: ReleaseFiles["schema"]): readonly string[] {
  const broken = breakingChanges(recorded, { ...current, version });
  return broken.map(
    (change) =>
      `The schema for Pulumi breaks programs of ${recorded.version}: ${change}. That needs a new major version.`,
  );
}

/** Checks that all files name the version. */
function checkVersion(version: string, { manifest, lock, plugin, recipes, changelog }: ReleaseFiles): ReleaseCheck {
  const sections = sectionsOf(changelog);
  const unreleased = sections.find(({ name }) => name === "Unreleased");
  const index = sections.findIndex(({ name }) => name === version);
  const { date = "", text: notes = "" } = sections[index] ?? {};
  const newer = sections.slice(0, Math.max(index, 0)).filter((section) => section !== unreleased);
  const rules: readonly (readonly [isBroken: boolean, error: string])[] = [
    [manifest.version !== version, `package.json has the version ${manifest.version}, the tag ${version}.`],
    [
      lock.version !== version,
      `package-lock.json has the version ${String(lock.version)}, the tag ${version}. Run npm install --package-lock-only.`,
    ],
    [
      plugin.dependencies.driftline !== version,
      `plugin/package.json depends on the version ${plugin.dependencies.driftline}, the tag is ${version}.`,
    ],
    ...Object.entries(recipes).map(([file, text]) => {
      const other = [...text.matchAll(USE_OF_ACTION)].map(([, used = ""]) => used).find((used) => used !== version);
      return [other !== undefined, `${file} uses the action at v${String(other)}, the tag is v${version}.`] as const;
    }),
    [index < 0, `CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD".`],
    [index >= 0 && !isDate(date), `CHANGELOG.md has no date for ${version}, but "${date}".`],
    [index >= 0 && notes === "", `CHANGELOG.md says nothing about ${version}.`],
    [newer.length > 0, `CHANGELOG.md has ${newer.map(({ name }) => name).join(", ")} above ${version}.`],
    [(unreleased?.text ?? "") !== "", `CHANGELOG.md has unreleased entries. Move them to ${version}.`],
  ];
  return { errors: rules.flatMap(([isBroken, error]) => (isBroken ? [error] : [])), notes };
}

interface Section {
  readonly name: string;
  readonly date: string;
  readonly text: string;
}

/** The sections under headings such as `## [1.2.3] - 2026-01-31`, in their order. */
function sectionsOf(changelog: string): readonly Section[] {
  return changelog
    .split(/^## /mu)
    .slice(1)
    .map((part) => {
      const [heading = "", ...lines] = part.split("\n");
      const [, name = heading, date = ""] = /^\[([^\]]+)\](?: - (.*))?$/u.exec(heading.trim()) ?? [];
      return { name, date, text: lines.join("\n").trim() };
    });
}

function isDate(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/u.test(text) ? Date.parse(text) : Number.NaN;
  // A day that the month does not have is parsed as one of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
