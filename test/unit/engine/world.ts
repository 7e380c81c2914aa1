/** A configuration in a folder, and a service in memory that only answers reads: enough for a plan, without a socket. */
import { createRedactor } from "../../../src/api/redact/redact.ts";
import type { Client } from "../../../src/api/client.ts";
import type { LoadedConfig } from "../../../src/config/index.ts";
import type { EngineInput } from "../../../src/engine/context.ts";
import { planConfig, type PlannedRun } from "../../../src/engine/plan/plan-config.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import type { PlanOptions, PlanPurpose } from "../../../src/model/plan.ts";
import { apiError, fakeClock } from "../apply/support.ts";
import { loadGood } from "../config/helpers.ts";
import { ACME, OPTIONS } from "../plan/world.ts";

export const SERVICE = "https://analytics.example";

/** What an operation answers: the rows of a list, a body, an error, or what depends on the ids in the path. */
type Reply = readonly JsonObject[] | JsonObject | Error;
export type Answers = Readonly<Record<string, Reply | ((path: Readonly<Record<string, string>>) => Reply)>>;

export interface Service {
  readonly client: Client;
  /** The operations that were requested, with the id if the path has one. */
  readonly asked: string[];
}

/** A service with these answers. What is read by its id is looked for in the list. It has the organization {@link ACME}. */
export function serviceOf(given: Answers, profile: Client["profile"] = "posthog"): Service {
  const answers: Answers = { "organizations.list": [ACME], ...given };
  const asked: string[] = [];
  const answerTo = async (operation: string, path: Readonly<Record<string, string>>): Promise<Json | undefined> => {
    asked.push([operation, ...(path["id"] === undefined ? [] : [path["id"]])].join(" "));
    await Promise.resolve();
    const answer = answers[operation];
    const reply = typeof answer === "function" ? answer(path) : answer;
    if (reply instanceof Error) throw reply;
    return reply;
  };
  const list = async (operation: string, path: Readonly<Record<string, string>>): Promise<readonly JsonObject[]> =>
    ((await answerTo(operation, path)) ?? []) as readonly JsonObject[];
  const client: Client = {
    url: SERVICE,
    profile,
    keyHashEnd: "a1b2",
    list: async (operation, path) => ({ rows: await list(operation, path), pages: 1 }),
    listReduced: async (operation, path, _query, reduce) => ({ rows: reduce(await list(operation, path)), pages: 1 }),
    request: async (operation, { path = {} } = {}) => {
      const known = await answerTo(operation, path);
      const rows = answers[operation.replace(/\.get$/u, ".list")];
      const row = Array.isArray(rows) ? rows.find((one: JsonObject) => String(one["id"]) === path["id"]) : undefined;
      const body = known ?? (row as JsonObject | undefined);
      if (body === undefined) throw apiError(operation, { kind: "not_found", status: 404, tookEffect: "no" });
      return { status: 200, body };
    },
    takeRetry: () => false,
    requests: () => asked.length,
    pace: () => ({ perRequest: 0, seenLimits: { insights: undefined, queries: undefined, others: undefined } }),
    close: () => Promise.resolve(),
  };
  return { client, asked };
}

/** A key that may not do this. */
export const denied = (operation: string, missingPermission?: string): Error =>
  apiError(operation, { kind: "scope", status: 403, missingPermission, tookEffect: "no" });

/** What a command gives the engine. The state folder does not exist. */
export function inputOf(config: LoadedConfig, { client }: Service, more: Partial<EngineInput> = {}): EngineInput {
  const context = {
    env: { DRIFTLINE_STATE_DIR: `${config.root}/no-state` },
    clock: fakeClock(),
    redactor: createRedactor(),
    toolVersion: "test",
  };
  return { config, client, options: OPTIONS, context, ...more };
}

export interface PlanWish extends Partial<Omit<EngineInput, "options">> {
  readonly options?: Partial<PlanOptions>;
  readonly purpose?: PlanPurpose;
}

/** The plan of files. Their folder is `run.input.config.root`. */
export async function planned(
  files: Parameters<typeof loadGood>[0],
  answers: Answers | Service,
  { options, purpose, config, ...more }: PlanWish = {},
): Promise<PlannedRun> {
  const service = "asked" in answers ? (answers as Service) : serviceOf(answers);
  const input = inputOf(config ?? (await loadGood(files)), service, more);
  return planConfig({ ...input, options: { ...OPTIONS, ...options } }, purpose);
}
