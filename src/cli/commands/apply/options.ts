import type { PlanningOptions } from "../../steps/plan-options.ts";

export interface ApplyCommandOptions extends PlanningOptions {
  readonly plan?: string;
  readonly yes?: boolean;
  readonly approve?: string;
  readonly confirmOrganization?: readonly string[];
  readonly allowLoss?: readonly string[];
  readonly pin?: boolean;
  /** Seconds after which an unanswered create can no longer take effect. */
  readonly settleAfter?: number;
}
