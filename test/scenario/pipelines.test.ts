/**
 * The recipes of examples/pipelines: their form, and what their scripts do.
 *
 * Terms: a script is what one step or job runs, with its environment. It is started with bash as the CI starts it, `npx` and
 * `npm` standing for this package, `pulumi`, `gh` and `curl` for programs that write down how they were called.
 */
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { describeDialects } from "../support/dialects.ts";
import { workspace, type Workspace } from "../support/workspace.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const FOLDER = join(ROOT, "examples/pipelines");
const GITHUB = ["github/driftline.yml", "github/pulumi.yml"] as const;
const GITLAB = ["gitlab/driftline.gitlab-ci.yml", "gitlab/pulumi.gitlab-ci.yml"] as const;

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly with?: Readonly<Record<string, unknown>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly run?: string;
}
interface Job {
  readonly "runs-on": string;
  readonly needs?: readonly string[];
  readonly permissions?: Readonly<Record<string, string>>;
  readonly environment?: string;
  readonly concurrency?: object;
  readonly if?: string;
  readonly steps: readonly Step[];
}
interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly jobs: Readonly<Record<string, Job>>;
}
interface GitlabJob {
  readonly stage: string;
  readonly needs?: readonly string[];
  readonly rules: readonly { readonly if: string }[];
  readonly script: readonly string[];
  readonly artifacts?: { readonly paths: readonly string[] };
}

const textOf = (file: string): string => readFileSync(join(FOLDER, file), "utf8");
const workflowOf = (file: string): Workflow => parse(textOf(file)) as Workflow;

const GLOBAL: ReadonlySet<string> = new Set(["stages", "default", "variables", "workflow", "include"]);
function gitlabOf(file: string): {
  readonly stages: readonly string[];
  readonly before: readonly string[];
  readonly jobs: Readonly<Record<string, GitlabJob>>;
} {
  const all = parse(textOf(file)) as Readonly<Record<string, unknown>>;
  const { before_script: before } = all["default"] as { readonly before_script: readonly string[] };
  const jobs = Object.entries(all).filter(([name]) => !GLOBAL.has(name)) as [string, GitlabJob][];
  return { stages: all["stages"] as readonly string[], before, jobs: Object.fromEntries(jobs) };
}

/** Every script of a recipe, by its job. */
function scriptsOf(file: string): readonly (readonly [job: string, script: string])[] {
  if (file.startsWith("github"))
    return Object.entries(workflowOf(file).jobs).flatMap(([name, { steps }]) =>
      steps.flatMap(({ run }) => (run === undefined ? [] : [[name, run] as const])),
    );
  const { before, jobs } = gitlabOf(file);
  return Object.entries(jobs).map(([name, { script }]) => [name, [...before, ...script].join("\n")] as const);
}

interface Ran {
  readonly code: number;
  readonly output: string;
}

function bash(
  script: string,
  cwd: string,
  env: Readonly<Record<string, string>>,
  ...options: readonly string[]
): Promise<Ran> {
  return new Promise((resolve) => {
    execFile("bash", [...options, "-c", script], { cwd, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), output: `${stdout}${stderr}` });
    });
  });
}

const all = [...GITHUB, ...GITLAB].flatMap((file) =>
  scriptsOf(file).map(([job, script]) => [file, job, script] as const),
);
const only = (value: object, known: readonly string[]): readonly string[] =>
  Object.keys(value).filter((key) => !known.includes(key));

describe("a workflow for GitHub Actions", () => {
  it.each(GITHUB)("%s has the form of one", (file) => {
    const workflow = workflowOf(file);
    expect(only(workflow, ["name", "on", "permissions", "env", "jobs"])).toEqual([]);
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "push", "schedule"]);
    for (const job of Object.values(workflow.jobs)) {
      expect(only(job, ["if", "runs-on", "permissions", "environment", "concurrency", "needs", "steps"])).toEqual([]);
      expect(job["runs-on"]).toBe("ubuntu-latest");
      expect((job.needs ?? []).filter((name) => !(name in workflow.jobs))).toEqual([]);
      expect(
        Object.values(job.permissions ?? {}).filter((level) => !["read", "write", "none"].includes(level)),
      ).toEqual([]);
      for (const step of job.steps) {
        expect(only(step, ["name", "if", "uses", "with", "env", "run"])).toEqual([]);
        expect([step.uses, step.run].filter((value) => value !== undefined)).toHaveLength(1);
        if (step.uses !== undefined) expect(step.uses).toMatch(/^[\w-]+\/[\w-]+@v\d+$/);
      }
    }
  });

  it.each(GITHUB)("%s takes values from contexts that there are, and none into a script", (file) => {
    const found = [...textOf(file).matchAll(/\$\{\{ *([^}]*?) *\}\}/g)].map(([, expression = ""]) => expression);
    expect(found.length).toBeGreaterThan(3);
    expect(
      found.filter((text) => !/^(vars|secrets|env)\.[A-Z_]+$|^github\.(token|event\.pull_request\.number)$/.test(text)),
    ).toEqual([]);
    expect(scriptsOf(file).filter(([, script]) => script.includes("${{"))).toEqual([]);
  });

  it.each(GITHUB)("%s gives the writing key to the job on the main branch, and no key to a fork", (file) => {
    const { jobs } = workflowOf(file);
    const withKey = (pattern: RegExp): readonly string[] =>
      Object.entries(jobs).flatMap(([name, job]) => (pattern.test(JSON.stringify(job)) ? [name] : []));
    expect(withKey(/DRIFTLINE_WRITE_KEY/).map((name) => [jobs[name]?.if, jobs[name]?.environment])).toEqual([
      ["github.event_name == 'push'", "analytics"],
    ]);
    for (const job of Object.values(jobs).filter(({ if: condition = "" }) => condition.includes("pull_request"))) {
      const guarded = [
        job.if,
        ...job.steps.flatMap((step) => (JSON.stringify(step).includes("secrets.") ? [step.if] : [])),
      ];
      expect(guarded.some((condition) => condition?.includes("head.repo.full_name == github.repository"))).toBe(true);
    }
  });
});

describe("a pipeline for GitLab", () => {
  it.each(GITLAB)("%s has the form of one", (file) => {
    const { stages, jobs } = gitlabOf(file);
    const known = ["stage", "needs", "rules", "script", "artifacts", "environment", "resource_group", "interruptible"];
    expect(new Set(Object.values(jobs).map(({ stage }) => stage))).toEqual(new Set(stages));
    for (const [name, job] of Object.entries(jobs)) {
      expect(only(job, known), name).toEqual([]);
      expect((job.needs ?? []).filter((other) => !(other in jobs))).toEqual([]);
      expect(job.script.every((line) => typeof line === "string" && line !== "")).toBe(true);
      for (const rule of job.rules)
        expect(rule.if).toMatch(/^\$CI_\w+ == ("\w+"|\$CI_\w+)( && \$CI_\w+ == ("\w+"|\$CI_\w+))*$/);
    }
  });

  it.each(GITLAB)("%s gives the writing key to the job on the main branch, and no key to a fork", (file) => {
    const { jobs } = gitlabOf(file);
    const withKey = (key: string): readonly GitlabJob[] =>
      Object.values(jobs).filter((job) => job.script.some((line) => line.includes(key)));
    expect(withKey("WRITE_KEY").map(({ rules }) => rules)).toEqual([
      [{ if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' }],
    ]);
    const onRequest = withKey("READ_KEY").flatMap(({ rules }) =>
      rules.filter((rule) => rule.if.includes("merge_request_event")),
    );
    expect(onRequest).toHaveLength(1);
    expect(onRequest[0]?.if).toContain("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID");
  });
});

it("the plan jobs for the command line publish the HTML report", () => {
  const upload = workflowOf(GITHUB[0]).jobs["plan"]?.steps.find(({ uses }) =>
    uses?.startsWith("actions/upload-artifact"),
  );
  expect(upload?.with).toMatchObject({ path: "plan.html" });
  expect(gitlabOf(GITLAB[0]).jobs["plan"]?.artifacts?.paths).toContain("plan.html");
});

describe("the scripts", () => {
  it.each(all)("%s, %s: bash can read them", async (_file, _job, script) => {
    const { code, output } = await bash(script, ROOT, { PATH: process.env["PATH"] ?? "" }, "-n");
    expect(output).toBe("");
    expect(code).toBe(0);
  });

  const commands = all.flatMap(([file, , script]) =>
    [...script.matchAll(/\bdriftline ([a-z].*?)(?: *(?:>|\|\||$))/gm)].map(([, args = ""]) => [file, args] as const),
  );
  it.each(commands)("%s: the command line knows driftline %s", async (_file, args) => {
    const { run } = await workspace();
    const env = { DRIFTLINE_URL: "", DRIFTLINE_API_KEY: "" };
    const { stderr } = await run(args.split(" "), { env, runtime: { signal: AbortSignal.abort() } });
    expect(stderr).not.toContain(`--help" for usage`);
  });

  it("speak of the command line in every recipe for it", () => {
    expect(new Set(commands.map(([file]) => file))).toEqual(new Set([GITHUB[0], GITLAB[0]]));
  });
});

const CONFIGURATION = {
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", enforce_2fa: true, domains: { corp: { domain: "acme.com" } } } },
};

interface Machine extends Workspace {
  /** Runs what a job does. */
  readonly job: (file: string, job: string, env?: Readonly<Record<string, string>>) => Promise<Ran>;
  /** How the programs were called that only take notes. */
  readonly calls: () => Promise<string>;
}

/** A machine of the CI with a repository, against a service. */
async function machine(): Promise<Machine> {
  const space = await workspace();
  await space.configure(CONFIGURATION);
  const bin = join(space.folder, "bin");
  await mkdir(bin);
  const main = join(ROOT, "dist/cli/main.js");
  expect(existsSync(main)).toBe(true);
  const note = `printf '%s' "$(basename "$0")" >> "$NOTES"; printf ' <%s>' "$@" >> "$NOTES"; echo >> "$NOTES"\n`;
  const programs: Readonly<Record<string, string>> = {
    npx: `shift\nexec "${process.execPath}" "${main}" "$@"\n`,
    npm: note,
    gh: note,
    curl: note,
    sh: note,
    pulumi: `${note}echo "what pulumi says"\nexit "\${PULUMI_CODE:-0}"\n`,
  };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/bash\n${text}`);
    await chmod(join(bin, name), 0o755);
  }
  const notes = join(space.folder, "notes.txt");
  const base = {
    ...space.env,
    PATH: `${bin}:/usr/bin:/bin`,
    HOME: space.folder,
    NOTES: notes,
    GITHUB_STEP_SUMMARY: join(space.folder, "summary.md"),
    DRIFTLINE_READ_KEY: space.emulator.key,
    DRIFTLINE_WRITE_KEY: space.emulator.key,
    PULUMI_STACK: "prod",
    NUMBER: "17",
    CI_MERGE_REQUEST_IID: "17",
  };
  return {
    ...space,
    calls: async () => (existsSync(notes) ? readFile(notes, "utf8") : ""),
    job: async (file, job, env = {}) => {
      let last: Ran = { code: 0, output: "" };
      for (const [name, script] of scriptsOf(file)) {
        if (name !== job || last.code !== 0) continue;
        last = await bash(script, space.folder, { ...base, ...env }, "-eo", "pipefail");
      }
      return last;
    },
  };
}

describeDialects("a recipe for the command line", () => {
  it.each([
    [GITHUB[0], /^gh <pr> <comment> <17> <--body-file> <plan.md>/m],
    [GITLAB[0], /^curl .*<body@plan.md>/m],
  ])("%s comments the plan, applies it, and tells drift", async (file, comment) => {
    const space = await machine();
    expect(await space.job(file, "plan")).toMatchObject({ code: 0 });
    expect(await readFile(join(space.folder, "plan.md"), "utf8")).toContain("acme/domains/corp");
    const report = await readFile(join(space.folder, "plan.html"), "utf8");
    expect(report).toContain("acme/domains/corp");
    expect(report).toMatch(/<\/html>\n$/);
    expect(await space.calls()).toMatch(comment);
    expect(space.emulator.requests.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(await space.job(file, "drift")).toMatchObject({
      code: 2,
      output: expect.stringContaining("changed outside") as string,
    });
    expect(await space.job(file, "apply")).toMatchObject({ code: 0 });
    expect(space.emulator.find("domain", () => true)).toHaveLength(1);
    expect(await space.job(file, "drift")).toMatchObject({ code: 0 });
    space.emulator.edit("organization", String(space.emulator.find("organization")[0]?.id), { enforce_2fa: false });
    expect(await space.job(file, "drift")).toMatchObject({ code: 2 });
    expect(await readFile(join(space.folder, "drift.md"), "utf8")).toContain("enforce_2fa");
    const blind = await space.job(file, "drift", { DRIFTLINE_API_KEY: "wrong", DRIFTLINE_READ_KEY: "wrong" });
    expect(blind).toMatchObject({ code: 11, output: expect.stringContaining("exit code 11") as string });
  });
});

describe("a recipe for Pulumi", () => {
  it.each([
    [GITHUB[1], /^gh <pr> <comment> <17> <--body-file> <preview.md>/m],
    [GITLAB[1], /^curl .*<body@preview.md>/m],
  ])("%s comments the preview, runs up, and tells drift", async (file, comment) => {
    const space = await machine();
    expect(await space.job(file, "preview")).toMatchObject({ code: 0 });
    expect(await space.job(file, "preview", { PULUMI_CODE: "255" })).toMatchObject({ code: 255 });
    expect(await readFile(join(space.folder, "preview.md"), "utf8")).toMatch(
      /exit code 255[^]*```diff\nwhat pulumi says/,
    );
    expect(await space.calls()).toMatch(comment);
    expect(await space.job(file, "up")).toMatchObject({ code: 0 });
    expect(await space.calls()).toContain("pulumi <up> <--stack> <prod> <--yes> <--non-interactive>");
    expect(await space.job(file, "up", { PULUMI_CODE: "1" })).toMatchObject({ code: 1 });
    expect(await space.job(file, "drift")).toMatchObject({ code: 0 });
    expect(await space.calls()).toContain("<preview> <--stack> <prod> <--refresh> <--expect-no-changes>");
    expect(await space.job(file, "drift", { PULUMI_CODE: "7" })).toMatchObject({
      code: 7,
      output: expect.stringContaining("changed outside") as string,
    });
    expect(await space.job(file, "drift", { PULUMI_CODE: "3" })).toMatchObject({
      code: 3,
      output: expect.stringContaining("exit code 3") as string,
    });
  });
});
