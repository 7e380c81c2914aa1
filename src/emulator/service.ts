import type { Ids } from "./store/ids.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Store } from "./store/store.ts";
import type { User } from "./records/user.ts";

/**
 * Whose habits the emulator has: `document` answers exactly as the interface document says; `deployed` as the servers
 * do that a client meets in the wild, including where they contradict the document.
 */
export type Dialect = "document" | "deployed";

/** An API key that the emulator knows. */
export interface Key {
  readonly key: string;
  /** Undefined: a key without restriction, from the time before scopes. `["*"]` is a scoped key that has them all. */
  readonly scopes: readonly string[] | undefined;
  /** Ids of the organizations that the key may see; undefined: all of its user's. */
  readonly organizations: readonly string[] | undefined;
  readonly user: User;
}

/** What every part of the emulator works on. */
export interface Service {
  readonly dialect: Dialect;
  /** `dialect === "deployed"`, asked so often that it has a name. */
  readonly deployed: boolean;
  readonly store: Store;
  /** What the service has; the order is that of routes, seeds and dumps. */
  readonly resources: readonly ResourceDefinition[];
  readonly ids: Ids;
  readonly now: () => Date;
  readonly random: () => number;
  readonly keys: Map<string, Key>;
  readonly maxPageSize: number | undefined;
  /** Whether what an organization's plan lacks is refused; only deployed servers have plans. */
  readonly planLimits: boolean;
  /** Whether filters of insights are shown as queries; only deployed servers do. */
  readonly replaceFilters: boolean;
  /** Stands in for DNS: whether the challenge of a domain can be found. */
  readonly resolves: (domain: string) => boolean;
}
