import { createIds } from "./store/ids.ts";
import { createStore } from "./store/store.ts";
import { initialSwitches, type Switches } from "./current/switches.ts";
import { noLaterFields } from "./http/later-fields.ts";
import { ensureUser, type User } from "./records/user.ts";
import type { Dialect, Key, Service } from "./service.ts";
import type { RateLimits } from "./deployed/rate-limit.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Seed } from "./seed/seed.ts";

/** An API key to accept. */
export interface KeyOption {
  readonly key: string;
  /** The scopes of the key, for example `["organization:read"]`, or `["*"]`. Undefined: a key without restriction. */
  readonly scopes?: readonly string[];
  /** The e-mail address of the user whom the key belongs to. Default: `owner`. */
  readonly user?: string;
  /** Ids of the organizations that the key may see. Undefined: all organizations of its user. */
  readonly organizations?: readonly string[];
  /** Ids of the projects that the key is limited to: then the routes of organizations refuse it. Undefined: no such limit. */
  readonly projects?: readonly number[];
}

/** The options of an emulator. Everything has a default. */
export interface EmulatorOptions {
  /** The port. Default: 0, which takes any free port. */
  readonly port?: number;
  /** The port of the control interface, on the loopback address only; 0 takes any free port. Default: no interface. */
  readonly controlPort?: number;
  /** The number of requests that are logged. Older requests are dropped. Default: 10,000. */
  readonly maxRequests?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Host names in requests that are answered besides those of loopback. Other requests get 403. Default: none. */
  readonly allowHosts?: readonly string[];
  /** Default: `document`. */
  readonly dialect?: Dialect;
  /** Default: one key, `emulator-key`, without restriction. */
  readonly keys?: readonly KeyOption[];
  /** The e-mail address of the user whom the keys belong to. Default: `owner@example.com`. */
  readonly owner?: string;
  /** The initial data. Default: none. */
  readonly seed?: Seed | undefined;
  readonly now?: () => Date;
  /** Returns numbers in [0, 1), which decide ids and jitter. */
  readonly random?: () => number;
  /** The sleep function. Only latency and faults use it. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** The largest page size, even if a request asks for more. Default: no limit. */
  readonly maxPageSize?: number;
  /** The minimum time of every request in milliseconds: a number, or a range to pick from. */
  readonly latencyMs?: number | { readonly min: number; readonly max: number };
  /**
   * The request limits per minute, beyond which the answer is 429. `true`: those of deployed servers. Default: false.
   */
  readonly rateLimits?: boolean | RateLimits;
  /**
   * Whether the dialects of real servers enforce `available_product_features`. Without `organizations_projects` it refuses
   * another organization, without `automatic_provisioning` it refuses just-in-time provisioning, and without `tagging`
   * it ignores tags and returns none. Default: false, which means that every feature is in the plan.
   */
  readonly planLimits?: boolean;
  /**
   * Whether the `deployed` dialect replaces the filters of an insight by a generated query, like servers that have the
   * flag `hogql-insights-replace-filters`. Default: false.
   */
  readonly replaceFilters?: boolean;
  /** The switches of the `current` dialect at the start. README.md lists them. */
  readonly switches?: Partial<Switches>;
  /**
   * Replaces DNS: reports whether the challenge of a domain is found when the domain is verified. Default: always in
   * the `document` dialect, never in the others.
   */
  readonly resolves?: (domain: string) => boolean;
}

/** Creates the service that the options describe, without data. */
export function createService(options: EmulatorOptions, resources: readonly ResourceDefinition[]): Service {
  const { dialect = "document", now = () => new Date(), random = Math.random } = options;
  const isRealServer = dialect !== "document";
  const service: Service = {
    dialect,
    isRealServer,
    current: dialect === "current",
    switches: initialSwitches(dialect, { plan_limits: options.planLimits === true, ...options.switches }),
    laterFields: noLaterFields(),
    store: createStore(),
    resources,
    ids: createIds(random),
    now,
    random,
    keys: new Map(),
    maxPageSize: options.maxPageSize,
    planLimits: isRealServer && options.planLimits === true,
    replaceFilters: dialect === "deployed" && options.replaceFilters === true,
    resolves: options.resolves ?? (() => !isRealServer),
  };
  const owner = options.owner ?? "owner@example.com";
  for (const option of options.keys ?? [{ key: "emulator-key" }])
    service.keys.set(option.key, toKey(service, option, owner, options));
  return service;
}

function toKey(service: Service, option: KeyOption, owner: string, options: EmulatorOptions): Key {
  return {
    key: option.key,
    scopes: option.scopes,
    organizations: option.organizations,
    projects: option.projects,
    user: ensureUser(service, { ...seededUser(options.seed, option.user ?? owner), email: option.user ?? owner }),
  };
}

/** Returns the fields that a seed has for a user. Users of keys are created before the seed is planted. */
function seededUser(seed: Seed | undefined, email: string): Partial<User> {
  const members = seed?.organizations.flatMap((organization) => organization.members ?? []) ?? [];
  const found = members.find((member) => member.email.toLowerCase() === email.toLowerCase());
  const { first_name, last_name, uuid, distinct_id } = found ?? {};
  const fields = Object.entries({ first_name, last_name, uuid, distinct_id });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** Returns a function that picks the wait before a request, in milliseconds. */
export function latencyOf({ latencyMs = 0 }: EmulatorOptions, random: () => number): () => number {
  if (typeof latencyMs === "number") return () => latencyMs;
  return () => latencyMs.min + random() * (latencyMs.max - latencyMs.min);
}
