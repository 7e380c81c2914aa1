/**
 * driftline as a library: the stages that the command line is made of.
 *
 * @example
 * ```ts
 * import { defineConfig } from "driftline";
 * export default defineConfig({ driftline: 1, organizations: { acme: { name: "Acme Inc" } } });
 * ```
 * @packageDocumentation
 */
export { executePlan } from "./apply/apply.ts";
export type { ApplyContext } from "./apply/run.ts";
export { openJournal, type Journal } from "./apply/journal/journal.ts";
export { createTypedClient, type TypedClient } from "./api/typed/client.ts";
export { createClient, type Client, type ClientOptions, type Clock } from "./api/client.ts";
export { systemClock } from "./api/limits/clock.ts";
export { ApiError } from "./api/errors/errors.ts";
export { createRedactor, type Redactor } from "./api/redact/redact.ts";
export { defineConfig } from "./config/define.ts";
export { loadConfig, type LoadedConfig, type LoadOptions } from "./config/index.ts";
export type { Config } from "./generated/types.ts";
export type { Action, Blocked, Change, FieldChange } from "./model/change.ts";
export type { Diagnostic } from "./model/diagnostic.ts";
export { listKey } from "./model/live.ts";
export type { LiveList, LiveObject, LiveScope, LiveSnapshot } from "./model/live.ts";
export type { Outcome, OutcomesDocument, Status } from "./model/outcome.ts";
export type { Plan, PlanDocument, PlanOptions, Summary } from "./model/plan.ts";
export type { DesiredGraph, Resource } from "./model/resource.ts";
export { planDocument } from "./plan/document.ts";
export { makePlan } from "./plan/plan.ts";
export { neededReads } from "./plan/read-plan.ts";
export { resolveScopes } from "./plan/scopes.ts";
export { renderDiagnostics, renderOutcomes, renderPlan } from "./report/index.ts";
export { readOrganizations, takeSnapshot } from "./snapshot/snapshot.ts";
