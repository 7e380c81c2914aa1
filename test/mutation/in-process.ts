/**
 * Runs the tests of a part for Stryker. It switches a mutant on and runs the tests that reach it, in modules that are already
 * loaded. Stryker's own runner for vitest loads all modules again for each mutant, which takes most of its time.
 *
 * Premise: the tests open no sockets and do not change shared state. A mutant may change shared state, and a later mutant
 * would then seem to be detected. A failed test therefore runs again without the mutant. If it fails then too, all modules
 * are loaded again and the mutant is repeated.
 */
import { readdirSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";
import { INSTRUMENTER_CONSTANTS, type InstrumenterContext } from "@stryker-mutator/api/core";
import {
  determineHitLimitReached,
  DryRunStatus,
  TestStatus,
  toMutantRunResult,
  type CompleteDryRunResult,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
} from "@stryker-mutator/api/test-runner";
import { startTests } from "vitest/internal/browser";
import { createViteServer } from "vitest/node";
import { isPartName, PARTS } from "./parts.ts";
import { createSnapshotHooks, WORKER } from "./snapshots.ts";

type Runner = Parameters<typeof startTests>[1];
type Task = Awaited<ReturnType<typeof startTests>>[number]["tasks"][number];
type Test = Extract<Task, { type: "test" }>;

/** The global state that instrumented code reads and writes. */
type Context = { -readonly [Key in keyof InstrumenterContext]: InstrumenterContext[Key] | undefined };
const context = ((globalThis as Record<string, unknown>)[INSTRUMENTER_CONSTANTS.NAMESPACE] ??= {}) as Context;
// There is no worker outside vitest, so its state is set here.
(globalThis as Record<string, unknown>)["__vitest_worker__"] ??= WORKER;
const snapshots = createSnapshotHooks();

class InProcessRunner implements TestRunner {
  #server: Awaited<ReturnType<typeof createViteServer>> | undefined;
  /** How many mutants each test file detected. */
  readonly #detected = new Map<string, number>();

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    this.#server = await createViteServer({
      configFile: false,
      root: process.cwd(),
      logLevel: "error",
      appType: "custom",
      server: { middlewareMode: true, watch: null, ws: false },
      optimizeDeps: { noDiscovery: true },
    });
    await this.#load("test/mutation/setup.ts");
  }

  async dispose(): Promise<void> {
    await this.#server?.close();
  }

  async dryRun(): Promise<CompleteDryRunResult> {
    context.activeMutant = undefined;
    const mutantCoverage = { static: {}, perTest: {} };
    context.mutantCoverage = mutantCoverage;
    const tests = await this.#run(undefined, false);
    return { status: DryRunStatus.Complete, tests, mutantCoverage };
  }

  async mutantRun(options: MutantRunOptions): Promise<MutantRunResult> {
    const { activeMutant, testFilter, hitLimit, mutantActivation, disableBail } = options;
    const isStatic = mutantActivation === "static";
    if (isStatic) this.#forget();
    context.hitCount = 0;
    context.hitLimit = hitLimit;
    context.activeMutant = activeMutant.id;
    const tests = await this.#run(testFilter, !disableBail);
    context.activeMutant = undefined;
    context.hitLimit = undefined;
    const result = toMutantRunResult(
      determineHitLimitReached(context.hitCount, hitLimit) ?? { status: DryRunStatus.Complete, tests },
    );
    if (isStatic) this.#forget();
    else if (await this.#isSpoilt(tests)) {
      this.#forget();
      return this.mutantRun({ ...options, mutantActivation: "static" });
    }
    return result;
  }

  /** Reports whether a failed test also fails without a mutant. */
  async #isSpoilt(tests: readonly TestResult[]): Promise<boolean> {
    const failed = tests.filter(({ status }) => status === TestStatus.Failed).map(({ id }) => id);
    if (failed.length === 0) return false;
    return (await this.#run(failed, true)).some(({ status }) => status === TestStatus.Failed);
  }

  async #run(ids: readonly string[] | undefined, bails: boolean): Promise<TestResult[]> {
    const wanted = ids === undefined ? undefined : new Set(ids);
    const files = wanted === undefined ? testFiles() : [...new Set([...wanted].map((id) => id.split("#")[0] ?? ""))];
    const tests: Test[] = [];
    let failed = false;
    const runner: Runner = {
      config: CONFIG,
      importFile: (path) => this.#load(relative(process.cwd(), path)),
      onCollected: (suites) => {
        for (const test of suites.flatMap(testsIn))
          if (wanted === undefined || wanted.has(idOf(test))) tests.push(test);
          else test.mode = "skip";
      },
      onBeforeRunSuite: (suite) => snapshots.onBeforeRunSuite(suite),
      onBeforeTryTask: (test) => snapshots.onBeforeTryTask(test),
      onAfterRunFiles: () => snapshots.onAfterRunFiles(),
      onBeforeRunTask: (test) => {
        if (bails && failed) test.mode = "skip";
        context.currentTestId = idOf(test);
      },
      onAfterRunTask: (test) => {
        failed ||= test.result?.state === "fail";
        context.currentTestId = undefined;
      },
    };
    const suites: Awaited<ReturnType<typeof startTests>> = [];
    // The file that detected most mutants so far comes first, and the next one is only loaded if it detects none.
    for (const file of bails ? files.toSorted((a, b) => this.#detectedBy(b) - this.#detectedBy(a)) : files) {
      if (bails && failed) break;
      suites.push(...(await startTests([resolve(file)], runner)));
      if (failed) this.#detected.set(file, this.#detectedBy(file) + 1);
    }
    const broken = suites.flatMap(({ filepath, result }) => (result?.state === "fail" ? [{ filepath, result }] : []));
    if (tests.length === 0 && broken.length > 0) return broken.map(brokenFile);
    return tests.flatMap((test) => (test.mode === "skip" ? [] : [resultOf(test)]));
  }

  #detectedBy(file: string): number {
    return this.#detected.get(file) ?? 0;
  }

  /** Evaluates a test file again, because evaluation collects its tests. Its imports are not evaluated again. */
  async #load(file: string): Promise<void> {
    const runner = this.#modules();
    const path = resolve(file);
    for (const module of runner.evaluatedModules.getModulesByFile(path) ?? [])
      runner.evaluatedModules.invalidateModule(module);
    await runner.import(path);
  }

  #forget(): void {
    this.#modules().clearCache();
  }

  #modules() {
    const environment = this.#server?.environments["ssr"];
    if (environment === undefined || !("runner" in environment)) throw new Error("the server was not started");
    return environment.runner as ModuleRunner;
  }
}

interface ModuleRunner {
  readonly import: (path: string) => Promise<unknown>;
  readonly clearCache: () => void;
  readonly evaluatedModules: {
    readonly getModulesByFile: (path: string) => Iterable<object> | undefined;
    readonly invalidateModule: (module: object) => void;
  };
}

const CONFIG: Runner["config"] = {
  root: process.cwd(),
  setupFiles: [],
  name: undefined,
  passWithNoTests: false,
  testNamePattern: undefined,
  allowOnly: false,
  sequence: { seed: 1, hooks: "stack", setupFiles: "list" },
  chaiConfig: undefined,
  maxConcurrency: 1,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  retry: 0,
  includeTaskLocation: false,
  tags: [],
  tagsFilter: undefined,
  strictTags: false,
};

function testFiles(): readonly string[] {
  const part = process.env["DRIFTLINE_MUTATION_PART"];
  if (!isPartName(part)) throw new Error(`no part ${String(part)}`);
  return PARTS[part].tests.flatMap((tests) => {
    if (!tests.endsWith("/*")) return [`test/unit/${tests}.test.ts`];
    const folder = join("test/unit", dirname(tests));
    return readdirSync(folder).flatMap((name) => (/(?<!\.deep)\.test\.ts$/.test(name) ? [join(folder, name)] : []));
  });
}

function testsIn({ tasks }: { readonly tasks: readonly Task[] }): readonly Test[] {
  return tasks.flatMap((task) => (task.type === "suite" ? testsIn(task) : [task]));
}

function idOf(test: Test): string {
  const names: string[] = [];
  for (let task: Task | undefined = test; task !== undefined; task = task.suite) names.unshift(task.name);
  return `${fileOf(test)}#${names.join(" ")}`;
}

function fileOf({ file }: Test): string {
  return relative(process.cwd(), file.filepath);
}

function resultOf(test: Test): TestResult {
  const common = {
    id: idOf(test),
    name: idOf(test).slice(fileOf(test).length + 1),
    fileName: resolve(fileOf(test)),
    timeSpentMs: test.result?.duration ?? 0,
  };
  return test.result?.state === "pass"
    ? { ...common, status: TestStatus.Success }
    : { ...common, status: TestStatus.Failed, failureMessage: test.result?.errors?.[0]?.message ?? "" };
}

/** The result of a file whose tests could not be collected, because a static mutant was detected. */
function brokenFile({ filepath, result }: { readonly filepath: string; readonly result: Test["result"] }): TestResult {
  const file = relative(process.cwd(), filepath);
  const failureMessage = result?.errors?.[0]?.message ?? "";
  return { id: file, name: file, timeSpentMs: 0, status: TestStatus.Failed, failureMessage };
}

export const strykerPlugins = [declareClassPlugin(PluginKind.TestRunner, "in-process", InProcessRunner)];
