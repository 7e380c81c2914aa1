import type { Ids } from "./store/ids.ts";
import type { LaterFields } from "./http/later-fields.ts";
import type { ResourceDefinition } from "./resource.ts";
import type { Store } from "./store/store.ts";
import type { Switches } from "./current/switches.ts";
import type { User } from "./records/user.ts";

/**
 * The behaviour of the emulator. `document` answers exactly as the interface document says. `deployed` answers like
 * real servers of 2025, even if they contradict the document. `current` answers like those of autumn 2026: wherever it has
 * no rule of its own, it answers like `deployed`.
 */
export const DIALECTS = ["document", "deployed", "current"] as const;

/** One of the dialects. */
export type Dialect = (typeof DIALECTS)[number];

/** An API key that the emulator knows. */
export interface Key {
  readonly key: string;
  /** Undefined: a key without restriction, from before scopes existed. `["*"]` is a scoped key that has all scopes. */
  readonly scopes: readonly string[] | undefined;
  /** Ids of the organizations that the key may see. Undefined: all organizations of its user. */
  readonly organizations: readonly string[] | undefined;
  /** Ids of the projects that the key is limited to. Undefined: no such limit. */
  readonly projects: readonly number[] | undefined;
  readonly user: User;
}

/** The state and the settings that every part of the emulator shares. */
export interface Service {
  readonly dialect: Dialect;
  /** Whether it answers like a real server: `deployed`, and `current`, which has the same habits and more. */
  readonly isRealServer: boolean;
  /** Short for `dialect === "current"`. */
  readonly current: boolean;
  /** What can be switched in the `current` dialect. */
  readonly switches: Switches;
  /** Fields that no document of this emulator knows. */
  readonly laterFields: LaterFields;
  readonly store: Store;
  /** The resources, in the order of routes, seeds and dumps. */
  readonly resources: readonly ResourceDefinition[];
  readonly ids: Ids;
  readonly now: () => Date;
  readonly random: () => number;
  readonly keys: Map<string, Key>;
  readonly maxPageSize: number | undefined;
  /** Whether features outside the plan of an organization are refused. Only deployed servers have plans. */
  readonly planLimits: boolean;
  /** Whether filters of insights are shown as queries. Only deployed servers do that. */
  readonly replaceFilters: boolean;
  /** Replaces DNS: reports whether the challenge of a domain is found. */
  readonly resolves: (domain: string) => boolean;
}
