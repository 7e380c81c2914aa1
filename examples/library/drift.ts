/** Prints what differs as Markdown, for a chat or a ticket. Sends nothing but GET. */
import * as driftline from "driftline";

const paths = { paths: ["driftline.yaml"], cwd: import.meta.dirname, env: process.env, vars: [], varFiles: [] };
const { graph, hash, diagnostics } = await driftline.loadConfig(paths);
if (diagnostics.length > 0) throw new Error(driftline.renderDiagnostics(diagnostics, { color: false }));

const client = driftline.createClient({
  url: process.env["DRIFTLINE_URL"] ?? "",
  key: process.env["DRIFTLINE_API_KEY"] ?? "",
  mode: "read",
  profile: "posthog",
  clock: driftline.systemClock,
  redactor: driftline.createRedactor(),
});

// Organizations first: they tell where the rest is to be listed.
const root = await driftline.readOrganizations(client, []);
const [organizations = { status: "known", objects: [] }] = root.lists.values();
const { scopes, diagnostics: unresolved } = driftline.resolveScopes(graph, organizations);
const listed = await driftline.takeSnapshot(client, scopes, driftline.neededReads(graph, scopes, []));
const lists = new Map([...root.lists, ...listed.lists]);
const plan = driftline.makePlan(graph, { scopes, lists }, { prune: false, only: [], rotate: [] });
await client.close();

const document = driftline.planDocument(plan, {
  type: "driftline.drift",
  config_hash: hash,
  tool_version: "my-report",
  url: client.url,
  diagnostics: [...root.diagnostics, ...unresolved, ...listed.diagnostics],
});
process.stdout.write(driftline.renderPlan(document, "markdown", { color: false }));
