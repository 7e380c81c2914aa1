/**
 * driftline as a library: the engine of the command line, without a process or a terminal.
 *
 * @example
 * ```ts
 * const redactor = createRedactor();
 * const config = await loadConfig({ paths: ["driftline.yaml"], cwd: ".", env: process.env, vars: [], varFiles: [] });
 * const client = createClient({ url, key, mode: "write", profile: "posthog", clock: systemClock, redactor });
 * const context = { env: process.env, clock: systemClock, redactor, toolVersion: "my-tool" };
 * const run = await planConfig({ config, client, options: { prune: false, only: [], rotate: [] }, context });
 * console.log(renderPlan(run.document, "text", { color: false }));
 * const outcomes = await applyPlan(run, { document: run.document });
 * ```
 * @packageDocumentation
 */
export { ApiError } from "./api/errors/errors.ts";
export { createClient, type Client, type ClientOptions, type Clock } from "./api/client.ts";
export { systemClock } from "./api/limits/clock.ts";
export { createRedactor, type Redactor } from "./api/redact/redact.ts";
export { createTypedClient, type TypedClient } from "./api/typed/client.ts";
export { defineConfig } from "./config/define.ts";
export { loadConfig, type LoadedConfig, type LoadOptions } from "./config/index.ts";
export { acceptDrift, type Accepted } from "./engine/accept/acceptance.ts";
export { applyPlan, type ApplyHooks } from "./engine/apply/apply-plan.ts";
export type { Approval } from "./engine/apply/approval.ts";
export type { EngineContext, EngineInput } from "./engine/context.ts";
export { EngineError, type EngineErrorReason } from "./model/engine-error.ts";
export { exportOrganizations, type ExportSnapshot } from "./engine/export/export.ts";
export type { ExportSelection } from "./engine/export/selection.ts";
export { planConfig, type PlannedRun } from "./engine/plan/plan-config.ts";
export { parseSavedPlan } from "./engine/apply/saved-plan.ts";
export { requireSameSource } from "./engine/apply/stale-plan.ts";
export { exportConfiguration } from "./export/export.ts";
export type { ExportResult } from "./export/types.ts";
export type { Config } from "./generated/types.ts";
export type { Action, Blocked, Change, FieldChange } from "./model/change.ts";
export type { Diagnostic } from "./model/diagnostic.ts";
export type { Outcome, OutcomesDocument, Status } from "./model/outcome.ts";
export type { Plan, PlanDocument, PlanOptions, Summary } from "./model/plan.ts";
export type { DesiredGraph, Resource } from "./model/resource.ts";
export { renderDiagnostics, renderOutcomes, renderPlan } from "./report/index.ts";
