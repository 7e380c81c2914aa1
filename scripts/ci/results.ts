/**
 * What the reports of the test runs say. A test file that failed is run once more: a test that then passes depends on something
 * other than the code. It is listed as unstable, and has to be mended before anything else.
 */

/** More unstable files than these are no accident. */
const MOST_UNSTABLE = 3;

/** How much of the messages of a failed test is printed. Characters. */
const MOST_SAID = 2000;

/** What these find is there, even if the next run does not meet it: faults, kills, interleavings, locks, Pulumi's engine. */
const NEVER_TWICE =
  /[/]test[/](?:fault|model|soak|pulumi|scenario[/]properties)[/]|(?:kill|lock|interleav|race|propert)[^/]*$/;

/** The result of a test file, as vitest reports it. */
export interface TestFile {
  readonly name: string;
  readonly status: string;
  readonly assertionResults: readonly TestResult[];
}

interface TestResult {
  readonly status: string;
  readonly fullName?: string;
  readonly failureMessages?: readonly string[];
}

export interface Results {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The test files that passed only the second time, each with what failed the first time. */
  readonly unstable: readonly string[];
}

const isFailed = ({ status }: { readonly status: string }): boolean => status === "failed";

/** The names of the failed files that may be run once more. Properties may not: their next values can be kinder. */
export function filesToRepeat(files: readonly TestFile[], read: (name: string) => string): readonly string[] {
  return files.flatMap((file) =>
    isFailed(file) && !NEVER_TWICE.test(file.name) && !read(file.name).includes('"fast-check"') ? [file.name] : [],
  );
}

/** The counts of a run, where a repeated file counts as in its second run. */
export function results(files: readonly TestFile[], repeated: readonly TestFile[]): Results {
  const again = new Map(repeated.map((file) => [file.name, file]));
  const final = files.map((file) => again.get(file.name) ?? file);
  const statuses = final.flatMap((file) => file.assertionResults.map(({ status }) => status));
  // A file that could not be loaded has no tests to count as failed.
  const broken = final.filter((file) => isFailed(file) && !file.assertionResults.some(isFailed));
  const passed = statuses.filter((status) => status === "passed").length;
  const failed = statuses.filter((status) => status === "failed").length;
  return {
    passed,
    failed: failed + broken.length,
    skipped: statuses.length - passed - failed,
    unstable: files.filter((file) => isFailed(file) && !isFailed(again.get(file.name) ?? file)).map(withFailures),
  };
}

/** A file with its failed tests: what they said is the only trace of what is mended first. */
function withFailures({ name, assertionResults }: TestFile): string {
  const failed = assertionResults.filter(isFailed);
  return [
    name,
    ...failed.map(
      ({ fullName = "", failureMessages = [] }) => `  ${fullName}: ${failureMessages.join("\n").slice(0, MOST_SAID)}`,
    ),
  ].join("\n");
}

/** The last lines of a run, with the counts at the end, and whether it passed. A long list of unstable files fails it. */
export function closing(all: readonly Results[]): { readonly lines: readonly string[]; readonly isPassed: boolean } {
  const unstable = all.flatMap((one) => one.unstable);
  const isShaky = unstable.length > MOST_UNSTABLE;
  const sum = (key: "passed" | "failed" | "skipped"): number => all.reduce((total, one) => total + one[key], 0);
  const [failed, skipped] = [sum("failed") + (isShaky ? 1 : 0), sum("skipped")];
  return {
    lines: [
      ...unstable.map((name) => `unstable, passed only the second time: ${name}`),
      ...(isShaky ? [`more than ${String(MOST_UNSTABLE)} unstable test files count as a failure`] : []),
      `${String(sum("passed"))} passed, ${String(failed)} failed${skipped > 0 ? `, ${String(skipped)} skipped` : ""}`,
    ],
    isPassed: failed === 0,
  };
}
