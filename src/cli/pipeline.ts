import type { Client } from "../api/client.ts";
import type { Redactor } from "../api/redact.ts";
import { withoutUnfinished } from "../apply/intents.ts";
import type { OpenIntent } from "../apply/journal.ts";
import type { LoadedConfig } from "../config/index.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveList, type LiveSnapshot } from "../model/live.ts";
import type { Plan, PlanDocument, PlanOptions } from "../model/plan.ts";
import { planDocument } from "../plan/document.ts";
import { isSelected, makePlan } from "../plan/plan.ts";
import { newlyEnforced, twoFactorWarnings } from "../plan/two-factor.ts";
import { neededReads } from "../plan/reads.ts";
import { resolveScopes } from "../plan/scopes.ts";
import { readOrganizations, takeSnapshot, type ReadNote } from "../snapshot/snapshot.ts";
import { EXIT } from "./exit-codes.ts";
import { Failure } from "./failure.ts";
import { redactedDiagnostics, redactedPlan } from "./redacted.ts";
import { publicUrl } from "./service.ts";
import { toolVersion } from "./version.ts";

/** A plan, what it was made of, and the document that shows it. */
export interface Planned {
  readonly plan: Plan;
  readonly snapshot: LiveSnapshot;
  readonly document: PlanDocument;
  /** What the service gave rise to; the document has the configuration's own as well. */
  readonly diagnostics: readonly Diagnostic[];
  /** How each list was read. */
  readonly notes: readonly ReadNote[];
}

/** What earlier runs on this machine have left. */
export interface Before {
  /** What is not known to have happened. */
  readonly intents: readonly OpenIntent[];
  /** What is to be said of changes that were tried before. */
  readonly remarks: (changes: readonly Change[]) => Promise<readonly Diagnostic[]>;
}

/** What a plan is made for, and with. */
export interface Planning extends Before {
  readonly type: PlanDocument["type"];
  readonly redactor: Redactor;
}

/** Whether anything that is planned may lie at an address or below it. */
function concerns(address: string, only: readonly string[]): boolean {
  return isSelected(address, only) || only.some((chosen) => chosen.startsWith(`${address}/`));
}

/** Reads what is needed of the service and decides, knowing what earlier runs left open: the one way to a plan. */
export async function planLive(
  client: Client,
  loaded: LoadedConfig,
  options: PlanOptions,
  { type, redactor, ...before }: Planning,
): Promise<Planned> {
  const { graph } = loaded;
  const declared = graph.resources.filter(({ kind }) => kind === "organization");
  const pins = declared.flatMap(({ pin }) => (pin === undefined ? [] : [pin.value]));
  const others = declared.some(({ pin, address }) => pin === undefined && concerns(address, options.only));
  const root = await readOrganizations(client, pins, undefined, others);
  const organizations: LiveList = root.lists.get(listKey("", "organization")) ?? { status: "known", objects: [] };
  const resolved = resolveScopes(graph, organizations);
  const mistaken = resolved.diagnostics.filter(({ code }) => code === "unknown_project");
  if (mistaken.some(({ address }) => concerns(address ?? "", options.only))) throw new Failure(EXIT.invalid, mistaken);
  const reading = await takeSnapshot(client, resolved.scopes, neededReads(graph, resolved.scopes, options.only));
  const seen: LiveSnapshot = { scopes: resolved.scopes, lists: new Map([...root.lists, ...reading.lists]) };
  const decideOn = (open: readonly OpenIntent[]): Pick<Planned, "plan" | "snapshot"> => {
    const snapshot = withoutUnfinished(seen, open, client.url);
    return { snapshot, plan: makePlan(graph, snapshot, options) };
  };
  const { plan, snapshot } = finishing(decideOn, before.intents);
  const warnings = twoFactorWarnings(plan.changes, await membersOf(client, seen, newlyEnforced(plan.changes)));
  const found: readonly Diagnostic[] = [
    ...root.diagnostics,
    ...resolved.diagnostics,
    ...reading.diagnostics,
    ...plan.diagnostics,
    ...warnings,
    ...(await before.remarks(plan.changes)),
  ];
  const diagnostics = redactedDiagnostics(found, redactor);
  const source = { config_hash: loaded.hash, tool_version: toolVersion(), url: publicUrl(client) };
  const everything = [...redactedDiagnostics(loaded.diagnostics, redactor), ...diagnostics];
  // Redacted before it is hashed: what is shown is what is saved.
  const document = planDocument(redactedPlan(plan, redactor), { type, ...source, diagnostics: everything });
  return { plan, snapshot, document, diagnostics, notes: [...root.notes, ...reading.notes] };
}

/**
 * The plan that finishes what earlier runs began. A replace that nobody wants any more is not finished: to that plan both of
 * its objects are there, for whoever declares them to tell which one is meant.
 */
function finishing(
  decideOn: (open: readonly OpenIntent[]) => Pick<Planned, "plan" | "snapshot">,
  intents: readonly OpenIntent[],
): Pick<Planned, "plan" | "snapshot"> {
  const open = intents.filter(({ replaces }) => replaces !== undefined);
  const made = decideOn(open);
  const wanted = open.filter(({ kind, replaces }) =>
    made.plan.changes.some((change) => change.action === "replace" && change.kind === kind && change.id === replaces),
  );
  return wanted.length === open.length ? made : decideOn(wanted);
}

/** The members of some organizations, for a warning: who may not be read warns of nothing. */
async function membersOf(
  client: Client,
  { scopes, lists }: LiveSnapshot,
  organizations: readonly string[],
): Promise<LiveSnapshot["lists"]> {
  const missing = organizations.filter((scope) => !lists.has(listKey(scope, "member")));
  if (missing.length === 0) return lists;
  const listings = missing.map((scope) => ({ scope, kind: "member" as const, full: false }));
  const reading = await takeSnapshot(client, scopes, listings);
  return new Map([...lists, ...reading.lists]);
}
