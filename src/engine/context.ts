import { command } from "../model/command.ts";
import { engineError } from "../model/engine-error.ts";
import type { ModifiedFilter } from "./plan/modified-filter.ts";
import type { Client, Clock } from "../api/client.ts";
import type { Redactor } from "../api/redact/redact.ts";
import type { LoadedConfig } from "../config/index.ts";
import type { PlanOptions, PlanSource } from "../model/plan.ts";

/** What the engine needs of its surroundings. It reads no global and prints nothing. */
export interface EngineContext {
  /** Names the state folder, and holds the values of secrets at the moment of sending. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  /** Takes secrets out of everything that the engine returns. */
  readonly redactor: Redactor;
  /** Once aborted, requests in flight are finished and nothing new is started. */
  readonly signal?: AbortSignal | undefined;
  /** Version of the tool, as documents show it. */
  readonly toolVersion: string;
}

/** A configuration to be compared with a service. */
export interface EngineInput {
  readonly config: LoadedConfig;
  readonly client: Client;
  readonly options: PlanOptions;
  /** Whether lists in which nothing is declared are read as well, to find undeclared objects there. It changes no change. */
  readonly unmanaged?: boolean | undefined;
  /** Which differences a drift report shows; all of them if it is absent. */
  readonly modified?: ModifiedFilter | undefined;
  /** What to do if a plan that prunes has only a part of the configuration: say it, or go on with its hash. Without it, the plan is refused. */
  readonly partial?: "report" | "approved" | undefined;
  /** Addresses whose change may lose something for good: a plan says where that lifts nothing. */
  readonly losses?: readonly string[] | undefined;
  /** How the run was given. The document remembers it, without secrets. */
  readonly source?: PlanSource | undefined;
  readonly context: EngineContext;
}

/** @throws EngineError `interrupted` if the signal was aborted */
export function requireNotInterrupted({ signal }: EngineContext, name = "apply"): void {
  if (signal?.aborted === true)
    throw engineError("interrupted", "interrupted", "the run was interrupted", {
      hint: "Nothing was written. To go on:",
      command: command(name),
    });
}
