import type { Client } from "../api/client.ts";
import type { Redactor } from "../api/redact/redact.ts";
import { hideUnfinishedReplaces } from "../apply/journal/intents.ts";
import type { OpenIntent } from "../apply/journal/intent.ts";
import type { PriorRunState } from "../apply/journal/journal.ts";
import type { LoadedConfig } from "../config/index.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { LiveSnapshot } from "../model/live.ts";
import type { Plan, PlanDocument, PlanOptions } from "../model/plan.ts";
import type { DesiredGraph } from "../model/resource.ts";
import { planDocument } from "../plan/document.ts";
import { needsOrganizations, organizationsFromPins } from "../plan/scopes.ts";
import { makePlan } from "../plan/plan.ts";
import { declaredReads } from "../plan/read-plan.ts";
import type { ListReadStats } from "../snapshot/snapshot.ts";
import { addLastModifiedBy } from "./last-modified.ts";
import { fetchDeclared, fetchPinnedScopes, snapshotFromPins, type FetchResult } from "./fetch.ts";
import { redactDiagnostics, redactPlan } from "./redact.ts";
import { publicUrl, toolVersion } from "../cli/connect.ts";
import { addRecentCreates } from "./recent-creates.ts";
import { planWarnings } from "./warnings.ts";

/** A plan, what it was made of, and the document that shows it. */
export interface Planned {
  readonly plan: Plan;
  readonly snapshot: LiveSnapshot;
  readonly document: PlanDocument;
  /** What the service gave rise to; the document has the configuration's own as well. */
  readonly diagnostics: readonly Diagnostic[];
  /** How each list was read. */
  readonly notes: readonly ListReadStats[];
}

/** A plan, and what it was made of. */
type Decided = Pick<Planned, "plan" | "snapshot">;

/** What earlier runs on this machine have left. */
export interface EarlierRuns extends PriorRunState {
  /** What is to be said of changes that were tried before. */
  readonly remarks: (changes: readonly Change[]) => Promise<readonly Diagnostic[]>;
}

/** What a plan is made for, and with. */
export interface Planning extends EarlierRuns {
  readonly type: PlanDocument["type"];
  readonly redactor: Redactor;
}

/** Reads what is needed of the service and decides, knowing what earlier runs left open: the one way to a plan. */
export async function planLive(
  client: Client,
  loaded: LoadedConfig,
  options: PlanOptions,
  { type, redactor, ...before }: Planning,
): Promise<Planned> {
  const { graph } = loaded;
  const decide = (seen: LiveSnapshot): Decided =>
    finishing((open) => {
      const snapshot = hideUnfinishedReplaces(seen, open, client.url);
      return { snapshot, plan: makePlan(graph, snapshot, options) };
    }, before.intents);
  const decideOn = async ({ snapshot: seen }: FetchResult): Promise<Decided> => {
    const made = decide(seen);
    const whole = await addRecentCreates(client, seen, made.plan.changes, before.created);
    return whole === undefined ? made : decide(whole);
  };
  const { seen, plan: decided, snapshot } = await readAndDecide(client, graph, options.only, decideOn);
  const plan = type === "driftline.drift" ? await addLastModifiedBy(client, snapshot, decided) : decided;
  const warnings = await planWarnings(client, seen.snapshot, plan.changes);
  const found: readonly Diagnostic[] = [
    ...seen.diagnostics,
    ...plan.diagnostics,
    ...warnings,
    ...(await before.remarks(plan.changes)),
  ];
  const diagnostics = redactDiagnostics(found, redactor);
  const source = { config_hash: loaded.hash, tool_version: toolVersion(), url: publicUrl(client) };
  const everything = [...redactDiagnostics(loaded.diagnostics, redactor), ...diagnostics];
  // Redacted before it is hashed: what is shown is what is saved.
  const document = planDocument(redactPlan(plan, redactor), { type, ...source, diagnostics: everything });
  return { plan, snapshot, document, diagnostics, notes: seen.notes };
}

/** Where pins are all that is declared of the organizations, these are read only if the plan turns out to need them. */
async function readAndDecide(
  client: Client,
  graph: DesiredGraph,
  only: readonly string[],
  decideOn: (seen: FetchResult) => Promise<Decided>,
): Promise<Decided & { readonly seen: FetchResult }> {
  const reads = declaredReads(graph, only);
  const pinned = fetchPinnedScopes(client, graph, reads);
  const organizations = organizationsFromPins(graph, only);
  if (organizations !== undefined) {
    const seen = snapshotFromPins(graph, organizations, await pinned);
    const made = await decideOn(seen);
    if (!needsOrganizations(made.plan.changes)) return { seen, ...made };
  }
  const seen = await fetchDeclared(client, graph, only, reads, pinned);
  return { seen, ...(await decideOn(seen)) };
}

/**
 * The plan that finishes what earlier runs began. A replace that nobody wants any more is not finished: to that plan both of
 * its objects are there, for whoever declares them to tell which one is meant.
 */
function finishing(decideOn: (open: readonly OpenIntent[]) => Decided, intents: readonly OpenIntent[]): Decided {
  const open = intents.filter(({ replaces }) => replaces !== undefined);
  const made = decideOn(open);
  const wanted = open.filter(({ kind, replaces }) =>
    made.plan.changes.some((change) => change.action === "replace" && change.kind === kind && change.id === replaces),
  );
  return wanted.length === open.length ? made : decideOn(wanted);
}
