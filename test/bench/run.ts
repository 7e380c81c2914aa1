/**
 * How long a plan takes that finds nothing to do: `npm run bench`, `npm run bench -- --json`.
 *
 * Terms: the critical path is the longest chain of requests of which each needs the answer of the one before; the bound is
 * that number times the latency, which no client can beat; the ratio is wall time by bound.
 * Premise: organizations come first, since they tell where to list; then every list's first page, since its count tells how
 * many more there are; then the other pages, side by side.
 * The wall time is that of the whole process, the start of Node included, and the middle one of three runs.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { measure, serve, type Run } from "./measure.ts";
import { scenarios, type Scenario } from "./scenarios.ts";

const LATENCIES = [0, 50];
const RUNS = 3;

interface Result extends Run {
  readonly scenario: string;
  readonly latencyMs: number;
  readonly requests: number;
  /** Requests on the critical path. */
  readonly chain: number;
  /** Null without latency: then there is no bound. */
  readonly ratio: number | null;
}

const asJson = process.argv.includes("--json");
const folder = await mkdtemp(join(tmpdir(), "driftline-bench-"));
try {
  const start = middle(await repeat(() => measure(["--version"], folder, {})));
  if (!asJson) process.stdout.write(head(start));
  const results: Result[] = [];
  for (const scenario of scenarios) {
    for (const latencyMs of LATENCIES) {
      const result = await benchmark(scenario, latencyMs);
      results.push(result);
      if (!asJson) process.stdout.write(row(result));
    }
  }
  const document = {
    type: "driftline.bench",
    schema_version: 1,
    node: process.version,
    cpus: cpus().length,
    start,
    results,
  };
  if (asJson) process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function benchmark({ name, config }: Scenario, latencyMs: number): Promise<Result> {
  await writeFile(join(folder, "driftline.yaml"), JSON.stringify(config, null, 2));
  const server = await serve(name, latencyMs);
  const env = { DRIFTLINE_URL: server.url, DRIFTLINE_API_KEY: server.key };
  try {
    const runs = await repeat(() => measure(["plan", "--detailed-exitcode"], folder, env));
    const paths = await server.requests();
    const chain = chainOf(paths.slice(0, paths.length / RUNS));
    const run = middle(runs);
    const ratio = latencyMs === 0 ? null : run.wallMs / (chain * latencyMs);
    return { scenario: name, latencyMs, requests: paths.length / RUNS, chain, ratio, ...run };
  } finally {
    await server.stop();
  }
}

/** How many requests had to wait for each other: see the premise. */
function chainOf(paths: readonly string[]): number {
  const pages = new Map<string, number>();
  for (const path of paths) pages.set(path, (pages.get(path) ?? 0) + 1);
  const longest = Math.max(...pages.values());
  return longest > 1 ? 3 : 2;
}

async function repeat(once: () => Promise<Run>): Promise<readonly Run[]> {
  const runs: Run[] = [];
  while (runs.length < RUNS) runs.push(await once());
  return runs;
}

/** The run of median wall time. */
function middle(runs: readonly Run[]): Run {
  const sorted = runs.toSorted((left, right) => left.wallMs - right.wallMs);
  return sorted[Math.floor(sorted.length / 2)] ?? { wallMs: NaN, peakMiB: NaN };
}

function head({ wallMs, peakMiB }: Run): string {
  const machine = `Node ${process.version}, ${String(cpus().length)} CPUs; the process alone: ${wallMs.toFixed(0)} ms, ${peakMiB.toFixed(0)} MiB`;
  return `${machine}\n\n${line("plan without changes", ["latency", "requests", "chain", "wall", "ratio", "peak"])}`;
}

function row({ scenario, latencyMs, requests, chain, wallMs, ratio, peakMiB }: Result): string {
  const cells = [
    `${String(latencyMs)} ms`,
    String(requests),
    String(chain),
    `${wallMs.toFixed(0)} ms`,
    ratio?.toFixed(1) ?? "-",
    `${peakMiB.toFixed(0)} MiB`,
  ];
  return line(scenario, cells);
}

function line(name: string, cells: readonly string[]): string {
  return `${name.padEnd(32)}${cells.map((cell) => cell.padStart(10)).join("")}\n`;
}
