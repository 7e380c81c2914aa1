import { defineConfig } from "vitest/config";
import { isPartName, PART_NAMES, PARTS } from "./parts.ts";

const part = process.env["DRIFTLINE_MUTATION_PART"];
const parts = (isPartName(part) ? [part] : PART_NAMES).map((name) => PARTS[name]);
const patience = Math.max(...parts.map((one) => one.patience));

/** Only the quick tests in process of what is mutated: nothing is built for them, and no engine is looked for. */
export default defineConfig({
  test: {
    include: parts.flatMap(({ tests }) => tests.map((pattern) => `test/unit/${pattern}.test.ts`)),
    // What the files of a run import is the same for all; the next run, with the next mutant, starts anew.
    isolate: false,
    setupFiles: ["test/mutation/setup.ts"],
    testTimeout: patience,
    hookTimeout: patience,
  },
});
