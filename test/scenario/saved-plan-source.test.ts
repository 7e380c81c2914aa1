/** The parts of its run that a saved plan records, and their use by `apply --plan`. */
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { PlanDocument } from "../../src/model/plan.ts";
import { cli } from "../support/cli.ts";
import {
  config,
  ENV,
  EXPORT,
  EXPORTS,
  ofProject,
  S3,
  saved,
  saml,
  SECRET,
  SEED,
  ssoOf,
} from "../support/saved-plan.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const VARIED = config({
  domains: { a: { domain: "a.acme.com", sso_enforcement: "${var:sso}" }, b: saml("b.acme.com") },
});

/** A configuration in a folder, and a plan that was made with every option. */
async function varied(): Promise<Workspace & { readonly document: PlanDocument; readonly stdout: string }> {
  const space = await workspace({ seed: SEED });
  await mkdir(join(space.folder, "live"));
  await space.configure(VARIED, "live/acme.yaml");
  await space.configure({ sso: "github" }, "vars.yaml");
  const options = [
    "--vars",
    "vars.yaml",
    "--var",
    "sso=google-oauth2",
    "--only",
    "acme/domains/a",
    "--profile",
    "posthog",
  ];
  const { stdout } = await space.run(["plan", join(space.folder, "live"), ...options, "--out", "plan.json"]);
  return { ...space, document: await documentIn(space), stdout };
}

const documentIn = async ({ folder }: Pick<Workspace, "folder">): Promise<PlanDocument> =>
  JSON.parse(await readFile(join(folder, "plan.json"), "utf8")) as PlanDocument;
const APPLY = ["apply", "--plan", "plan.json", "--yes"];

describe("a saved plan is applied by its file alone", () => {
  it("with the paths, variables and limits of its run", async () => {
    const space = await varied();
    expect(space.document.source).toMatchObject({
      paths: ["live"],
      variable_files: ["vars.yaml"],
      variables: [{ name: "sso", value: "google-oauth2" }],
      profile: "posthog",
      url: null,
    });
    expect((await space.run(APPLY)).code).toBe(0);
    expect(ssoOf(space)).toEqual({ "a.acme.com": "google-oauth2", "b.acme.com": "", "old.acme.com": "" });
  });

  it("in another checkout of the same files", async () => {
    const space = await varied();
    const checkout = join(space.folder, "elsewhere");
    await mkdir(checkout);
    for (const name of ["live", "vars.yaml", "plan.json"])
      await cp(join(space.folder, name), join(checkout, name), { recursive: true });
    expect((await cli(APPLY, { cwd: checkout, env: space.env })).code).toBe(0);
    expect(ssoOf(space)).toMatchObject({ "a.acme.com": "google-oauth2" });
  });

  it("but not in a folder without these files: 10, and nothing is requested", async () => {
    const space = await varied();
    await mkdir(join(space.folder, "empty"));
    space.emulator.clearRequests();
    const result = await cli(["apply", "--plan", "../plan.json", "--yes", "--format", "json"], {
      cwd: join(space.folder, "empty"),
      env: space.env,
    });
    expect(result.code).toBe(10);
    expect(codesOf(result.stdout)).toEqual(["plan_source_missing"]);
    expect(space.emulator.requests).toEqual([]);
  });

  it("with the service that --url named", async () => {
    const space = await saved();
    const { DRIFTLINE_URL: url = "", ...env } = space.env;
    const world = { cwd: space.folder, env };
    await cli(["plan", "--url", url, "--out", "plan.json"], world);
    expect((await documentIn(space)).source?.url).toBe(url);
    expect((await cli(APPLY, world)).code).toBe(0);
  });

  it("with no other service than the environment names, because a plan cannot choose where the key goes", async () => {
    const space = await saved();
    const { DRIFTLINE_URL: url = "", ...env } = space.env;
    const other = { cwd: space.folder, env: { ...env, DRIFTLINE_URL: "http://127.0.0.1:1" } };
    await cli(["plan", "--url", url, "--out", "plan.json"], other);
    expect((await cli(APPLY, other)).code).toBe(10);
    expect((await cli([...APPLY, "--url", url], other)).code).toBe(0);
  });

  it("with the service of its URL, if nothing else names one", async () => {
    const space = await saved();
    const { DRIFTLINE_URL: _url, ...env } = space.env;
    expect((await cli(APPLY, { cwd: space.folder, env })).code).toBe(0);
  });

  it("an older plan, which has no source, needs paths as before", async () => {
    const space = await varied();
    const { source: _source, ...old } = space.document;
    await writeFile(join(space.folder, "plan.json"), JSON.stringify(old));
    expect((await space.run(APPLY)).code).toBe(10);
    expect((await space.run([...APPLY, "live", "--var", "sso=google-oauth2"])).code).toBe(0);
  });

  it("and plan says so, but not in a document", async () => {
    const space = await varied();
    expect(space.stdout).toContain("Saved plan.json. To apply exactly this: `driftline apply --plan plan.json`\n");
    const args = ["plan", "live", "--var", "sso=google-oauth2", "--out", "plan.json", "--format"];
    for (const format of ["json", "markdown"]) {
      const { stdout, stderr } = await space.run([...args, format]);
      expect(stdout + stderr).not.toContain("To apply exactly this");
    }
  });

  it("the hash does not depend on how the command was typed", async () => {
    const space = await saved();
    const hashes = await Promise.all(
      [[], ["."], ["driftline.yaml"], [space.folder]].map(async (paths) => (await space.plan(...paths)).hash),
    );
    expect(new Set(hashes)).toEqual(new Set([space.document.hash]));
  });
});

const codesOf = (json: string): readonly string[] =>
  (JSON.parse(json) as PlanDocument).diagnostics.map(({ code }) => code);

describe("options beside a saved plan agree with it, or nothing is requested", () => {
  it.each<[string, readonly string[], readonly string[]]>([
    ["paths", ["driftline.yaml"], ["driftline.yaml", "live"]],
    ["--vars", ["--vars", "other.yaml"], ["other.yaml", "vars.yaml"]],
    ["--var", ["--var", "sso=github"], ["github", "google-oauth2"]],
    ["--var that the plan does not have", ["--var", "more=1"], ["--var more", "none"]],
    ["--only", ["--only", "acme/domains/b"], ["acme/domains/b", "acme/domains/a"]],
    ["--rotate", ["--rotate", "acme/domains/b"], ["acme/domains/b", "none"]],
    ["--prune", ["--prune"], ["yes", "no"]],
    ["--profile", ["--profile", "document"], ["document", "posthog"]],
    ["--url", ["--url", "http://127.0.0.1:1"], ["http://127.0.0.1:1", "http://127.0.0.1:"]],
  ])("another value of %s is a usage error that names both", async (_name, args, named) => {
    const space = await varied();
    space.emulator.clearRequests();
    const { code, stdout } = await space.run([...APPLY, "--format", "json", ...args]);
    expect(code).toBe(10);
    expect(codesOf(stdout)).toEqual(["usage"]);
    const [diagnostic] = (JSON.parse(stdout) as PlanDocument).diagnostics;
    for (const name of named) expect(diagnostic?.message).toContain(name);
    expect(space.emulator.requests).toEqual([]);
  });

  it("the same values change nothing", async () => {
    const space = await varied();
    const same = ["./live/", "--vars", "./vars.yaml", "--var", "sso=google-oauth2", "--only", "acme/domains/a"];
    expect((await space.run([...APPLY, ...same, "--profile", "posthog", "--url", space.emulator.url])).code).toBe(0);
  });
});

describe("a value that is a secret is not in the plan, and has to be given again", () => {
  const declared = config(ofProject({ events: { ...EXPORTS.events, destination: S3("${var:aws}") } }));

  it.each<[string, object, string, Readonly<Record<string, string>>]>([
    ["feeds a secret field", declared, `aws=${SECRET}`, {}],
    ["feeds a secret field, and is short", declared, "aws=hunter2", {}],
    ["feeds a secret field, and has three characters", declared, "aws=abc", {}],
    [
      "is a part of a secret",
      config(ofProject({ events: { ...EXPORTS.events, destination: S3("key-${var:aws}") } })),
      "aws=hush",
      {},
    ],
    ["is known as a secret", { ...config(), variables: { note: "x" } }, `note=${SECRET}`, { SOME_TOKEN: SECRET }],
    ["has the name of a secret", { ...config(), variables: { api_key: "x" } }, "api_key=bright-morning", {}],
  ])("if it %s", async (_name, configuration, variable, env) => {
    const space = await workspace({ seed: SEED });
    await space.configure(configuration);
    await space.run(["plan", "--out", "plan.json", "--var", variable], { env });
    const { source } = await documentIn(space);
    expect(source?.variables).toEqual([{ name: variable.split("=")[0], value: null }]);
    const refused = await space.run([...APPLY, "--format", "json"], { env });
    expect(refused.code).toBe(10);
    expect(codesOf(refused.stdout)).toEqual(["variable_needed"]);
    expect((await space.run([...APPLY, "--var", variable], { env })).code).toBe(0);
  });

  it("another value is another configuration: 12", async () => {
    const space = await workspace({ seed: SEED });
    await space.configure(declared);
    await space.run(["plan", "--out", "plan.json", "--var", `aws=${SECRET}`]);
    expect((await space.run([...APPLY, "--var", "aws=another-one-42"], { env: ENV })).code).toBe(12);
  });

  it("a path with a secret is not kept either", async () => {
    const space = await workspace({ seed: SEED });
    await mkdir(join(space.folder, SECRET));
    await space.configure(config(EXPORT), `${SECRET}/acme.yaml`);
    await space.run(["plan", SECRET, "--out", "plan.json"], { env: ENV });
    expect((await documentIn(space)).source).toBeUndefined();
  });
});
