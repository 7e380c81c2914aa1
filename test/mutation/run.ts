/**
 * Mutation testing by part. `npm run mutation` runs all parts, `npm run mutation -- plan apply` runs these parts, `--force`
 * ignores earlier results, and `--lines src/plan/guard/guard.ts:1-60` limits a part. Exits with 1 if a score is too low.
 */
import { Stryker } from "@stryker-mutator/core";
import { isPartName, PART_NAMES, PARTS, type PartName } from "./parts.ts";

const REQUIRED = 90;

type Results = Awaited<ReturnType<Stryker["runMutationTest"]>>;

interface Score {
  readonly name: string;
  readonly killed: number;
  readonly timedOut: number;
  readonly survived: number;
  readonly notCovered: number;
  readonly seconds: number;
}

const flags = process.argv.slice(2);
const lines = flags.flatMap((flag, index) => (flags[index - 1] === "--lines" ? [flag] : []));
const chosen = flags.filter(isPartName);
const scores: Score[] = [];
for (const name of chosen.length > 0 ? chosen : PART_NAMES) scores.push(await run(name));
report([...scores, total(scores)]);
if (scores.some((score) => percent(score) < REQUIRED)) process.exitCode = 1;

async function run(name: PartName): Promise<Score> {
  process.env["DRIFTLINE_MUTATION_PART"] = name;
  const started = performance.now();
  const results = await new Stryker({
    mutate: lines.length > 0 ? lines : [...PARTS[name].mutate],
    testRunner: "in-process",
    plugins: ["./test/mutation/plugin.js"],
    coverageAnalysis: "perTest",
    disableTypeChecks: false,
    concurrency: 2,
    timeoutMS: 60_000,
    timeoutFactor: 3,
    ignorePatterns: ["dist", "reports", "test/pulumi", "test/golden/config", "test/golden/report"],
    reporters: ["progress-append-only", "survivors", "html", "json"],
    htmlReporter: { fileName: `reports/mutation/${name}.html` },
    jsonReporter: { fileName: `reports/mutation/${name}.json` },
    incremental: true,
    incrementalFile: `reports/mutation/${name}.incremental.json`,
    force: flags.includes("--force"),
    allowConsoleColors: false,
  }).runMutationTest();
  const seconds = (performance.now() - started) / 1000;
  return { ...count(name, results), seconds };
}

function count(name: string, results: Results): Omit<Score, "seconds"> {
  const countOf = (status: Results[number]["status"]): number =>
    results.filter((result) => result.status === status).length;
  return {
    name,
    killed: countOf("Killed"),
    timedOut: countOf("Timeout"),
    survived: countOf("Survived"),
    notCovered: countOf("NoCoverage"),
  };
}

function total(all: readonly Score[]): Score {
  const sumOf = (countOf: (score: Score) => number): number => all.reduce((sum, score) => sum + countOf(score), 0);
  return {
    name: "all",
    killed: sumOf(({ killed }) => killed),
    timedOut: sumOf(({ timedOut }) => timedOut),
    survived: sumOf(({ survived }) => survived),
    notCovered: sumOf(({ notCovered }) => notCovered),
    seconds: sumOf(({ seconds }) => seconds),
  };
}

/** Returns the percentage of detected mutants. */
function percent({ killed, timedOut, survived, notCovered }: Score): number {
  return (100 * (killed + timedOut)) / (killed + timedOut + survived + notCovered);
}

function report(all: readonly Score[]): void {
  console.table(
    all.map((score) => ({
      part: score.name,
      mutants: score.killed + score.timedOut + score.survived + score.notCovered,
      killed: score.killed,
      "timed out": score.timedOut,
      survived: score.survived,
      "not covered": score.notCovered,
      "score %": percent(score).toFixed(1),
      seconds: Math.round(score.seconds),
    })),
  );
}
