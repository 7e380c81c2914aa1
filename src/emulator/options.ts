import { createIds } from "./store/ids.ts";
import { createStore } from "./store/store.ts";
import { ensureUser } from "./records/user.ts";
import type { Dialect, Key, Service } from "./service.ts";
import type { RateLimits } from "./deployed/rate-limit.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Seed } from "./seed/seed.ts";
import type { User } from "./records/user.ts";

/** An API key to accept. */
export interface KeyOption {
  readonly key: string;
  /** What it may do, for example `["organization:read"]`, or `["*"]`. Undefined: a key without restriction. */
  readonly scopes?: readonly string[];
  /** The address of the user it acts for; `owner` where it is left out. */
  readonly user?: string;
  /** Ids of the organizations it may see; undefined: all of its user's. */
  readonly organizations?: readonly string[];
}

/** How an emulator is to be. Everything has a default. */
export interface EmulatorOptions {
  /** 0, the default, takes any free port. */
  readonly port?: number;
  /** Where the control interface listens, on the loopback address only; 0 takes any free port. Default: nowhere. */
  readonly controlPort?: number;
  /** How many requests are remembered before the oldest ones are forgotten: 10,000. */
  readonly maxRequests?: number;
  /** Default: `127.0.0.1`. */
  readonly host?: string;
  /** Default: `document`. */
  readonly dialect?: Dialect;
  /** Default: one key, `emulator-key`, without restriction. */
  readonly keys?: readonly KeyOption[];
  /** The address of the user whom keys act for: `owner@example.com`. */
  readonly owner?: string;
  /** What is there at the start; nothing by default. */
  readonly seed?: Seed | undefined;
  readonly now?: () => Date;
  /** Gives numbers in [0, 1); decides ids and jitter. */
  readonly random?: () => number;
  /** How the emulator waits; only latency and faults do. */
  readonly sleep?: (ms: number) => Promise<unknown>;
  /** The largest page, whatever a request asks. Default: no limit. */
  readonly maxPageSize?: number;
  /** How long every request takes at least, in milliseconds: a number, or a range to pick from. */
  readonly latencyMs?: number | { readonly min: number; readonly max: number };
  /** Refuse with 429 beyond so many requests a minute; `true` takes the limits of deployed servers. Default: false. */
  readonly rateLimits?: boolean | RateLimits;
  /**
   * Whether the `deployed` dialect refuses what the `available_product_features` of an organization do not hold: another
   * organization (`organizations_projects`), just-in-time provisioning (`automatic_provisioning`); tags (`tagging`) are
   * then ignored and read as none. Default: false, everything is in the plan.
   */
  readonly planLimits?: boolean;
  /**
   * Whether the `deployed` dialect shows the filters of an insight as a query that it generates, and no filters, as servers
   * with the flag `hogql-insights-replace-filters` do. Default: false.
   */
  readonly replaceFilters?: boolean;
  /**
   * Whether the challenge of a domain can be found in DNS when it is verified. Default: always in the `document`
   * dialect, never in `deployed`.
   */
  readonly resolves?: (domain: string) => boolean;
}

/** The service as the options want it, still empty. */
export function createService(options: EmulatorOptions, resources: readonly ResourceDefinition[]): Service {
  const { dialect = "document", now = () => new Date(), random = Math.random } = options;
  const deployed = dialect === "deployed";
  const service: Service = {
    dialect,
    deployed,
    store: createStore(),
    resources,
    ids: createIds(random),
    now,
    random,
    keys: new Map(),
    maxPageSize: options.maxPageSize,
    planLimits: deployed && options.planLimits === true,
    replaceFilters: deployed && options.replaceFilters === true,
    resolves: options.resolves ?? (() => !deployed),
  };
  const owner = options.owner ?? "owner@example.com";
  for (const given of options.keys ?? [{ key: "emulator-key" }])
    service.keys.set(given.key, toKey(service, given, owner, options));
  return service;
}

function toKey(service: Service, given: KeyOption, owner: string, options: EmulatorOptions): Key {
  return {
    key: given.key,
    scopes: given.scopes,
    organizations: given.organizations,
    user: ensureUser(service, { ...seededUser(options.seed, given.user ?? owner), email: given.user ?? owner }),
  };
}

/** What a seed says of a user, who is there before anything of the seed because a key acts for them. */
function seededUser(seed: Seed | undefined, email: string): Partial<User> {
  const members = seed?.organizations.flatMap((organization) => organization.members ?? []) ?? [];
  const found = members.find((member) => member.email.toLowerCase() === email.toLowerCase());
  const { first_name, last_name, uuid, distinct_id } = found ?? {};
  const fields = Object.entries({ first_name, last_name, uuid, distinct_id });
  return Object.fromEntries(fields.filter(([, value]) => value !== undefined));
}

/** The wait before a request, in milliseconds. */
export function latencyOf({ latencyMs = 0 }: EmulatorOptions, random: () => number): () => number {
  if (typeof latencyMs === "number") return () => latencyMs;
  return () => latencyMs.min + random() * (latencyMs.max - latencyMs.min);
}
