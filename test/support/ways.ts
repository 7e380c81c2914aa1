/** The two ways into the engine. What protects one of them has to protect the other. */
import { createClient, type ClientOptions } from "../../src/api/client.ts";
import { createRedactor } from "../../src/api/redact/redact.ts";
import { loadConfig } from "../../src/config/index.ts";
import { applyPlan } from "../../src/engine/apply/apply-plan.ts";
import { planConfig, type PlannedRun } from "../../src/engine/plan/plan-config.ts";
import type { OutcomesDocument } from "../../src/model/outcome.ts";
import type { PlanDocument } from "../../src/model/plan.ts";
import { outcomesOf, planOf } from "./cli.ts";
import { instantClock } from "../fault/support.ts";
import type { Workspace } from "./workspace.ts";

/** A way to plan and to apply what a workspace declares. */
export interface Way {
  readonly name: string;
  readonly plan: (space: Workspace, type?: PlanDocument["type"]) => Promise<PlanDocument>;
  /** An unanswered create may take effect for one second of an instant clock. */
  readonly apply: (space: Workspace) => Promise<OutcomesDocument>;
}

/** Seconds. */
const SETTLE_AFTER = 1;

const commandLine: Way = {
  name: "the command line",
  plan: async (space, type = "driftline.plan") =>
    planOf(await space.run([type === "driftline.plan" ? "plan" : "drift", "--format", "json"])),
  apply: async (space) => {
    const args = ["apply", "--yes", "--format", "json", "--settle-after", String(SETTLE_AFTER)];
    return outcomesOf(await space.run(args, { runtime: { clock: instantClock() } }));
  },
};

const library: Way = {
  name: "the library",
  plan: (space, type) => withLibrary(space, type, ({ document }) => Promise.resolve(document)),
  apply: (space) =>
    withLibrary(space, "driftline.plan", (run) =>
      applyPlan(run, { document: run.document }, { settleAfter: SETTLE_AFTER }),
    ),
};

export const WAYS: readonly Way[] = [commandLine, library];

/** Plans as a program does that uses the library, and hands the plan to `use`. */
export async function withLibrary<T>(
  { folder, env, emulator }: Workspace,
  type: PlanDocument["type"] | undefined,
  use: (run: PlannedRun) => Promise<T>,
  options: Pick<ClientOptions, "timeouts"> & { readonly clock?: ClientOptions["clock"] } = {},
): Promise<T> {
  const { clock = instantClock(), timeouts } = options;
  const redactor = createRedactor();
  const config = await loadConfig({ paths: ["driftline.yaml"], cwd: folder, env, vars: [], varFiles: [] });
  const { url, key } = emulator;
  const client = createClient({ url, key, mode: "write", profile: "posthog", clock, redactor, timeouts });
  try {
    const context = { env, clock, redactor, toolVersion: "test" };
    const limits = { prune: false, only: [], rotate: [] };
    const purpose = type === "driftline.drift" ? "drift" : "plan";
    return await use(await planConfig({ config, client, options: limits, context }, purpose));
  } finally {
    await client.close();
  }
}
