/** For `.ci/run`: `repeat REPORT` prints the test files to run once more, `end STATUS REPORT...` the last lines and the exit code. */
import { existsSync, readFileSync } from "node:fs";
import { closing, filesToRepeat, results, type Results, type TestFile } from "./ci/results.ts";
import { sizes } from "./ci/sizes.ts";

const text = (file: string): string => readFileSync(file, "utf8");

/** The test files of a report; undefined if the run left none. */
function readReport(file: string): readonly TestFile[] | undefined {
  return existsSync(file) ? (JSON.parse(text(file)) as { testResults: TestFile[] }).testResults : undefined;
}

const one = (isPassed: boolean): Results => ({
  passed: isPassed ? 1 : 0,
  failed: isPassed ? 0 : 1,
  skipped: 0,
  unstable: [],
});

function resultsOf(report: string): Results {
  const files = readReport(report);
  if (files !== undefined) return results(files, readReport(`${report}.again`) ?? []);
  console.log(`the tests left no report: ${report}`);
  return one(false);
}

const [, , verb, first = "", ...reports] = process.argv;
if (verb === "repeat") {
  console.log(filesToRepeat(readReport(first) ?? [], text).join(" "));
} else {
  const { lines, isPassed } = closing([one(first === "0"), ...reports.map(resultsOf)]);
  console.log([...sizes(), ...lines].join("\n"));
  process.exitCode = isPassed ? 0 : 1;
}
