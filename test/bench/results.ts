import type { Run } from "./measure.ts";
import type { Scenario } from "./scenarios.ts";

export interface Result extends Run {
  readonly scenario: string;
  readonly latencyMs: number;
  readonly pageSize: number;
  readonly requests: number;
  /** Length of the chain of requests. Null for commands that write or send nothing. */
  readonly chain: number | null;
  /** Null without latency, because there is no bound then. */
  readonly ratio: number | null;
  /** The used share of the rate limit, or null without a limit. */
  readonly used: number | null;
  readonly family: Scenario["family"];
  /** What the run takes divided by what the companion takes, as the medians of paired runs. Null without a companion. */
  readonly against: Against | null;
}

export interface Against {
  readonly name: string;
  readonly cpu: number;
  readonly wall: number;
  readonly peak: number;
}

/** The exponent of time over size in each family of sizes: the slope of a line through the logarithms, without latency. */
export function exponents(
  results: readonly Result[],
): readonly { readonly family: string; readonly exponent: string }[] {
  const names = [...new Set(results.flatMap(({ family }) => family?.name ?? []))];
  return names.flatMap((family) => {
    const points = results
      .filter((one) => one.family?.name === family && one.latencyMs === 0 && one.pageSize === 500)
      .map((one) => [Math.log(one.family?.size ?? 1), Math.log(one.cpuMs)] as const);
    return points.length < 2 ? [] : [{ family, exponent: slope(points).toFixed(2) }];
  });
}

function slope(points: readonly (readonly [number, number])[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [mean(points.map(([one]) => one)), mean(points.map(([, one]) => one))];
  const over = points.reduce((sum, [px, py]) => sum + (px - x) * (py - y), 0);
  return over / points.reduce((sum, [px]) => sum + (px - x) ** 2, 0);
}

export function header({ wallMs, peakMiB }: Run, cpus: number): string {
  const machine = `Node ${process.version}, ${String(cpus)} CPUs; --version alone: ${wallMs.toFixed(0)} ms, ${peakMiB.toFixed(0)} MiB`;
  const cells = ["page", "latency", "requests", "chain", "reading", "ratio", "wall", "CPU", "peak"];
  return `${machine}\n\n${line("", cells)}`;
}

export function row(result: Result): string {
  const { scenario, latencyMs, pageSize, requests, chain, readMs, ratio, used, against, wallMs, cpuMs, peakMiB } =
    result;
  const cells = [
    String(pageSize),
    `${String(latencyMs)} ms`,
    String(requests),
    chain === null ? "-" : String(chain),
    requests === 0 ? "-" : `${readMs.toFixed(0)} ms`,
    ratio === null ? "-" : ratio.toFixed(2),
    `${wallMs.toFixed(0)} ms`,
    `${cpuMs.toFixed(0)} ms`,
    `${peakMiB.toFixed(0)} MiB`,
  ];
  const remarks = [
    ...(used === null ? [] : [`${(used * 100).toFixed(1)} % of the limit used`]),
    ...(against === null ? [] : [remarkOn(against)]),
  ];
  return [line(scenario, cells), ...remarks.map((remark) => `  ${remark}\n`)].join("");
}

function remarkOn({ name, cpu, wall, peak }: Against): string {
  return `${cpu.toFixed(2)} times the CPU, ${wall.toFixed(2)} times the time, ${peak.toFixed(2)} times the memory of ${name}`;
}

function line(name: string, cells: readonly string[]): string {
  return `${name.padEnd(44)}${cells.map((cell) => cell.padStart(10)).join("")}\n`;
}
