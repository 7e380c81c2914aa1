/**
 * Runs action.yml as GitHub does, as far as it uses GitHub.
 *
 * Terms: an expression stands in `${{ }}` or in an `if`. A context is what an expression can read, such as `inputs`.
 * Algorithm: go through the steps. Start what they run with bash, in the environment that their expressions give, and do
 * what the two other actions do that it uses: keep and fetch an artifact.
 */
import { readFileSync } from "node:fs";
import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { bash, machine, NOTE, ROOT, type Machine, type Step } from "./ci.ts";
import { codeHost, HOST_TOKEN, type CodeHost } from "./code-host.ts";

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string; readonly description: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: { readonly using: string; readonly steps: readonly Step[] };
}

export const ACTION = parse(readFileSync(join(ROOT, "action.yml"), "utf8")) as Action;

/** What a workflow is run for. */
export interface Event {
  /** The commit that is checked out. */
  readonly sha: string;
  /** The pull request 17, with its last commit. */
  readonly head?: string;
  /** Whether the pull request is from a fork. */
  readonly isFork?: boolean;
  /** Number of the run. */
  readonly run?: number;
}

export interface ActionRun {
  readonly code: number;
  readonly log: string;
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
}

/** Runs the action in the folder of a machine. `env` is the environment of the workflow's step. */
export async function runAction(
  { folder, base }: Machine,
  host: CodeHost,
  { sha, head, isFork, run = 1 }: Event,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<ActionRun> {
  if (head !== undefined) host.pushed.add(head);
  const temp = join(folder, `runner-${String(run)}`);
  await mkdir(temp, { recursive: true });
  const summary = join(temp, "summary.md");
  const outputs = new Map<string, Readonly<Record<string, string>>>();
  const home = "acme/analytics";
  const repo = { full_name: isFork === true ? "eve/analytics" : home };
  const github = {
    token: HOST_TOKEN,
    sha,
    repository: home,
    event: { pull_request: { number: 17, head: { sha: head, repo } } },
  };
  let code = 0;
  let log = "";
  const evaluate = (expression: string): unknown =>
    evaluateExpression(expression, {
      inputs: withDefaults(inputs),
      steps: Object.fromEntries([...outputs].map(([id, own]) => [id, { outputs: own }])),
      github: head === undefined ? { ...github, event: {} } : github,
      runner: { temp },
    });
  const expand = (text: unknown): string =>
    String(text).replaceAll(/\$\{\{(.*?)\}\}/g, (_all, expression: string) => String(evaluate(expression)));
  const expandAll = (values: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, expand(value)]));

  for (const step of ACTION.runs.steps) {
    const condition = (step.if ?? "true").replace(/^\$\{\{(.*)\}\}$/, "$1");
    if (code !== 0 && !condition.includes("cancelled()")) continue;
    if (evaluate(condition) === "" || evaluate(condition) === false) continue;
    if (step.uses !== undefined) {
      await useArtifact(step.uses, expandAll(step.with), host, { sha: head ?? sha, run });
      continue;
    }
    const output = join(temp, `output-${String(outputs.size)}`);
    await writeFile(output, "");
    const variables = {
      GITHUB_OUTPUT: output,
      GITHUB_STEP_SUMMARY: summary,
      GITHUB_PATH: join(temp, "path"),
      GITHUB_ACTION_PATH: ROOT,
      GITHUB_API_URL: host.url,
      GITHUB_SERVER_URL: "https://github.example",
      GITHUB_REPOSITORY: home,
      GITHUB_RUN_ID: String(run),
      GITHUB_SHA: sha,
      RUNNER_TEMP: temp,
    };
    const ran = await bash(step.run ?? "", folder, { ...base, ...variables, ...env, ...expandAll(step.env) });
    log += ran.output;
    if (ran.code !== 0) code = ran.code;
    const lines = (await readFile(output, "utf8")).split("\n").filter((line) => line !== "");
    outputs.set(step.id ?? step.name ?? "", Object.fromEntries(lines.map((line) => line.split(/=(.*)/s).slice(0, 2))));
  }
  return {
    code,
    log,
    outputs: Object.fromEntries(Object.entries(ACTION.outputs).map(([name, { value }]) => [name, expand(value)])),
    summary: await readFile(summary, "utf8").catch(() => ""),
  };
}

function withDefaults(inputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const defaults = Object.entries(ACTION.inputs).map(([name, input]) => [name, input.default] as const);
  const unknown = Object.keys(inputs).filter((name) => !(name in ACTION.inputs));
  if (unknown.length > 0) throw new Error(`the action has no input ${unknown.join(", ")}`);
  return { ...Object.fromEntries(defaults), "github-token": HOST_TOKEN, ...inputs };
}

/** What the actions upload-artifact and download-artifact do. */
async function useArtifact(
  uses: string,
  { name = "", path = "", "run-id": from }: Readonly<Record<string, string>>,
  host: CodeHost,
  { sha, run }: { readonly sha: string; readonly run: number },
): Promise<void> {
  if (uses.startsWith("actions/upload-artifact@")) {
    host.artifacts.push({ name, folder: path, sha, run });
    return;
  }
  if (!uses.startsWith("actions/download-artifact@")) throw new Error(`no idea what ${uses} does`);
  const artifact = host.artifacts.findLast((one) => one.name === name && String(one.run) === (from ?? String(run)));
  if (artifact === undefined) throw new Error(`there is no artifact ${name} of run ${String(from)}`);
  await cp(artifact.folder, path, { recursive: true });
}

/** The value of an expression. What a context does not have is the empty text, as on GitHub. */
function evaluateExpression(expression: string, contexts: Readonly<Record<string, unknown>>): unknown {
  const read = (path: string): unknown =>
    path
      .split(".")
      .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], contexts) ?? "";
  const format = (text: string, ...values: readonly unknown[]): string =>
    text.replaceAll(/\{(\d)\}/g, (_all, index: string) => String(values[Number(index)]));
  const script = expression.replaceAll(/'[^']*'|[a-z_][\w.-]*\(?/gi, (token) => {
    if (token.startsWith("'")) return JSON.stringify(token.slice(1, -1));
    return token.endsWith("(") || token === "true" ? token : `read(${JSON.stringify(token)})`;
  });
  return runInNewContext(script, { read, format, cancelled: () => false });
}

/** A configuration with two changes to the organization of workspace.ts. */
export const CONFIGURATION = {
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", enforce_2fa: true, domains: { corp: { domain: "acme.com" } } } },
};
/** A configuration that the service agrees with. */
export const AS_IT_IS = { driftline: 1, organizations: { acme: { name: "Acme Inc", enforce_2fa: null } } };
/** A domain that was deleted outside, by the id that it had. */
export const PINNED = {
  driftline: 1,
  organizations: {
    acme: { name: "Acme Inc", domains: { corp: { id: "0190aa11-0000-4000-8000-0000000000dd", domain: "acme.com" } } },
  },
};
/** The pull request, with the merge of its branch checked out. */
export const REQUEST: Event = { sha: "merge0", head: "head1", run: 1 };
/** The main branch after the merge. */
export const MAIN: Event = { sha: "main2", run: 2 };

type Run = (event: Event, inputs: Readonly<Record<string, string>>, env?: Record<string, string>) => Promise<ActionRun>;

export interface Repository extends Machine {
  readonly host: CodeHost;
  readonly action: Run;
}

/** A repository with a pull request, which is merged as the commit of {@link MAIN}. */
export async function repository(configuration: unknown = CONFIGURATION): Promise<Repository> {
  const own = await machine(configuration, { npm: NOTE }, { dialect: "deployed" });
  const host = await codeHost();
  host.merged.set(MAIN.sha, "head1");
  return {
    ...own,
    host,
    // As in the recipes, what the plan of a pull request leaves is commented by a job of its own, without the key.
    action: async (event, inputs, env) => {
      const ran = await runAction(own, host, event, inputs, env);
      if ((inputs["mode"] ?? "plan") !== "plan" || event.head === undefined || ran.outputs["exit-code"] === "")
        return ran;
      const comment = { ...inputs, mode: "comment" };
      const { code, log } = await runAction(own, host, event, comment, { ...env, DRIFTLINE_API_KEY: "" });
      return { ...ran, code: ran.code === 0 ? code : ran.code, log: ran.log + log };
    },
  };
}
