import { setTimeout } from "node:timers/promises";
import { checkSeed } from "./seed/load.ts";
import { createApp } from "./http/app.ts";
import { createControl, type Control } from "./control/control.ts";
import { createControlApp, type ControlTarget } from "./control/http.ts";
import { createFaultBook, type FaultBook } from "./faults/book.ts";
import { createRequestLog, type LoggedRequest } from "./http/log.ts";
import { createService, latencyOf, type EmulatorOptions } from "./options.ts";
import { createThrottle, DEPLOYED_LIMITS, unlimited } from "./deployed/rate-limit.ts";
import { ensureUser } from "./records/user.ts";
import { LOOPBACK, serve, type ListeningServer } from "./http/serve.ts";
import { RESOURCES, type EmulatedKind } from "./resources/registry.ts";
import type { Throttle } from "./http/dispatch.ts";

/** An emulator without a socket. */
export interface BareEmulator extends Control {
  /** The first API key. */
  readonly key: string;
  /** The last `maxRequests` requests since the start or since `clearRequests`, in order of arrival. */
  readonly requests: readonly LoggedRequest[];
  /** The rules that make requests fail. */
  readonly faults: FaultBook;
  clearRequests(): void;
}

/** A running emulator. */
export interface Emulator extends BareEmulator {
  /** The base URL, for example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** The base URL of the control interface; undefined without `controlPort`. */
  readonly controlUrl: string | undefined;
  /** Stops listening and closes every connection, including idle ones. */
  close(): Promise<void>;
}

/**
 * Starts the service in memory, on a real socket.
 * @example
 * const emulator = await startEmulator({ seed: { organizations: [{ name: "Acme" }] } });
 * await fetch(`${emulator.url}/api/organizations/`, { headers: { authorization: `Bearer ${emulator.key}` } });
 * await emulator.close();
 * @throws SeedError if the seed is not valid, or a network error such as EADDRINUSE
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const { bare, fetch, controlled } = createEmulator(options);
  const { port = 0, host = LOOPBACK } = options;
  const allowHosts = (options.allowHosts ?? []).map((name) => name.toLowerCase());
  const main = await serve(fetch, { port, host, allowHosts });
  const control = await serveControl(options.controlPort, allowHosts, controlled).catch(async (error: unknown) => {
    await main.close();
    throw error;
  });
  return {
    ...bare,
    url: main.url,
    controlUrl: control?.url,
    close: async () => void (await Promise.all([main.close(), control?.close()])),
  };
}

/**
 * Creates an emulator without a socket: its handle, its HTTP handler, and the target of the control interface.
 * @throws SeedError if the seed is not valid
 */
export function createEmulator(options: EmulatorOptions): {
  readonly bare: BareEmulator;
  readonly fetch: ReturnType<typeof createApp>["fetch"];
  readonly controlled: ControlTarget;
} {
  const seed = options.seed === undefined ? undefined : checkSeed(options.seed);
  const service = createService({ ...options, seed }, RESOURCES);
  const owner = ensureUser(service, { email: options.owner ?? "owner@example.com" });
  const log = createRequestLog(options.maxRequests ?? 10_000);
  const faults = createFaultBook();
  const handle = createControl(service, owner);
  if (seed !== undefined) handle.plant(seed);
  const { fetch } = createApp({
    service,
    faults,
    requests: log,
    throttle: throttleOf(options),
    sleep: options.sleep ?? setTimeout,
    latency: latencyOf(options, service.random),
  });
  const [key = ""] = service.keys.keys();
  const bare = { ...handle, key, requests: log.entries, faults, clearRequests: () => log.clear() };
  return { bare, fetch, controlled: { ...handle, faults, log, isKind } };
}

const KINDS = new Set<string>(RESOURCES.filter(({ controlled }) => controlled).map(({ name }) => name));

/** Whether objects of this kind are part of the control interface. */
const isKind = (text: string): text is EmulatedKind => KINDS.has(text);

/** Listens on the loopback address only, because the control interface asks for no key and allows everything. */
function serveControl(
  port: number | undefined,
  allowHosts: readonly string[],
  controlled: ControlTarget,
): Promise<ListeningServer | undefined> {
  if (port === undefined) return Promise.resolve(undefined);
  return serve(createControlApp(controlled).fetch, { port, host: LOOPBACK, allowHosts });
}

function throttleOf({ rateLimits = false }: EmulatorOptions): Throttle {
  if (rateLimits === false) return unlimited;
  return createThrottle(rateLimits === true ? DEPLOYED_LIMITS : rateLimits);
}
