/** What the calls of the engine say, and what they are answered with. */
import type { Kind } from "../../kinds/kind.ts";
import type { JsonObject } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Properties } from "../properties/properties.ts";

/** A part of a property that differs. */
export interface ChangedPart {
  /** The name of the property, followed by keys within its value. */
  readonly keys: readonly [string, ...string[]];
  readonly action: "add" | "update" | "delete";
}

/** An object as a state holds it. */
export interface StoredObject {
  readonly kind: Kind;
  readonly id: string;
  readonly props: Properties;
}

export interface DiffResult {
  /** If it is absent, the engine works out the changes from the inputs. */
  readonly changes?: boolean;
  readonly replaces?: readonly string[];
  readonly deleteBeforeReplace?: boolean;
  /** What differs, for a provider that shows it itself. The process of dynamic providers ignores it. */
  readonly changed?: readonly ChangedPart[];
  /** Properties whose values a replace would lose, if the old object has them. */
  readonly lost?: readonly string[];
}

/** What is said to the engine, or asked of it, beside an answer. */
export interface EngineLog {
  /** Shows a message once, among the diagnostics of the run. @param urn the resource that it is about, if it is known */
  readonly warn: (message: string, urn?: string) => Promise<void>;
  readonly info: (message: string, urn?: string) => Promise<void>;
  /** The URN of the stack up to its project. Undefined if no program runs, or the engine does not say it. */
  readonly stack: () => Promise<string | undefined>;
}

/** What the packaged provider knows of a call. The process of dynamic providers does not pass it on. */
export interface CallContext {
  /** The time that the program gives the call. */
  readonly seconds?: number;
  /** The name of the resource for the engine. */
  readonly urn?: string;
  /** The paths in `ignoreChanges` of the resource. */
  readonly ignored?: readonly string[];
}

export interface CreatedResource {
  readonly id: string;
  readonly outs: Properties;
}

/** The result of `read`. Without an id the object is gone. */
export interface ReadResult {
  readonly id?: string;
  readonly props?: Properties;
  readonly inputs?: Properties;
}

/** An object that no state holds. */
export interface FoundObject {
  readonly live: LiveObject;
  /** Its row, with the fields that the service computes. */
  readonly row: JsonObject | undefined;
  /** Whether a text contains a secret of this run, such as the key. */
  readonly isSecret: (text: string) => boolean;
}

/** The configuration of the stack, as the process of dynamic providers passes it. */
export interface StackConfig {
  get(key: string): string | undefined;
  /** Set if it comes before the environment: it was given to this provider, which may be one of several of a program. */
  readonly comesFirst?: boolean;
  /** Once it is aborted, nothing is waited for, and nothing new is sent. */
  readonly signal?: AbortSignal;
}

/** An id with its place. */
export interface PlacedId {
  readonly id: string;
  /** The inputs that name the place, and the person if an e-mail identifies one. */
  readonly place: Properties;
}

/** An object by the id that it has in its place, and what people call it. */
export interface ListedObject {
  readonly id: string;
  readonly name: string;
}
