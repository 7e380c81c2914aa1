/**
 * Compares a configuration with a service: fetches the live state, and makes the plan.
 *
 * Terms: the prior state is what earlier runs on this machine left: open intents of creates, and objects that they created lately.
 * Premise: lists may lag behind a create, and a replace may have been interrupted between its create and its delete. A plan
 * that believed the lists alone would create a second object, or leave the replace unfinished.
 * Algorithm:
 * 1. Read what is declared (src/plan/declared-world.ts). If the declared ids of organizations are all that a plan needs of them, plan
 *    without reading them, and keep that plan unless it turns out to need them (`needsOrganizations`). Otherwise read them.
 * 2. Plan as if unfinished replaces had created nothing, and so with creates that another run may have made. If one of them is no longer
 *    wanted, plan again with its objects visible.
 * 3. Look up recent creates that the lists do not show. If there are any, do step 2 again with them. All this is one pure function of
 *    what was read, which names what is missing, until nothing is (`untilKnown`).
 * 4. Check the whole plan (src/plan/guard). Read what the checks need: who may be locked out, what removals destroy beside their objects.
 * 5. Find the values that removals take away, and the undeclared values of the resources. Name the collections in which nothing is
 *    declared, or read them if that is wanted.
 * 6. For drift, read who changed an object last, and with what.
 */
import { onlyModified } from "./modified-filter.ts";
import { configHash, literalSecrets, registerConfigSecrets } from "../../config/index.ts";
import type { PriorRunState } from "../../apply/journal/records.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Change } from "../../model/change.ts";
import type { PlannedRead, LiveWorld } from "../../model/live.ts";
import type { Plan, PlanDocument, PlanPurpose } from "../../model/plan.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { planDocument, type DocumentContext } from "../../plan/document.ts";
import { checkChanges, wholePlanChecks } from "../../plan/guard/guard.ts";
import type { MatchedPlan } from "../../plan/make-plan.ts";
import { type DeclaredWorld, declaredWorld, worldFromPins } from "../../plan/declared-world.ts";
import { declaredReads } from "../../plan/lists-to-read.ts";
import { withNames } from "../../plan/references.ts";
import { withChanges } from "../../plan/summarize.ts";
import { needsOrganizations } from "../../plan/scopes-from-pins.ts";
import { listProblems } from "../../world/list-problems.ts";
import { untilKnown } from "../../world/until-known.ts";
import { reviewPeople } from "../../kinds/people/index.ts";
import { type ListReadStats, type Needing, unansweredReads, type World, worldOf } from "../../kinds/world.ts";
import { checkWhole, requireAddresses } from "../addresses.ts";
import type { EngineInput } from "../context.ts";
import { configDiagnostics, failingRouteWarnings, nothingDeclared, selectWarnings } from "./warnings.ts";
import { nothingToAllow } from "./nothing-to-allow.ts";
import { MAX_READS, withLastChanges } from "./last-changes.ts";
import { addLinks } from "./links.ts";
import { addUndeclaredValues } from "./undeclared-values.ts";
import { withUndeclared, type WiderPlan } from "./undeclared-lists.ts";
import { redacted } from "../redact.ts";
import { withoutSecretValues } from "../secret-variables.ts";
import { addRemovedValues } from "./removed-values.ts";
import { withRecentCreates } from "./recent-creates.ts";
import { type DatedInput, type PlanOfWorld, planUnfinished, withoutUnanswered } from "./unfinished.ts";
import { readStoredState, type StoredState } from "../state/state-files.ts";

/** A plan with its document, and everything that is needed to apply it. */
export interface PlannedRun {
  readonly input: EngineInput;
  readonly plan: Plan;
  /** The changes of all resources by address, also of those that the plan leaves out. */
  readonly planned: ReadonlyMap<string, Change>;
  /** The live state that the plan was made from. */
  readonly world: LiveWorld;
  /** The plan as it is shown, saved and hashed: without secrets, with all diagnostics. */
  readonly document: PlanDocument;
  /** How each list was read. */
  readonly stats: readonly ListReadStats[];
}

/** The run with more diagnostics in its document, without secrets. The plan and its hash stay as they are. */
export function withDiagnostics(run: PlannedRun, more: readonly Diagnostic[]): PlannedRun {
  const { document } = run;
  return { ...run, document: { ...document, diagnostics: [...document.diagnostics, ...more] } };
}

/**
 * Compares a configuration with the service. Sends GET only, writes no file, takes no lock.
 *
 * @param purpose a drift says who changed an object last, when, and with which client. For files that accept it, the warnings are about
 *   what they give up, not about what the service lacks
 * @throws EngineError `invalid` if an address of the options does not exist, or if a declared project does not belong to its
 *   organization; `refused` if it is to prune, the configuration is only a part, and `partial` of the input does not say what then
 */
export async function planConfig(input: EngineInput, purpose: PlanPurpose = "plan"): Promise<PlannedRun> {
  const { config, client, options, context } = input;
  requireAddresses(config, options);
  const wholeness = checkWhole(input);
  registerConfigSecrets(config, context.env, context.redactor);
  const state = withoutUnanswered(await readStoredState(context, client), purpose);
  const first = await readAndPlan(input, state);
  const { world, matches } = first;
  const checks = await untilKnown(client, world, (answered) => withChecks(input, first, answered, state, purpose));
  const values = addUndeclaredValues(input, addRemovedValues(checks.plan), { purpose, world });
  const whole = withNames(values.plan, world);
  const shown = await untilKnown(client, checks.answered, (answered) =>
    shownPlan(input, { plan: whole, matches }, answered, purpose),
  );
  const { plan } = shown;
  const ofChanges = [...checks.warnings, ...values.diagnostics];
  const ofRun = redacted(diagnosticsOf(input, first, ofChanges, shown), context.redactor);
  const type = purpose === "plan" ? "driftline.plan" : "driftline.drift";
  const { hash, ...document } = documentOf(input, plan, { type, not_read: shown.notRead, diagnostics: [] });
  return {
    input,
    plan,
    planned: matches.planned,
    world,
    document: { ...document, hash, diagnostics: [...wholeness(hash), ...ofRun] },
    stats: shown.answered.answers.stats,
  };
}

/** What a run says. @param ofChanges what the checks say, also of changes that the shown plan leaves out */
function diagnosticsOf(
  { config, client, options, losses }: EngineInput,
  made: ReadPlan,
  ofChanges: readonly Diagnostic[],
  { plan, diagnostics, ofPeople, filtered }: ShownPlan,
): readonly Diagnostic[] {
  const left = new Set(plan.changes.map(({ address }) => address));
  const ofService = [
    ...listProblems(made.world.lists.values()),
    ...made.diagnostics,
    ...diagnostics,
    ...plan.diagnostics,
  ];
  return [
    // Reports show only the first warnings: people come first, then what a change would do.
    ...ofPeople,
    ...ofChanges.filter(({ address }) => address === undefined || left.has(address)),
    ...nothingDeclared(config),
    ...nothingToAllow(config.graph, plan.changes, losses),
    ...configDiagnostics(config, plan.changes, options.only),
    ...selectWarnings(ofService, options.only),
    ...failingRouteWarnings(config.graph, client.profile, plan.changes),
    ...filtered,
  ];
}

/** What only a plan of a whole configuration is checked for. */
function withChecks(
  { config, context, options }: EngineInput,
  { plan, matches }: MatchedPlan,
  world: World,
  { ignoredByService }: StoredState,
  purpose: PlanPurpose,
): Needing & { readonly plan: Plan; readonly warnings: readonly Diagnostic[] } {
  const { prune, only } = options;
  const memory = { now: context.clock.now(), ignoredByService };
  const given = { changes: plan.changes, graph: config.graph, world, ...matches, prune, purpose, only, memory };
  const { changes, ...said } = checkChanges(wholePlanChecks(purpose), given);
  return { ...said, plan: withChanges(plan, changes) };
}

/** The plan as a report shows it, and what that leaves out. */
interface ShownPlan extends WiderPlan {
  /** What is said about the filter of a drift, and about whom was not looked up. */
  readonly filtered: readonly Diagnostic[];
  readonly ofPeople: readonly Diagnostic[];
}

/** The plan with what is undeclared besides; a drift with who changed what, and only the wanted differences; and links. */
function shownPlan(input: EngineInput, made: MatchedPlan, world: World, purpose: PlanPurpose): ShownPlan {
  const wider = withUndeclared(input, made, world);
  const isAllAsked = input.modified?.by !== undefined || purpose === "acceptance";
  const complete =
    purpose === "plan"
      ? { plan: wider.plan, needs: [], diagnostics: [] }
      : withLastChanges(world, wider.plan, isAllAsked ? Infinity : MAX_READS);
  const wanted = onlyModified(complete.plan, input.modified ?? {}, world);
  const reviewed = reviewPeople(input.config.graph, wanted.plan, world);
  return {
    ...wider,
    plan: addLinks(reviewed.plan, world, input.client.url),
    filtered: [...complete.diagnostics, ...wanted.diagnostics],
    ofPeople: reviewed.diagnostics,
    needs: [...wider.needs, ...complete.needs],
  };
}

/** A plan, the live state that it was made from, and what is wrong with the scopes. The lists have their own problems. */
type ReadPlan = PlanOfWorld & Pick<DeclaredWorld, "needs" | "diagnostics">;

/**
 * Reads the live state, and makes the plan, without its document.
 *
 * @param begun what was read already, and the collections to read with all objects in the place of the exclusive ones
 */
export async function readAndPlan(
  input: EngineInput,
  prior: PriorRunState,
  begun: { readonly world?: World; readonly collections?: DesiredGraph["exclusive"] } = {},
): Promise<ReadPlan> {
  const { client, config, options, context } = input;
  const reads = declaredReads(config.graph, options.only, begun.collections);
  const dated = { ...input, now: context.clock.now() };
  return untilKnown(client, begun.world ?? worldOf(), (world) => planFrom(dated, prior, reads, world));
}

/** The plan by the declared ids of organizations, as long as nothing shows that it needs the organizations. */
function planFrom(input: DatedInput, prior: PriorRunState, reads: readonly PlannedRead[], world: World): ReadPlan {
  const { graph } = input.config;
  const { only } = input.options;
  const wanted = { graph, only, reads };
  const fromPins = worldFromPins(wanted, world);
  const made = fromPins && planWithRecentCreates(input, prior, fromPins);
  const isFinal = made !== undefined && unansweredReads(world, made.needs).length === 0;
  if (made !== undefined && !(isFinal && needsOrganizations(made.plan.changes))) return made;
  return planWithRecentCreates(input, prior, declaredWorld(wanted, world));
}

function planWithRecentCreates(input: DatedInput, prior: PriorRunState, declared: DeclaredWorld): ReadPlan {
  const { world: listed, diagnostics } = declared;
  const first = planUnfinished(input, prior, listed);
  const { world, needs } = withRecentCreates(input.client.url, listed, first.plan.changes, prior.created);
  const made = world === listed ? first : planUnfinished(input, prior, world);
  return { ...made, needs: [...declared.needs, ...needs], diagnostics };
}

/** The plan is redacted before it is hashed: what is shown is what is saved. */
function documentOf(
  { config, client, context, source }: EngineInput,
  plan: Plan,
  more: Pick<DocumentContext, "type" | "not_read" | "diagnostics">,
): PlanDocument {
  const { redactor, toolVersion } = context;
  const files = [...config.fileHashes].map(([file, hash]) => ({ file, hash }));
  return planDocument(plan, {
    ...more,
    redact: (shown) => redacted(shown, redactor),
    config_hash: configHash(config.graph),
    tool_version: toolVersion,
    url: client.url,
    source: source && withoutSecretValues({ ...source, files }, literalSecrets(config.graph.resources), redactor),
  });
}
