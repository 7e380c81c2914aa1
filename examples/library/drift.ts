/** Prints what differs as Markdown, for a chat or a ticket. Sends GET only. */
import * as driftline from "driftline";

const { env } = process;
const config = await driftline.loadConfig({
  paths: ["driftline.yaml"],
  cwd: import.meta.dirname,
  env,
  vars: [],
  varFiles: [],
});
const mistakes = config.diagnostics.filter(({ severity }) => severity === "error");
if (mistakes.length > 0) throw new Error(driftline.renderDiagnostics(mistakes, { color: false }));

const redactor = driftline.createRedactor();
const clock = driftline.systemClock;
const client = driftline.createClient({
  url: env["DRIFTLINE_URL"] ?? "",
  key: env["DRIFTLINE_API_KEY"] ?? "",
  mode: "read",
  profile: "posthog",
  clock,
  redactor,
});

const drift = await driftline.planConfig(
  {
    config,
    client,
    options: { prune: false, only: [], rotate: [] },
    context: { env, clock, redactor, toolVersion: "my-report" },
  },
  "drift",
);
await client.close();
process.stdout.write(driftline.renderPlan(drift.document, "markdown", { color: false }));
