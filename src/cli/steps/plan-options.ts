import type { PlanOptions } from "../../model/plan.ts";
import type { ConfigOptions, FormatOptions, QuietOptions, ServiceOptions } from "../program/options.ts";

/** What the commands that make a plan are told: `plan`, `drift` and `apply`. */
export interface PlanningOptions extends ConfigOptions, ServiceOptions, FormatOptions, QuietOptions {
  readonly prune?: boolean;
  readonly only?: readonly string[];
  readonly rotate?: readonly string[];
  readonly recreate?: readonly string[];
  readonly unmanaged?: boolean;
}

/** The options of a command, as the engine takes them. */
export function planOptions({ prune, only, rotate, recreate }: PlanningOptions): PlanOptions {
  const options = { prune: prune === true, only: only ?? [], rotate: rotate ?? [] };
  return recreate === undefined ? options : { ...options, recreate };
}
