/**
 * What the real engine does with new insights, by the dynamic and by the packaged edition, beside `driftline apply` and beside resources of
 * the same types that are bare: a `CustomResource` with nothing but the arguments.
 *
 * Algorithm: a stack with the classes and a bare one take turns, step by step, each with a service of its own. Memory is that of all
 * processes of a step together, looked at five times a second.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { identityOf } from "../../src/pulumi/properties/provider-text.ts";
import { provideEngine } from "../pulumi/engine/engine.ts";
import { descendants } from "../pulumi/support/killed.ts";
import { serve, type Server } from "./measure.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const COMMAND = join(ROOT, "dist/bin/driftline.cjs");
/** The service of this scenario has a project without insights. */
const EMPTY = "pulumi up, 1000 new insights";
const LOOK_EVERY = 200;

/** A step of the engine, and the command that does the same. */
const STEPS: Readonly<Record<string, { readonly pulumi: readonly string[]; readonly command: readonly string[] }>> = {
  preview: { pulumi: ["preview"], command: ["plan"] },
  up: { pulumi: ["up", "--yes", "--skip-preview", "--parallel", "50"], command: ["apply", "--yes"] },
  "preview, no change": { pulumi: ["preview"], command: ["plan"] },
  "up, no change": { pulumi: ["up", "--yes", "--skip-preview"], command: ["apply", "--yes"] },
  refresh: { pulumi: ["refresh", "--yes", "--skip-preview"], command: ["drift"] },
  destroy: { pulumi: ["destroy", "--yes", "--skip-preview"], command: ["apply", "--yes", "--approve"] },
};

const TYPES = {
  dynamic: {
    entry: "driftline/pulumi",
    type: identityOf("Insight").type,
    props: { __provider: identityOf("Insight").text },
  },
  packaged: { entry: "driftline/packaged", type: "driftline:index:Insight", props: {} },
} as const;
type Edition = keyof typeof TYPES;

interface Cost {
  readonly requests: number;
  readonly seconds: number;
  readonly peakMiB: number;
  readonly stateKiB: number;
}

/** Something that does each step in a folder of its own. */
interface Runner {
  readonly take: (step: string) => Promise<Cost | undefined>;
  readonly stop: () => Promise<void>;
}

/** Prints a table of each number of insights. */
export async function benchPulumi(counts: readonly number[]): Promise<void> {
  const engine = await provideEngine((said) => process.stderr.write(`${said}\n`));
  if ("missing" in engine) throw new Error(engine.missing);
  for (const count of counts) {
    process.stdout.write(
      `\n${String(count)} insights\n${line(["", "", "requests", "seconds", "peak", "state", "ratio"])}`,
    );
    const command = await runner((folder, server) => commandIn(folder, server, count));
    for (const step of Object.keys(STEPS)) print(step, "driftline", await command.take(step));
    await command.stop();
    for (const edition of Object.keys(TYPES) as Edition[]) {
      const [own, bare] = await Promise.all(
        [false, true].map((isBare) =>
          runner((folder, server) => stackIn(folder, server, { bin: engine.bin, count, edition, isBare })),
        ),
      );
      for (const step of Object.keys(STEPS)) {
        const cost = await own?.take(step);
        const beside = await bare?.take(step);
        print(step, edition, cost, beside);
        print(step, `${edition}, bare`, beside);
      }
      await own?.stop();
      await bare?.stop();
    }
  }
}

/** Runs a program with a step's arguments, or nothing. */
type Run = (step: string) => Promise<Pick<Cost, "peakMiB" | "stateKiB"> | undefined>;

async function runner(open: (folder: string, server: Server) => Promise<Run>): Promise<Runner> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-bench-"));
  const server = await serve(EMPTY, 0, 500);
  const run = await open(folder, server);
  return {
    take: async (step) => {
      await server.requests();
      const begin = performance.now();
      const cost = await run(step);
      if (cost === undefined) return undefined;
      const seconds = (performance.now() - begin) / 1_000;
      return { ...cost, seconds, requests: (await server.requests()).length };
    },
    stop: async () => {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function commandIn(folder: string, server: Server, count: number): Promise<Run> {
  const env = envOf(folder, server);
  return async (step) => {
    const args = [...(STEPS[step]?.command ?? [])];
    const lifecycle = step === "destroy" ? { lifecycle: { state: "absent" } } : {};
    const insights = Object.fromEntries(
      namesOf(count).map((name) => [name, { name, query: query(name), ...lifecycle }]),
    );
    const organizations = { acme: { name: "Acme Inc", projects: { web: { id: "2", insights } } } };
    await writeFile(join(folder, "driftline.yaml"), JSON.stringify({ driftline: 1, organizations }));
    // So many removals need the hash of their plan.
    if (args.at(-1) === "--approve") {
      await peakOf(process.execPath, [COMMAND, "plan", "--out", "plan.json"], folder, env);
      const { hash } = JSON.parse(await readFile(join(folder, "plan.json"), "utf8")) as { readonly hash: string };
      args.push(hash);
    }
    const peakMiB = await peakOf(process.execPath, [COMMAND, ...args], folder, env);
    return { peakMiB, stateKiB: 0 };
  };
}

interface StackOptions {
  readonly bin: string;
  readonly count: number;
  readonly edition: Edition;
  readonly isBare: boolean;
}

async function stackIn(folder: string, server: Server, { bin, count, edition, isBare }: StackOptions): Promise<Run> {
  const { entry, type, props } = TYPES[edition];
  const names = namesOf(count);
  const program = `
    import { CustomResource } from "@pulumi/pulumi";
    import { Insight } from ${JSON.stringify(entry)};
    const all = ${JSON.stringify(names.map((name) => ({ projectId: 2, name, query: query(name) })))};
    for (const args of all)
      ${isBare ? `new CustomResource(${JSON.stringify(type)}, args.name, { ...args, ...${JSON.stringify(props)} });` : "new Insight(args.name, args);"}`;
  await mkdir(join(folder, "node_modules/.bin"), { recursive: true });
  await mkdir(join(folder, "backend"));
  await symlink(join(ROOT, "node_modules/@pulumi"), join(folder, "node_modules/@pulumi"));
  await symlink(ROOT, join(folder, "node_modules/driftline"));
  await chmod(join(ROOT, "dist/pulumi/plugin/main.js"), 0o755);
  await symlink("../driftline/dist/pulumi/plugin/main.js", join(folder, "node_modules/.bin/pulumi-resource-driftline"));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ type: "module", dependencies: { "@pulumi/pulumi": "*" } }),
  );
  await writeFile(join(folder, "index.js"), program);
  const runtime = { name: "nodejs", options: { typescript: false } };
  const plugins = { providers: [{ name: "driftline", path: "node_modules/.bin" }] };
  await writeFile(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "acme", runtime, plugins }));
  const env = {
    ...envOf(folder, server),
    PATH: [bin, process.env["PATH"] ?? ""].join(delimiter),
    PULUMI_HOME: join(folder, "home"),
    PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
    PULUMI_CONFIG_PASSPHRASE: "bench",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
  const pulumi = (args: readonly string[]): Promise<number> =>
    peakOf("pulumi", [...args, "--non-interactive"], folder, env);
  await pulumi(["stack", "init", "dev"]);
  return async (step) => {
    const peakMiB = await pulumi(STEPS[step]?.pulumi ?? []);
    const { size } = await stat(join(folder, "backend/.pulumi/stacks/acme/dev.json"));
    return { peakMiB, stateKiB: size / 1_024 };
  };
}

function envOf(folder: string, { url, key }: Server): Readonly<Record<string, string>> {
  return {
    DRIFTLINE_URL: url,
    DRIFTLINE_API_KEY: key,
    DRIFTLINE_STATE_DIR: join(folder, "journal"),
    DRIFTLINE_MAX_REQUESTS_PER_MINUTE: "1000000",
  };
}

function namesOf(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `insight${String(index)}`);
}

function query(event: string) {
  return { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ kind: "EventsNode", event }] } };
}

/** Runs a program to its end, and returns the most memory that it and all that it started had together. @throws Error if it fails */
async function peakOf(
  command: string,
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (data: Buffer) => void (said += data.toString()));
  let peak = 0;
  const look = async (): Promise<void> => {
    const { pid = 0 } = child;
    const sizes = [pid, ...(await descendants(pid))].map(residentMiB);
    peak = Math.max(
      peak,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  };
  const timer = setInterval(() => void look(), LOOK_EVERY);
  const [code]: readonly unknown[] = await once(child, "close");
  clearInterval(timer);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} exited with ${String(code)}\n${said}`);
  return peak;
}

function residentMiB(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1] ?? 0) / 1_024;
  } catch {
    // The process has ended.
    return 0;
  }
}

function print(step: string, who: string, cost: Cost | undefined, beside?: Cost): void {
  if (cost === undefined) return;
  const { requests, seconds, peakMiB, stateKiB } = cost;
  const ratio = beside === undefined ? "" : (seconds / beside.seconds).toFixed(2);
  const cells = [
    String(requests),
    seconds.toFixed(1),
    `${peakMiB.toFixed(0)} MiB`,
    `${stateKiB.toFixed(0)} KiB`,
    ratio,
  ];
  process.stdout.write(line([step, who, ...cells]));
}

function line([step = "", who = "", ...cells]: readonly string[]): string {
  return `${step.padEnd(20)}${who.padEnd(16)}${cells.map((cell) => cell.padStart(10)).join("")}\n`;
}
