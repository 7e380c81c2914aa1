import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import { packageFolder } from "../../support/command.ts";
import type { Workspace } from "../../support/workspace.ts";

/** The address by which every run knows its service, so that all of them make the same plan. */
export const URL_OF_ALL = "http://service.test";
const CHILD = new URL("child.mjs", import.meta.url).pathname;

/**
 * Where an apply ends: at the nth boundary of one kind, counted as they come up; 0 is nowhere.
 * - `request`: before one is sent, and after one that writes took effect, before its answer is there. (To end once the answer
 *   came leaves the same behind as to end before the next step.)
 * - `touch` of a file of its state: before one that writes text, in the middle of it, and after any.
 */
export interface Boundary {
  readonly what: "request" | "touch";
  readonly number: number;
}

/** An apply, and where it ends. */
export interface Doomed {
  readonly space: Workspace;
  readonly args: readonly string[];
  readonly at: Boundary;
}

/** The result of such an apply. */
export interface Fate {
  readonly index: number;
  /** Whether it reached its boundary; otherwise it has ended by itself, with this code. */
  readonly reached: boolean;
  readonly code?: number;
  readonly output?: string;
  /** The number of boundaries. */
  readonly boundaries: Readonly<Record<Boundary["what"], number>>;
  /** The number of requests that were sent. */
  readonly sent: number;
}

/** Runs applies side by side in a process of their own, each up to its boundary, and kills it when all have reached theirs. */
export async function killTogether(doomed: readonly Doomed[]): Promise<readonly Fate[]> {
  const child = fork(CHILD, [packageFolder()], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
    env: { PATH: process.env["PATH"] ?? "" },
  });
  const ended = once(child, "exit").then(() => Promise.reject(new Error("the process has ended before it was ready")));
  await Promise.race([once(child, "message"), ended]);
  const fates = collect(child, doomed.length);
  child.send(doomed.map(({ space, args, at }, index) => ({ index, args, at, ...worldOf(space) })));
  const all = await fates;
  for (const { index, sent } of all) await answered(doomed[index]?.space, sent);
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  const [, signal] = (await exit) as [number | null, string | null];
  if (signal !== "SIGKILL") throw new Error(`the process ended by ${String(signal)}`);
  return all;
}

function worldOf({ folder, emulator, env }: Workspace): object {
  return { folder, state: join(folder, "state"), origin: emulator.url, env: { ...env, DRIFTLINE_URL: URL_OF_ALL } };
}

function collect(child: ChildProcess, count: number): Promise<readonly Fate[]> {
  return new Promise((resolve, reject) => {
    const fates: Fate[] = [];
    child.on("exit", () => reject(new Error("the process has ended by itself")));
    child.on("message", (fate: Fate) => {
      fates.push(fate);
      if (fates.length === count) resolve(fates);
    });
  });
}

/** Waits until every request in flight has taken effect. */
async function answered(space: Workspace | undefined, sent: number): Promise<void> {
  const requests = space?.emulator.requests ?? [];
  while (requests.length < sent || requests.some(({ status }) => status === null)) await setImmediate();
}

/** Sends requests for {@link URL_OF_ALL} to the service of a workspace. */
export function leadingTo({ emulator }: Workspace): Dispatcher {
  return new Agent().compose((next) => (options, handler) => next({ ...options, origin: emulator.url }, handler));
}
