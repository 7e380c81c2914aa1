/**
 * Measures the cost of commands against an emulator in its own process: `npm run bench`. README.md in this folder describes
 * the options and the figures.
 *
 * Terms: the chain is the longest sequence of requests in which each needs the answer of the one before. The bound is the length
 * of the chain times the latency, and no client can be faster. The ratio is the time from the first request to the last answer,
 * divided by the bound.
 * Premise: if no ids are declared, the organizations are read first, because they contain the scopes of the lists. Then comes the
 * first page of every list, because its count shows how many pages follow. The other pages are read in parallel: up to 20 at a
 * time, or 2,000 rows at a time if there are more pages.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { PAGE_SIZES, requestsKey, type Baseline } from "./baseline.ts";
import { measure, serve, type Run, type Server } from "./measure.ts";
import { benchPulumi } from "./pulumi.ts";
import { exponents, header, row, type Against, type Result } from "./results.ts";
import { scenarios, type Scenario } from "./scenarios.ts";

const LATENCIES = [0, 50];
/** Requests that a client may have in flight, and rows that it may have in flight if a list has more pages. */
const AT_ONCE = 20;
const ROWS_AT_ONCE = 2_000;
const BASELINE = new URL("baseline.json", import.meta.url);

const { values: options } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    compare: { type: "boolean", default: false },
    write: { type: "boolean", default: false },
    only: { type: "string", default: "" },
    runs: { type: "string", default: "3" },
    pulumi: { type: "string" },
  },
});

const results: Result[] = [];
const start = await inFolder({}, (folder) => repeat(1, () => measure(["--version"], folder, {})));
if (!options.json) process.stdout.write(header(start, cpus().length));
const chosen = options.pulumi === undefined ? scenarios.filter(({ name }) => name.includes(options.only)) : [];
for (const scenario of chosen) {
  for (const pageSize of scenario.seed === undefined ? [500] : PAGE_SIZES) {
    for (const latencyMs of scenario.once === true || scenario.seed === undefined ? [0] : LATENCIES) {
      const result = await benchmark(scenario, latencyMs, pageSize);
      results.push(result);
      if (!options.json) process.stdout.write(row(result));
    }
  }
}
const growth = exponents(results);
const report = { type: "driftline.bench", schema_version: 1, node: process.version, cpus: cpus().length, start };
if (options.json) process.stdout.write(`${JSON.stringify({ ...report, growth, results }, null, 2)}\n`);
else for (const { family, exponent } of growth) process.stdout.write(`time over ${family}: size ^ ${exponent}\n`);
if (options.pulumi !== undefined) await benchPulumi(options.pulumi.split(",").map(Number));
if (options.compare) await compare();
if (options.write) await writeBaseline();

async function benchmark(scenario: Scenario, latencyMs: number, pageSize: number): Promise<Result> {
  const { name, args, program, files, family, once, limit, companion } = scenario;
  return inFolder(files, async (folder): Promise<Result> => {
    const server = await serve(name, latencyMs, pageSize);
    const env = {
      DRIFTLINE_URL: server.url,
      DRIFTLINE_API_KEY: server.key,
      DRIFTLINE_STATE_DIR: join(folder, ".state"),
    };
    const pace = limit === undefined ? [] : ["--max-requests-per-minute", String(limit)];
    const runs = once === true ? 1 : Number(options.runs);
    const runOnce = (): Promise<Run> => measure([...args, ...pace], folder, env, program);
    try {
      // Fills the answer cache of the service.
      if (once !== true && scenario.seed !== undefined) await runOnce();
      await server.requests();
      const pairs: (readonly [Run, Run])[] = [];
      const run = await repeat(runs, async () => {
        const own = await runOnce();
        if (companion !== undefined) pairs.push([own, await measure([], folder, {}, companion.program)]);
        return own;
      });
      const against = companion === undefined ? null : compareWith(companion.name, pairs);
      const paths = await requestsOf(server, runs);
      const chain = once === true || paths.length === 0 ? null : chainOf(paths, pageSize, scenario);
      const bound = chain === null ? 0 : chain * latencyMs;
      const used = limit === undefined ? null : (paths.length * 60_000) / (limit * run.readMs);
      const ratio = bound === 0 ? null : run.readMs / bound;
      return {
        scenario: name,
        latencyMs,
        pageSize,
        requests: paths.length,
        chain,
        ratio,
        used,
        family,
        against,
        ...run,
      };
    } finally {
      await server.stop();
    }
  });
}

function compareWith(name: string, pairs: readonly (readonly [Run, Run])[]): Against {
  const ratio = (field: "cpuMs" | "wallMs" | "peakMiB"): number =>
    median(pairs.map(([own, other]) => own[field] / other[field]));
  return { name, cpu: ratio("cpuMs"), wall: ratio("wallMs"), peak: ratio("peakMiB") };
}

async function requestsOf(server: Server, runs: number): Promise<readonly string[]> {
  const paths = await server.requests();
  return paths.slice(0, paths.length / runs);
}

/** The length of the chain, by the premise above. */
function chainOf(paths: readonly string[], pageSize: number, { pinned }: Scenario): number {
  const pages = new Map<string, number>();
  for (const path of paths) pages.set(path, (pages.get(path) ?? 0) + 1);
  const others = Math.max(...pages.values()) - 1;
  const atOnce = others <= AT_ONCE ? AT_ONCE : Math.min(AT_ONCE, ROWS_AT_ONCE / pageSize);
  return (pinned === true ? 0 : 1) + 1 + Math.ceil(others / atOnce);
}

async function inFolder<T>(files: Scenario["files"], work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-bench-"));
  try {
    await Promise.all(Object.entries(files).map(([name, text]) => writeFile(join(folder, name), text)));
    return await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The run of median wall time. */
async function repeat(times: number, once: () => Promise<Run>): Promise<Run> {
  const runs: Run[] = [];
  while (runs.length < times) runs.push(await once());
  const middle = middleOf(runs.toSorted((left, right) => left.wallMs - right.wallMs));
  if (middle === undefined) throw new Error("nothing was run");
  return middle;
}

function median(values: readonly number[]): number {
  return middleOf(values.toSorted((left, right) => left - right)) ?? NaN;
}

function middleOf<T>(sorted: readonly T[]): T | undefined {
  return sorted[Math.floor(sorted.length / 2)];
}

/**
 * Fails if a scenario sends more requests than in the baseline, or takes more than its share of what its companion takes. Times
 * are not compared otherwise.
 */
async function compare(): Promise<void> {
  const { requests } = JSON.parse(await readFile(BASELINE, "utf8")) as Baseline;
  for (const { scenario, against } of results) {
    const { atMost = Infinity } = scenarios.find(({ name }) => name === scenario)?.companion ?? {};
    if (against === null || Math.max(against.wall, against.peak) <= atMost) continue;
    process.stderr.write(`${scenario}: more than ${String(atMost)} times the time or the memory of ${against.name}\n`);
    process.exitCode = 1;
  }
  for (const result of results) {
    const expected = requests[requestsKey(result.scenario, result.pageSize)] ?? Infinity;
    if (result.requests <= expected) continue;
    process.stderr.write(`${result.scenario}: ${String(result.requests)} requests, ${String(expected)} before\n`);
    process.exitCode = 1;
  }
}

async function writeBaseline(): Promise<void> {
  const before = JSON.parse(await readFile(BASELINE, "utf8")) as Baseline;
  const requests = { ...before.requests };
  const ratios = { ...before.ratios };
  for (const result of results) {
    const key = requestsKey(result.scenario, result.pageSize);
    if (result.chain !== null || result.requests > 0) requests[key] = result.requests;
    if (result.ratio !== null) ratios[key] = Number(result.ratio.toFixed(2));
    if (result.against === null) continue;
    const { name, ...against } = result.against;
    for (const [what, value] of Object.entries({ CPU: against.cpu, time: against.wall, memory: against.peak }))
      ratios[`${result.scenario}: ${what} by ${name}`] = Number(value.toFixed(2));
  }
  await writeFile(BASELINE, `${JSON.stringify({ ...before, requests, ratios }, null, 2)}\n`);
}
