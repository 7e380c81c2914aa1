import type { Answer, Client, Clock } from "../api/client.ts";
import type { Kind, Call } from "../kinds/kind.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Json, Secret } from "../model/json.ts";
import type { LiveObject, LiveSnapshot, ScopePath } from "../model/live.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Journal } from "./journal/journal.ts";

/** What applying needs from outside. */
export interface ApplyContext {
  readonly client: Client;
  /** What the plan was made of. */
  readonly snapshot: LiveSnapshot;
  /** The value of a secret, at the moment of sending. Throws where it cannot be had. */
  readonly secrets: (secret: Secret) => string;
  readonly journal: Journal;
  readonly clock: Clock;
  /** Once aborted, what is in flight is finished and nothing new is begun. */
  readonly signal?: AbortSignal | undefined;
  /** How long a request of which nothing was heard may still take effect. Milliseconds. */
  readonly horizonMs: number;
  /** Given what tells the outcomes as they are at any moment, for whoever cannot wait for the end. */
  readonly onBegin?: ((soFar: () => readonly Outcome[]) => void) | undefined;
  readonly onOutcome?: ((outcome: Outcome) => void) | undefined;
}

/** A change under way: its calls go through `call`, which counts them. */
export interface Task {
  readonly context: ApplyContext;
  readonly kind: Kind;
  /** The same task on the routes of a sibling kind, through whose list an object was seen. */
  readonly as: (kind: KindName) => Task;
  /** Address and ids of the scope; known by now, as parents come first. */
  readonly scope: string;
  readonly path: ScopePath;
  readonly call: (call: Call) => Promise<Answer>;
  /** The proven list of the kind in the scope, as it is now. */
  readonly list: () => Promise<readonly LiveObject[]>;
  /** The same with the lists of sibling kinds, among which the service moves objects on its own; an object counts once. */
  readonly listAll: () => Promise<readonly LiveObject[]>;
  /** The same as it was when the run first asked for it, under its lock: one for all changes. */
  readonly listOnce: () => Promise<readonly LiveObject[]>;
  /** The object that an answer of an operation shows; undefined where it shows none. */
  readonly read: (operation: string, body: Json | undefined) => LiveObject | undefined;
  /** Whether no other change of the run has this object: the lists of an organization show the exports of its projects too. */
  readonly isFree: (live: LiveObject) => boolean;
  /** Notes that an object is this change's. */
  readonly claim: (id: string) => void;
  /** Waits for so many milliseconds, or an interruption, while other changes go on. */
  readonly pause: (ms: number) => Promise<void>;
}

/** Why a change did not end as applied. */
export class ChangeError extends Error {
  readonly status: "failed" | "skipped" | "unverified" | "unknown";
  readonly code: string;
  readonly hint: string;
  /** The object, where there is one by now. */
  readonly id: string | null;
  constructor(status: ChangeError["status"], code: string, message: string, hint: string, id: string | null = null) {
    super(message);
    this.name = "ChangeError";
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.id = id;
  }
}
