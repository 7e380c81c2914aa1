import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { compileSchemas } from "./scripts/compile-schemas.ts";
import { size } from "./test/support/budget.ts";

const report = process.env["DRIFTLINE_TEST_REPORT"];

// What a run chooses at random is the same in all of its processes, and can be repeated.
if (size === "some" && process.env["DRIFTLINE_SEED"] === undefined) {
  const seed = (process.env["DRIFTLINE_SEED"] = String(Math.floor(Math.random() * 2 ** 31)));
  process.stderr.write(`To repeat the same rows: DRIFTLINE_SEED=${seed} npm test\n`);
}

// Almost every module imports what this makes.
await compileSchemas();

/*
 * The tier of a test is its path:
 * - `test/unit`, `test/golden` and the architecture are unit: they need no build;
 * - `test/fault`, `test/model`, `test/soak`, `test/pulumi` are deep, and so is `*.deep.test.ts` wherever it lies: the slow tests, and all
 *   that must be alone in their process while they run;
 * - what then remains is scenario.
 * test/setup/sample.ts says which command runs which of them.
 */
const DEEP = ["test/{fault,model,soak,pulumi}/**/*.test.ts", "test/**/*.deep.test.ts"];
const UNIT = ["test/{unit,golden}/**/*.test.ts", "test/architecture.test.ts"];
/** The tests of this folder that wait for Pulumi's engine, which is built first: they are a project of their own. */
const PULUMI = ["test/pulumi/**/*.deep.test.ts"];

type Settings = NonNullable<TestProjectInlineConfiguration["test"]>;

const project = (name: string, settings: Settings): TestProjectInlineConfiguration => ({
  extends: true,
  test: { name, ...settings },
});

const PACKAGE = "test/setup/package.ts";
/** Whether scenarios and the tests on Pulumi's engine run what is published. Else they run the build, which is there sooner. */
const isPacked = process.env["DRIFTLINE_PACKAGE"] !== undefined;
const COMMAND = isPacked ? PACKAGE : "test/setup/build.ts";

export default defineConfig({
  // Configurations and examples import the package by its own name, as users do.
  resolve: { alias: [{ find: /^driftline$/, replacement: new URL("src/index.ts", import.meta.url).pathname }] },
  test: {
    // No core is kept free for the runner. Deep tests wait for processes, so one worker more keeps all cores busy. Unit tests and scenarios
    // take as long with it: each worker loads all modules.
    maxWorkers: isPacked ? availableParallelism() + 1 : "100%",
    // For a test that hangs. A test with all repetitions may take minutes, and a busy machine makes all of them slower.
    testTimeout: 1_800_000,
    setupFiles: ["test/setup/seed.ts", "test/setup/sample.ts"],
    hookTimeout: 300_000,
    reporters: report === undefined ? ["default"] : ["default", ["json", { outputFile: report }]],
    resolveSnapshotPath: (test, extension) => test.replace("/test/", "/test/golden/snapshots/") + extension,
    projects: [
      // What these three load keeps no state that a test of another file meets, so that a worker need not load all of it anew for each file.
      project("unit", { include: UNIT, exclude: DEEP, isolate: false }),
      project("scenario", {
        include: ["test/**/*.test.ts"],
        exclude: [...UNIT, ...DEEP],
        isolate: false,
        globalSetup: COMMAND,
      }),
      project("deep", { include: DEEP, exclude: PULUMI, isolate: false, globalSetup: PACKAGE }),
      // src/pulumi/provider/session.ts keeps sessions, and Pulumi's SDK its settings: each file has its own.
      project("deep-pulumi", { include: PULUMI, globalSetup: [COMMAND, "test/setup/engine.ts"] }),
    ],
  },
});
