/**
 * The recipes of examples/pipelines: their form, and what their scripts do. The recipe for GitHub has no scripts of its own:
 * action.deep.test.ts runs those of the action.
 *
 * Terms: a script is what one step or job runs, with its environment. It is started with bash as the CI starts it. `npx`
 * stands for this package, and `npm`, `pulumi` and `gh` for programs that write down how they were called.
 */
import { readFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { ACTION, PINNED } from "../support/action.ts";
import {
  bash,
  commitAll,
  machine,
  missingPrograms,
  NOTE,
  ROOT,
  type Machine,
  type Ran,
  type Step,
} from "../support/ci.ts";
import { codeHost, HOST_TOKEN, type CodeHost } from "../support/code-host.ts";
import { workspace } from "../support/workspace.ts";

const FOLDER = join(ROOT, "examples/pipelines");
const GITHUB = ["github/driftline.yml", "github/pulumi.yml", "github/npm.yml"] as const;
const GITLAB = ["gitlab/driftline.gitlab-ci.yml", "gitlab/pulumi.gitlab-ci.yml"] as const;

interface Job {
  readonly "runs-on": string;
  readonly needs?: string;
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
  readonly needs?: readonly (string | { readonly job: string; readonly optional: boolean })[];
  readonly rules: readonly { readonly if: string; readonly when?: string }[];
  readonly script: readonly string[];
  readonly before_script?: readonly string[];
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
  return Object.entries(jobs).map(
    ([name, { script, before_script: own }]) => [name, [...(own ?? before), ...script].join("\n")] as const,
  );
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
    expect(Object.keys(workflow.on)).toEqual(expect.arrayContaining(["pull_request", "push", "schedule"]));
    for (const job of Object.values(workflow.jobs)) {
      expect(only(job, ["if", "runs-on", "permissions", "environment", "concurrency", "needs", "steps"])).toEqual([]);
      expect(job["runs-on"]).toBe("ubuntu-latest");
      if (job.needs !== undefined) expect(workflow.jobs).toHaveProperty(job.needs);
      expect(
        Object.values(job.permissions ?? {}).filter((level) => !["read", "write", "none"].includes(level)),
      ).toEqual([]);
      for (const step of job.steps) {
        expect(only(step, ["name", "if", "uses", "with", "env", "run"])).toEqual([]);
        expect([step.uses, step.run].filter((value) => value !== undefined)).toHaveLength(1);
        if (step.uses === undefined) continue;
        expect(step.uses).toMatch(
          /^[\w-]+\/[\w-]+@[\da-f]{40}$|^OWNER\/driftline@v\d+\.\d+\.\d+$|^\.\/node_modules\/driftline$/,
        );
        if (/^OWNER\/|^\.\//.test(step.uses)) expect(only(step.with ?? {}, Object.keys(ACTION.inputs))).toEqual([]);
      }
    }
  });

  it("with nothing but the npm package is the other one, with the action of the package", () => {
    const [file, , npm] = GITHUB;
    const withoutHead = (text: string): string => text.replace(/^(?:#.*\n)+/u, "");
    const fromPackage = textOf(file)
      .replaceAll(/OWNER\/driftline@v[\d.]+/gu, "./node_modules/driftline")
      .replaceAll(
        /^( *- )uses: actions\/checkout@.*\n {8}with:\n(?: {10}.*\n)+/gmu,
        "$&$1run: npm ci --ignore-scripts\n",
      )
      .replaceAll(/^ *mode: (?!comment).*$/gmu, "$&\n          use-checkout: true");
    expect(withoutHead(textOf(npm))).toBe(withoutHead(fromPackage));
    const { files } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as { readonly files: string[] };
    expect(files).toContain("action.yml");
  });

  it.each(GITHUB)("%s takes values only from existing contexts, and puts none into a script", (file) => {
    const found = [...textOf(file).matchAll(/\$\{\{ *([^}]*?) *\}\}/g)].map(([, expression = ""]) => expression);
    expect(found.length).toBeGreaterThan(3);
    const known =
      /^(vars|secrets|env)\.[A-Z_]+$|^inputs\.approve$|^!cancelled\(\)$|^github\.(token|repository|event\.pull_request\.(head\.sha|base\.sha|number( \|\| github\.run_id)?))$/;
    expect(found.filter((text) => !known.test(text) && !text.includes("github.event_name =="))).toEqual([]);
    expect(scriptsOf(file).filter(([, script]) => script.includes("${{"))).toEqual([]);
  });

  it.each(GITHUB)("%s gives the writing key to the job on the main branch, and no key to a fork", (file) => {
    const { jobs } = workflowOf(file);
    const withKey = (pattern: RegExp): readonly string[] =>
      Object.entries(jobs).flatMap(([name, job]) => (pattern.test(JSON.stringify(job)) ? [name] : []));
    const writing = withKey(/DRIFTLINE_WRITE_KEY/).map((name) => jobs[name]);
    expect(writing.map((job) => job?.environment)).toEqual(["analytics"]);
    // The workflow's pushes are those to the main branch. By hand it can be run on every branch.
    const applies = writing[0]?.if ?? "";
    expect(applies).toContain("github.event_name == 'push'");
    expect(applies).not.toContain("pull_request");
    if (applies.includes("workflow_dispatch")) expect(applies).toContain("github.ref == 'refs/heads/main'");
    for (const job of Object.values(jobs).filter(({ if: condition = "" }) => condition.includes("pull_request"))) {
      const guarded = [
        job.if,
        ...job.steps.flatMap((step) => (JSON.stringify(step).includes("secrets.") ? [step.if] : [])),
      ];
      expect(guarded.some((condition) => condition?.includes("head.repo.full_name == github.repository"))).toBe(true);
    }
  });
});

it.each(GITHUB)("%s: only jobs that run nothing of a pull request may write", (file) => {
  const { jobs } = workflowOf(file);
  const writing = Object.entries(jobs).filter(([, { permissions = {} }]) =>
    Object.values(permissions).includes("write"),
  );
  const onPulls = writing.filter(([, { permissions = {} }]) => permissions["pull-requests"] === "write");
  expect(onPulls.map(([name]) => name)).toEqual(file.includes("pulumi") ? ["comment"] : ["comment", "accept"]);
  expect(JSON.stringify(jobs["comment"])).not.toContain("secrets.");
  for (const { uses = "", with: settings } of jobs["comment"]?.steps ?? [])
    if (uses.includes("checkout")) expect(settings?.["ref"]).toBe("${{ github.event.pull_request.base.sha }}");
});

it.each([...GITHUB, ...GITLAB])("%s keeps no token in a checkout, and runs no script of a dependency", (file) => {
  const text = textOf(file);
  const checkouts = [...text.matchAll(/actions\/checkout@.*\n((?: {8,}.*\n)*)/gu)].map(([, settings]) => settings);
  for (const settings of checkouts) expect(settings).toContain("persist-credentials: false");
  for (const [install] of text.matchAll(/npm (?:ci|install).*/gu)) expect(install).toMatch(/^npm ci --ignore-scripts/u);
});

describe("a pipeline for GitLab", () => {
  it.each(GITLAB)("%s has the form of one", (file) => {
    const { stages, jobs } = gitlabOf(file);
    const known = [
      "stage",
      "needs",
      "rules",
      "variables",
      "before_script",
      "script",
      "artifacts",
      "environment",
      "resource_group",
      "interruptible",
    ];
    expect(new Set(Object.values(jobs).map(({ stage }) => stage))).toEqual(new Set(stages));
    for (const [name, job] of Object.entries(jobs)) {
      expect(only(job, known), name).toEqual([]);
      const needed = (job.needs ?? []).map((one) => (typeof one === "string" ? one : one.job));
      expect(needed.filter((other) => !(other in jobs))).toEqual([]);
      expect(job.script.every((line) => typeof line === "string" && line !== "")).toBe(true);
      for (const rule of job.rules)
        expect(rule.if).toMatch(
          /^\$CI_\w+ == ("\w+"|\$CI_\w+)( && \$CI_\w+ == ("\w+"|\$CI_\w+)| && \$PUSH_TOKEN [!=]= null)*$/,
        );
    }
  });

  it.each(GITLAB)("%s gives the writing key to the job on the main branch, and no key to a fork", (file) => {
    const { jobs } = gitlabOf(file);
    const withKey = (key: string): readonly GitlabJob[] =>
      Object.values(jobs).filter((job) => job.script.some((line) => line.includes(key)));
    const [writing, ...others] = withKey("WRITE_KEY").map(({ rules }) => rules);
    expect(others).toEqual([]);
    expect(writing?.[0]).toEqual({ if: '$CI_PIPELINE_SOURCE == "push" && $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH' });
    for (const rule of writing ?? []) expect(rule.if).toContain("$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH");
    const onRequest = withKey("READ_KEY").flatMap(({ rules }) =>
      rules.filter((rule) => rule.if.includes("merge_request_event")),
    );
    expect(onRequest).toHaveLength(1);
    expect(onRequest[0]?.if).toContain("$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_PROJECT_ID");
  });
});

it("the plan job for the command line publishes the HTML report", () => {
  expect(gitlabOf(GITLAB[0]).jobs["plan"]?.artifacts?.paths).toContain("plan.html");
});

describe("the scripts", () => {
  it.each(all)("%s, %s: bash can read them", async (_file, _job, script) => {
    const { code, output } = await bash(script, ROOT, { PATH: process.env["PATH"] ?? "" }, ["-n"]);
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

  it("call the command line, or the action does", () => {
    expect(new Set(commands.map(([file]) => file))).toEqual(new Set([GITLAB[0]]));
    const modes = Object.values(workflowOf(GITHUB[0]).jobs).flatMap(({ steps }) =>
      steps.flatMap((step) => step.with?.["mode"] ?? []),
    );
    expect(modes).toEqual(["validate", "plan", "comment", "apply", "drift", "accept"]);
  });
});

it("a night that accepts runs the same command on GitHub and on GitLab", () => {
  const scripts = [
    ACTION.runs.steps.find(({ id }) => id === "run")?.run ?? "",
    gitlabOf(GITLAB[0]).jobs["accept"]?.script.join("\n") ?? "",
  ];
  const commands = scripts.map((script) => {
    const words = /driftline (drift .*--accept.*?)(?= *(?:;;|\|\||$))/mu.exec(script)?.[1]?.split(" ") ?? [];
    const own = words.map((word) => (word === '"$BRANCH"' ? ACTION.inputs["branch"]?.default : word));
    // Configuration and reports are those of the repository.
    return own.filter((word, index) => ![word, own[index - 1]].includes("--format") && !word?.includes("[@]"));
  });
  expect(commands).toEqual(scripts.map(() => ["drift", "--accept", "--branch", "driftline/drift"]));
});

const CONFIGURATION = {
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", enforce_2fa: true, domains: { corp: { domain: "acme.com" } } } },
};

interface Ci extends Machine {
  readonly host: CodeHost;
  /** Runs what a job does, as often as no step fails. */
  readonly job: (file: string, job: string, env?: Readonly<Record<string, string>>) => Promise<Ran>;
}

/** A machine of the CI with a repository, against a service. */
async function ci(programs: Readonly<Record<string, string>> = {}): Promise<Ci> {
  const own = await machine(CONFIGURATION, { npm: NOTE, ...programs }, { dialect: "deployed" });
  const host = await codeHost();
  const base = {
    ...own.base,
    DRIFTLINE_READ_KEY: own.emulator.key,
    DRIFTLINE_WRITE_KEY: own.emulator.key,
    NOTE_TOKEN: HOST_TOKEN,
    CI_API_V4_URL: host.url,
    CI_PROJECT_ID: "42",
    PULUMI_STACK: "prod",
    NUMBER: "17",
  };
  return {
    ...own,
    host,
    job: async (file, job, env = {}) => {
      let last: Ran = { code: 0, output: "" };
      for (const [name, script] of scriptsOf(file)) {
        if (name !== job || last.code !== 0) continue;
        last = await bash(script, own.folder, { ...base, ...env });
      }
      return last;
    },
  };
}

const missing = missingPrograms("curl");
const REQUEST = { CI_MERGE_REQUEST_IID: "17", CI_COMMIT_SHA: "0123456789" };
const MAIN = { CI_COMMIT_SHA: "main2" };

describe.skipIf(missing !== undefined)(`the recipe for the command line on GitLab (${missing ?? "a stub"})`, () => {
  const [file] = GITLAB;

  it("comments on the plan once, applies exactly that plan after the merge, and reports drift", async () => {
    const { job, host, folder, emulator, writes } = await ci();
    host.comments.push({ id: 1, body: "Looks good.", user: { type: "User" } });
    host.pushed.add("older").add(REQUEST.CI_COMMIT_SHA);
    const plan = async (env: Readonly<Record<string, string>>): Promise<void> => {
      expect(await job(file, "plan", env)).toMatchObject({ code: 0 });
      expect(await job(file, "comment", env)).toMatchObject({ code: 0 });
    };
    await plan(REQUEST);
    await plan(REQUEST);
    expect(host.comments).toHaveLength(2);
    const note = host.comments[1]?.body;
    expect(note).toMatch(/acme\/domains\/corp[^]*plan of 01234567\.\n$/);
    // A slow job of an older commit, and a pipeline for merged results.
    await plan({ ...REQUEST, CI_COMMIT_SHA: "older" });
    expect(host.comments[1]?.body).toBe(note);
    const merged = { CI_COMMIT_SHA: "merged", CI_MERGE_REQUEST_SOURCE_BRANCH_SHA: REQUEST.CI_COMMIT_SHA };
    await plan({ ...REQUEST, ...merged });
    expect(host.comments.map(({ body }) => body)).toEqual(["Looks good.", note]);
    expect(await readFile(join(folder, "plan.html"), "utf8")).toMatch(/<\/html>\n$/);
    await merge({ host, folder });
    expect(writes()).toEqual([]);
    expect(await job(file, "drift")).toMatchObject({
      code: 2,
      output: expect.stringContaining("changed outside") as string,
    });
    expect(await job(file, "apply", MAIN)).toMatchObject({ code: 0 });
    expect(emulator.find("domain", () => true)).toHaveLength(1);
    expect(await job(file, "drift")).toMatchObject({ code: 0 });
    const blind = await job(file, "drift", { DRIFTLINE_READ_KEY: "wrong" });
    expect(blind).toMatchObject({ code: 11, output: expect.stringContaining("exit code 11") as string });
  });

  it("makes a merge request of the drift of a night", async () => {
    const { job, emulator, folder, base } = await ci();
    await job(file, "plan");
    expect(await job(file, "apply", MAIN)).toMatchObject({ code: 0 });
    await commitAll(folder, base);
    const remote = `git init --quiet --bare --initial-branch=main remote.git && git remote add origin remote.git &&
      git -C remote.git config receive.advertisePushOptions true && git push --quiet origin HEAD:main &&
      printf '#!/bin/sh\\nprintenv | grep ^GIT_PUSH_OPTION_ | sort > options\\n' > remote.git/hooks/pre-receive &&
      chmod +x remote.git/hooks/pre-receive &&
      git config url.remote.git.insteadOf https://drift:push-4711@gitlab.example/sub/acme/analytics.git`;
    expect(await bash(remote, folder, base)).toEqual({ code: 0, output: "" });
    emulator.edit("organization", String(emulator.find("organization")[0]?.id), { enforce_2fa: false });
    const night = await job(file, "accept", {
      PUSH_TOKEN: "push-4711",
      CI_SERVER_URL: "https://gitlab.example/sub",
      CI_PROJECT_PATH: "acme/analytics",
      GITLAB_CI: "true",
    });
    expect(night).toMatchObject({ code: 0 });
    expect(night.output).not.toContain("push-4711");
    const shown = await bash("git -C remote.git show driftline/drift:driftline.yaml", folder, base);
    expect(shown.output).toContain("enforce_2fa: false");
    const options = await readFile(join(folder, "remote.git", "options"), "utf8");
    expect(options).toContain("merge_request.create");
    expect(options).toContain("merge_request.target=main");
    expect(await readFile(join(folder, "drift.md"), "utf8")).toContain("enforce_2fa");
  });

  it("writes nothing for a stale plan or without one, and applies the plan of a pipeline that is started by hand", async () => {
    const { job, host, folder, emulator, writes } = await ci();
    await job(file, "plan", REQUEST);
    await merge({ host, folder });
    emulator.edit("organization", String(emulator.find("organization")[0]?.id), { enforce_2fa: true });
    expect(await job(file, "apply", MAIN)).toMatchObject({
      code: 12,
      output: expect.stringContaining("by hand") as string,
    });
    await rm(join(folder, "plan.json"));
    expect(await job(file, "apply", { CI_COMMIT_SHA: "direct4" })).toMatchObject({ code: 2 });
    host.plans.clear();
    expect(await job(file, "apply", MAIN)).toMatchObject({
      code: 2,
      output: expect.stringContaining("17 has no plan") as string,
    });
    expect(writes()).toEqual([]);
    expect(await job(file, "plan")).toMatchObject({ code: 0 });
    expect(await job(file, "apply", MAIN)).toMatchObject({ code: 0 });
    expect(writes()).toEqual(["POST"]);
  });

  it("shows the new id that an apply writes", async () => {
    const { job, configure, folder, base } = await ci();
    await configure(PINNED);
    await commitAll(folder, base);
    const text = await readFile(join(folder, "driftline.yaml"), "utf8");
    expect(await bash("npx driftline plan . --recreate acme/domains/corp --out plan.json", folder, base)).toMatchObject(
      { code: 0 },
    );
    const { code, output } = await job(file, "apply", MAIN);
    expect(code).toBe(0);
    expect(output).toMatch(/^Objects have new ids\. Commit this:$[^]*^\+ +id: [\w-]+$/m);
    expect(await readFile(join(folder, "driftline.yaml"), "utf8")).not.toBe(text);
  });

  /** After the merge another machine applies, and the plan is an artifact. */
  async function merge({ host, folder }: Pick<Ci, "host" | "folder">): Promise<void> {
    host.merged.set("main2", "head1");
    host.plans.set("refs/merge-requests/17/head", await readFile(join(folder, "plan.json"), "utf8"));
    await rm(join(folder, "plan.json"));
  }
});

describe("a recipe for Pulumi", () => {
  it("for GitHub does not put the preview of an old commit in the place of a newer one", async () => {
    const gh = `${NOTE}[ "$2" != view ] || echo head2\n`;
    const space = await ci({ pulumi: "exit 0\n", gh });
    expect(await space.job(GITHUB[1], "comment", { HEAD: "head1" })).toMatchObject({ code: 0 });
    expect(await space.calls()).not.toContain("<comment>");
    expect(await space.job(GITHUB[1], "comment", { HEAD: "head2" })).toMatchObject({ code: 0 });
    expect(await space.calls()).toContain("gh <pr> <comment>");
  });

  const pulumi = `${NOTE}echo "what pulumi says"\nexit "\${PULUMI_CODE:-0}"\n`;

  it.each([
    [GITHUB[1], /^gh <pr> <comment> <17> <--body-file> <preview.md>/m],
    [GITLAB[1], /^curl .*<body@preview.md>/m],
  ])("%s comments the preview, runs up, and reports drift", async (file, comment) => {
    const gh = `${NOTE}[ "$2" != view ] || echo head1\n`;
    const space = await ci({ pulumi, gh, curl: NOTE, sh: NOTE });
    expect(await space.job(file, "preview", { HEAD: "head1" })).toMatchObject({ code: 0 });
    expect(await space.job(file, "preview", { PULUMI_CODE: "255", HEAD: "head1" })).toMatchObject({ code: 255 });
    expect(await readFile(join(space.folder, "preview.md"), "utf8")).toMatch(
      /exit code 255[^]*```diff\nwhat pulumi says/,
    );
    expect(await space.job(file, "comment", { HEAD: "head1" })).toMatchObject({ code: 0 });
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
