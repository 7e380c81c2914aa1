import { defineConfig } from "vitest/config";
import { isPartName, PART_NAMES, PARTS } from "./parts.ts";

const part = process.env["DRIFTLINE_MUTATION_PART"];
const patterns = (isPartName(part) ? [part] : PART_NAMES).flatMap((name) => PARTS[name].tests);

/** Only the quick tests in process of what is mutated: nothing is built for them, and no engine is looked for. */
export default defineConfig({
  test: {
    include: patterns.map((pattern) => `test/unit/${pattern}.test.ts`),
    // What the files of a run import is the same for all; the next run, with the next mutant, starts anew.
    isolate: false,
    setupFiles: ["test/mutation/setup.ts"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
