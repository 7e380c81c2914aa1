/** The words that other programs have in their environment hide nothing, and steer no file. */
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import type { Seed } from "../../src/emulator/index.ts";
import { budget } from "../support/budget.ts";
import type { CliResult } from "../support/cli.ts";
import { describeDialects } from "../support/dialects.ts";
import { messyOrganization } from "../support/messy.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const WORDS = { DB_PASSWORD: "password", POSTGRES_PASSWORD: "postgres", SITE_PASSWORD: "insights" };

/** The messy organization, with names, keys and texts that hold these words. */
function seed(): Seed {
  const [acme = { name: "" }] = messyOrganization().organizations ?? [];
  const [first] = acme.projects ?? [];
  const query = { kind: "TrendsQuery", series: [], insights: { postgres: "password" } };
  const more = [
    { name: "postgres load", description: "How postgres answers if the password insights ask", saved: true },
    { name: "insights", tags: ["postgres", "password"], query },
  ];
  const web = { ...first, id: 2, name: "Web insights (Prod)", insights: [...(first?.insights ?? []), ...more] };
  return { organizations: [{ ...acme, projects: [web] }] };
}

/** Declares the scopes and nothing in them. */
const SCOPES = `driftline: 1
organizations:
  acme:
    name: Acme Inc
    projects: { web: { id: 2 } }
`;

interface Life {
  readonly results: readonly CliResult[];
  readonly files: Readonly<Record<string, string>>;
}

/** Runs every command that reads or writes files, in an empty folder. None of them writes to the service. */
async function live(space: Workspace, env: Readonly<Record<string, string>>): Promise<Life> {
  const cwd = join(space.folder, "here");
  await rm(cwd, { recursive: true, force: true });
  await mkdir(cwd);
  const results: CliResult[] = [];
  const run = async (...args: readonly string[]): Promise<CliResult> => {
    const result = await space.run(args, { env, runtime: { cwd } });
    results.push(result);
    return result;
  };
  const { stdout } = await run("export");
  await run("export", "--out", "live", "--no-ids");
  await run("export", "--pulumi", "program");
  await writeFile(join(cwd, "scopes.yaml"), SCOPES);
  await run("import", "--all", "--yes", "scopes.yaml");
  // Each query and text of the user interface differs from what is declared.
  const declared = stdout.replaceAll(/^( +description): .*\w.*$/gmu, "$1: declared").replaceAll("dau", "total");
  await writeFile(join(cwd, "edited.yaml"), declared);
  for (const format of ["text", "json"]) await run("plan", "edited.yaml", "--unmanaged", "--format", format);
  await run("drift", "--accept", "--yes", "edited.yaml");
  await run("plan", "scopes.yaml", "--unmanaged");
  return { results, files: await filesBelow(cwd) };
}

async function filesBelow(folder: string): Promise<Readonly<Record<string, string>>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  const texts = await Promise.all(paths.map((path) => readFile(path, "utf8")));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""]));
}

/** The words of a text, and the values as a whole. */
function wordsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value, ...value.split(/[^\p{L}\p{N}_$@.-]+/u)];
  if (typeof value !== "object" || value === null) return [String(value)];
  return Object.entries(value).flatMap((member) => member.flatMap(wordsOf));
}

describeDialects("a word of the environment that the configuration does not use", () => {
  it("changes nothing that export, import, plan and accept write, whatever word it is", async () => {
    const space = await workspace({ seed: seed() });
    const without = await live(space, {});
    expect(without.results.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
    expect(JSON.stringify(without.files)).toContain("postgres load");
    const words = [...new Set(wordsOf(space.emulator.dump()))].filter((word) => word.length > 3);
    // One life takes more than half a second, so that each tries many words.
    const environment = fc.uniqueArray(fc.constantFrom(...words), { minLength: 8, maxLength: 16 }).map((chosen) => {
      const names = ["DB_PASSWORD", "SITE_SECRET", "CI_TOKEN", "SOME_API_KEY", "CREDENTIALS"];
      return Object.fromEntries(chosen.map((word, index) => [names[index] ?? `PASSWORD_${String(index)}`, word]));
    });
    const property = fc.asyncProperty(environment, async (env) => {
      expect(await live(space, env)).toEqual(without);
    });
    await fc.assert(property, { numRuns: budget(6), examples: [[WORDS]], endOnFailure: true });
  });
});
