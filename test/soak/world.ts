/** A service, a folder, and commands that run in the folder against the service, many thousand times. */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, type Dispatcher } from "undici";
import type { Clock } from "../../src/api/client.ts";
import { createEmulator, startEmulator, type BareEmulator } from "../../src/emulator/emulator.ts";
import type { EmulatorOptions } from "../../src/emulator/index.ts";
import { cli, envOf, type CliResult } from "../support/cli.ts";
import type { Random } from "../support/random.ts";
import { simulatedClock } from "./clock.ts";
import { InProcessDispatcher, ORIGIN } from "./dispatcher.ts";

export interface SoakWorld {
  readonly emulator: BareEmulator;
  readonly folder: string;
  readonly clock: Clock;
  readonly dispatcher: Dispatcher;
  readonly env: Readonly<Record<string, string>>;
  /** Writes `driftline.yaml`. */
  readonly configure: (config: object) => Promise<void>;
  readonly run: (args: readonly string[], more?: RunOptions) => Promise<CliResult>;
  /** Waits until the service has processed all requests. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly dispatcher?: Dispatcher;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

export type MakeWorld = (options: EmulatorOptions, random: Random) => Promise<SoakWorld>;

/**
 * Without a socket, on a clock of its own; requests take up to a fifth of a second of it, so that they overtake each
 * other.
 */
export const simulated: MakeWorld = async (options, random) => {
  const clock = simulatedClock(() => random.next());
  const { bare, fetch } = createEmulator({
    now: () => new Date(clock.now()),
    random: () => random.next(),
    sleep: (ms) => clock.sleep(ms),
    latencyMs: { min: 1, max: 200 },
    ...options,
  });
  const dispatcher = new InProcessDispatcher(fetch, clock);
  return assemble(bare, ORIGIN, { clock, dispatcher, drain: () => clock.drain(), close: () => Promise.resolve() });
};

/** The factor by which worlds with sockets run faster than real time. */
const FASTER = 30;

/** Over real sockets, with everything that waits made {@link FASTER}, the client's time-outs included. */
export const overSockets: MakeWorld = async (options, random) => {
  const began = performance.now();
  const epoch = Date.UTC(2030, 0, 1);
  const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms / FASTER));
  const busy = new Set<Promise<void>>();
  const sleep = (ms: number): Promise<void> => {
    const waiting = wait(ms).finally(() => busy.delete(waiting));
    busy.add(waiting);
    return waiting;
  };
  const clock: Clock = {
    now: () => epoch + (performance.now() - began) * FASTER,
    random: () => random.next(),
    sleep: wait,
  };
  const emulator = await startEmulator({ now: () => new Date(clock.now()), sleep, ...options });
  const agent = new Agent();
  const scaled = (ms: number | null | undefined): number => Math.ceil((ms ?? 0) / FASTER);
  const dispatcher = agent.compose((dispatch) => (request, handler) => {
    const { headersTimeout, bodyTimeout } = request;
    return dispatch({ ...request, headersTimeout: scaled(headersTimeout), bodyTimeout: scaled(bodyTimeout) }, handler);
  });
  const drain = async (): Promise<void> => {
    while (busy.size > 0) await Promise.all(busy);
  };
  const close = async (): Promise<void> => void (await Promise.all([agent.destroy(), emulator.close()]));
  return assemble(emulator, emulator.url, { clock, dispatcher, drain, close });
};

async function assemble(
  emulator: BareEmulator,
  url: string,
  { clock, dispatcher, drain, close }: Pick<SoakWorld, "clock" | "dispatcher" | "drain" | "close">,
): Promise<SoakWorld> {
  const folder = await mkdtemp(join(tmpdir(), "driftline-soak-"));
  const env = envOf({ url, key: emulator.key }, join(folder, "state"));
  return {
    emulator,
    folder,
    clock,
    dispatcher,
    env,
    configure: (config) => writeFile(join(folder, "driftline.yaml"), JSON.stringify(config)),
    run: (args, { env: more, ...runtime } = {}) =>
      cli(args, { cwd: folder, env: { ...env, ...more }, runtime: { clock, dispatcher, ...runtime } }),
    drain,
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
