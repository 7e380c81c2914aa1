/** Runs that do not finish: they are killed or interrupted at the n-th request. */
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Dispatcher } from "undici";
import type { CliResult } from "../support/cli.ts";
import type { SoakWorld } from "../soak/world.ts";
import type { End } from "./steps.ts";

/** No process has this id. */
const NO_PROCESS = 999_999_999;

/** The result of a run; undefined if it was killed. */
export interface Ended {
  readonly result: CliResult | undefined;
  readonly interrupted: boolean;
  /** The folder of the journal from now on. */
  readonly state: string;
}

/** Runs a command that ends in the requested way. */
export async function runUntil(
  world: SoakWorld,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  state: string,
  end: End | null,
): Promise<Ended> {
  const abort = new AbortController();
  const gate = createGate(world.dispatcher, end, () => abort.abort());
  const options = { env: { ...env, DRIFTLINE_STATE_DIR: join(world.folder, state) }, signal: abort.signal };
  const running = world.run(args, { ...options, dispatcher: gate.dispatcher });
  const ended = await Promise.race([running, gate.killed]);
  if (ended !== "killed") return { result: ended, interrupted: abort.signal.aborted, state };
  const next = `${state}'`;
  await keepDisk(world, state, next);
  // From here on the run uses a disk and a service that are discarded, so it has no more effect.
  abort.abort();
  gate.release();
  await running;
  return { result: undefined, interrupted: false, state: next };
}

/** Copies the current state of the disk. The process that owned the lock no longer exists. */
async function keepDisk({ folder }: SoakWorld, from: string, to: string): Promise<void> {
  const [source, target] = [join(folder, from), join(folder, to)];
  await cp(source, target, { recursive: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
  });
  for (const name of await readdir(target).catch(() => [])) {
    if (!name.endsWith(".lock")) continue;
    const text = await readFile(join(target, name), "utf8");
    await writeFile(join(target, name), text.replace(/"pid":\d+/, `"pid":${String(NO_PROCESS)}`));
  }
}

interface Gate {
  readonly dispatcher: Dispatcher;
  /** Resolves at the request that kills the run, and never if the run is not killed. */
  readonly killed: Promise<"killed">;
  /** Fails all delayed requests and all later ones. */
  readonly release: () => void;
}

function createGate(inner: Dispatcher, end: End | null, interrupt: () => void): Gate {
  let kill = (): void => undefined;
  const killed = new Promise<"killed">((resolve) => (kill = () => resolve("killed")));
  const held: Dispatcher.DispatchHandler[] = [];
  let [sent, isDead, isReleased] = [0, false, false];
  const fail = (handler: Dispatcher.DispatchHandler): void =>
    handler.onResponseError?.(NO_CONTROLLER, Object.assign(new Error("gone"), { code: "ECONNREFUSED" }));
  const keep = (handler: Dispatcher.DispatchHandler): void => {
    if (isReleased) fail(handler);
    else held.push(handler);
  };
  const dispatcher = inner.compose((dispatch) => (options, handler) => {
    sent += 1;
    if (isReleased) {
      queueMicrotask(() => fail(handler));
      return true;
    }
    const isNow = end !== null && sent === end.at;
    if (isNow && end.type === "interrupt") interrupt();
    if (!isDead && !(isNow && end.type === "kill"))
      return dispatch(
        options,
        deaf(handler, () => isDead, keep),
      );
    held.push(handler);
    if (!isDead && end?.type === "kill" && end.sent) dispatch(options, {});
    isDead = true;
    kill();
    return true;
  });
  return {
    dispatcher,
    killed,
    release: () => {
      isReleased = true;
      for (const handler of held) fail(handler);
    },
  };
}

const NO_CONTROLLER: Dispatcher.DispatchController = {
  aborted: true,
  paused: false,
  reason: null,
  abort: () => undefined,
  pause: () => undefined,
  resume: () => undefined,
};

/** A handler that receives nothing after its run was killed. */
function deaf(
  handler: Dispatcher.DispatchHandler,
  isDead: () => boolean,
  keep: (handler: Dispatcher.DispatchHandler) => void,
): Dispatcher.DispatchHandler {
  let isHeld = false;
  const unless = (pass: () => void): void => {
    if (!isDead()) return pass();
    if (isHeld) return;
    isHeld = true;
    keep(handler);
  };
  return {
    onRequestStart: (controller, context: unknown) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers, text) =>
      unless(() => handler.onResponseStart?.(controller, status, headers, text)),
    onResponseData: (controller, piece) => unless(() => handler.onResponseData?.(controller, piece)),
    onResponseEnd: (controller, trailers) => unless(() => handler.onResponseEnd?.(controller, trailers)),
    onResponseError: (controller, error) => unless(() => handler.onResponseError?.(controller, error)),
  };
}
