/** Applies what differs, unless it would delete something, and prints each change as it ends. Exits with 1 if one failed. */
import * as driftline from "driftline";

const { env } = process;
const cwd = import.meta.dirname;
const config = await driftline.loadConfig({ paths: ["driftline.yaml"], cwd, env, vars: [], varFiles: [] });
const mistakes = config.diagnostics.filter(({ severity }) => severity === "error");
if (mistakes.length > 0) throw new Error(driftline.renderDiagnostics(mistakes, { color: false }));

const redactor = driftline.createRedactor();
const clock = driftline.systemClock;
const url = env["DRIFTLINE_URL"] ?? "";
const key = env["DRIFTLINE_API_KEY"] ?? "";
const client = driftline.createClient({ url, key, mode: "write", profile: "posthog", clock, redactor });

const context = { env, clock, redactor, toolVersion: "my-tool" };
const run = await driftline.planConfig({ config, client, options: { prune: false, only: [], rotate: [] }, context });
if (run.plan.summary.delete > 0) throw new Error("The plan deletes something: look at it first.");

const outcomes = await driftline.applyPlan(
  run,
  { document: run.document },
  { onOutcome: ({ address, status }) => process.stdout.write(`${address} ${status}\n`) },
);
await client.close();
if (outcomes.changes.some(({ status }) => status !== "applied" && status !== "unchanged")) process.exitCode = 1;
