import { setTimeout } from "node:timers/promises";
import { checkSeed } from "./seed/load.ts";
import { createApp } from "./http/app.ts";
import { createControl } from "./control/control.ts";
import { createControlApp } from "./control/http.ts";
import { createFaultBook } from "./faults/book.ts";
import { createRequestLog } from "./http/log.ts";
import { createService, latencyOf } from "./options.ts";
import { createThrottle, DEPLOYED_LIMITS, unlimited } from "./deployed/rate-limit.ts";
import { ensureUser } from "./records/user.ts";
import { LOOPBACK, serve } from "./http/serve.ts";
import { RESOURCES } from "./resources/registry.ts";
import type { Control } from "./control/control.ts";
import type { Controlled } from "./control/http.ts";
import type { EmulatedKind } from "./resources/registry.ts";
import type { EmulatorOptions } from "./options.ts";
import type { FaultBook } from "./faults/book.ts";
import type { Listening } from "./http/serve.ts";
import type { LoggedRequest } from "./http/log.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Throttle } from "./http/dispatch.ts";

/** An emulator without a socket. */
export interface BareEmulator extends Control {
  /** The first of its keys. */
  readonly key: string;
  /** The requests since the start, or since `clearRequests`, in order of arrival: the last `maxRequests` of them. */
  readonly requests: readonly LoggedRequest[];
  /** What goes wrong, by rule. */
  readonly faults: FaultBook;
  clearRequests(): void;
}

/** A running emulator. */
export interface Emulator extends BareEmulator {
  /** Where it listens, for example `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  /** Where the control interface listens; undefined without `controlPort`. */
  readonly controlUrl: string | undefined;
  /** Stops listening and drops every connection, the idle ones too. */
  close(): Promise<void>;
}

/**
 * Starts the service in memory, on a real socket.
 * @example
 * const emulator = await startEmulator({ seed: { organizations: [{ name: "Acme" }] } });
 * await fetch(`${emulator.url}/api/organizations/`, { headers: { authorization: `Bearer ${emulator.key}` } });
 * await emulator.close();
 * @throws SeedError for a seed that is none, and what listening throws, such as EADDRINUSE
 */
export function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  return startWith(RESOURCES, options);
}

/** Starts an emulator that has these resources. @throws as `startEmulator` does */
export async function startWith(resources: readonly ResourceDefinition[], options: EmulatorOptions): Promise<Emulator> {
  const { bare, fetch, controlled } = createEmulator(options, resources);
  const main = await serve(fetch, options.port ?? 0, options.host ?? LOOPBACK);
  const control = await serveControl(options.controlPort, controlled).catch(async (error: unknown) => {
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

/** An emulator, and how requests get to it and to what controls it. @throws SeedError for a seed that is none */
export function createEmulator(
  options: EmulatorOptions,
  resources: readonly ResourceDefinition[] = RESOURCES,
): {
  readonly bare: BareEmulator;
  readonly fetch: ReturnType<typeof createApp>["fetch"];
  readonly controlled: Controlled;
} {
  const seed = options.seed === undefined ? undefined : checkSeed(options.seed, resources);
  const service = createService({ ...options, seed }, resources);
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
  return { bare, fetch, controlled: { ...handle, faults, log, isKind: kindGuard(resources) } };
}

/** The check for the names that the control interface takes. The type holds for the resources of the registry. */
function kindGuard(resources: readonly ResourceDefinition[]): (text: string) => text is EmulatedKind {
  const kinds = new Set(resources.filter(({ controlled }) => controlled).map(({ name }) => name));
  return (text): text is EmulatedKind => kinds.has(text);
}

/** Whoever reaches the control interface may do everything, so it is for this machine only. */
function serveControl(port: number | undefined, controlled: Controlled): Promise<Listening | undefined> {
  if (port === undefined) return Promise.resolve(undefined);
  return serve(createControlApp(controlled).fetch, port, LOOPBACK);
}

function throttleOf({ rateLimits = false }: EmulatorOptions): Throttle {
  if (rateLimits === false) return unlimited;
  return createThrottle(rateLimits === true ? DEPLOYED_LIMITS : rateLimits);
}
