import { spawn, type ChildProcess, type StdioOptions } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import type { Answer } from "./serve.ts";

const MAIN = fileURLToPath(new URL("../../dist/bin/driftline.cjs", import.meta.url));
const JITI = fileURLToPath(new URL("../../node_modules/jiti/lib/jiti-cli.mjs", import.meta.url));
const SERVE = fileURLToPath(new URL("serve.ts", import.meta.url));

const REPORT = fileURLToPath(new URL("report.cjs", import.meta.url));

/** One run of the command. */
export interface Run {
  /** From the start of the process to its end. */
  readonly wallMs: number;
  /** From its first request to its last answer. The bound applies to this time. */
  readonly readMs: number;
  readonly cpuMs: number;
  readonly peakMiB: number;
}

/** Runs the built command, or a program, in its own process. @throws Error if it does not exit with 0 */
export async function measure(
  args: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
  program?: string,
): Promise<Run> {
  const stdio: StdioOptions = ["ignore", "ignore", "ignore", "pipe"];
  const script = program === "" ? ["--eval", ""] : ["--input-type=module", "--eval", program ?? ""];
  const run = program === undefined ? [MAIN, ...args] : script;
  const begin = performance.now();
  const child = spawn(process.execPath, ["--require", REPORT, ...run], { cwd, env: { ...process.env, ...env }, stdio });
  const report = child.stdio[3] instanceof Readable ? text(child.stdio[3]) : Promise.resolve("");
  const [code]: readonly unknown[] = await once(child, "close");
  const wallMs = performance.now() - begin;
  if (code !== 0) throw new Error(`${program ?? `driftline ${args.join(" ")}`} exited with ${String(code)}`);
  return { wallMs, ...(JSON.parse(await report) as Omit<Run, "wallMs">) };
}

/** An emulator in its own process. */
export interface Server {
  readonly url: string;
  readonly key: string;
  /** The paths of the requests since the last call. */
  readonly requests: () => Promise<readonly string[]>;
  readonly stop: () => Promise<void>;
}

/** Starts an emulator with the seed of a scenario. Each answer is delayed by `latencyMs`. */
export async function serve(scenario: string, latencyMs: number, pageSize: number): Promise<Server> {
  const child = spawn(process.execPath, [JITI, SERVE, scenario, String(latencyMs), String(pageSize)], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit").then((): never => {
    throw new Error("the emulator has ended");
  });
  // It rejects when the emulator is stopped as well.
  ended.catch(() => undefined);
  const listening = await answerOf(child, ended);
  if (listening.type !== "listening") throw new Error("the emulator did not start");
  const { url, key } = listening;
  return {
    url,
    key,
    requests: async () => {
      child.send("requests");
      const answer = await answerOf(child, ended);
      return answer.type === "requests" ? answer.paths : [];
    },
    stop: async () => {
      const end = once(child, "exit");
      child.disconnect();
      await end;
    },
  };
}

/** What the process of the emulator says next. */
async function answerOf(child: ChildProcess, ended: Promise<never>): Promise<Answer> {
  const [answer]: readonly unknown[] = await Promise.race([once(child, "message"), ended]);
  return answer as Answer;
}
