/**
 * Which changes are refused, and how a user can allow them. A rule only marks a change as blocked. It never makes a change.
 * Some blocks are set elsewhere: `pin_missing`, `pinned_elsewhere` and `not_there` where no object is found (../missing-pin.ts), `expired`
 * (./expired.ts), and two that need a request of the engine's: `lock_out` (./lock-out.ts, which also blocks with
 * `own_user`) and `destroys_more` (./destroys-more.ts). The words of the reasons are in ../../report/rule-reasons.ts, but for `query_required`
 * and `service_refuses`: these come from the kind.
 */
import { stepBeforeUpdate } from "../step-before-update.ts";
import { listedObjects } from "../../kinds/listed-objects.ts";
import { command, PLAN_HASH } from "../../model/command.ts";
import { quoted, visible } from "../../model/quote.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { allKinds, kinds } from "../../kinds/registry.ts";
import { declaredPlace } from "../../kinds/unknown-fields.ts";
import { isRemoval, type Blocked, type Change } from "../../model/change.ts";
import { topField } from "../../model/json.ts";
import { type LiveList, listKey, type LiveSnapshot } from "../../model/live.ts";
import { firstOf, plural } from "../../model/plural.ts";
import { suggest } from "../../model/suggest.ts";
import { claimKey } from "../match.ts";
import { liveScopeAt } from "../../kinds/live-scope.ts";
import { nameToConfirm } from "./override.ts";
import { lastOwnerRule, ownUserRule } from "./people-rules.ts";
import type { ExecutableChange, GuardInput, Rule } from "./types.ts";

/** More removals at once need approval: more than a number, or more than a share of a kind that has {@link SHARE_FROM} objects. */
interface Limit {
  readonly most: number;
  readonly share: number;
  readonly counts: (change: Change) => boolean;
}

/**
 * What is declared absent was written down by its name, and reviewed, so more of it may go. Both numbers stay below what a
 * mistake in a loop or in a copied file would remove.
 */
const LIMITS: readonly Limit[] = [
  { most: 5, share: 0.1, counts: (change) => willRemove(change) && !isDeclaredAbsent(change) },
  { most: 20, share: 0.5, counts: willRemove },
];
const SHARE_FROM = 10;

/** Returns the changes with `blocked` set where a rule refuses one: the first rule that does is named. */
export function applyGuards(changes: readonly Change[], input: GuardInput): readonly Change[] {
  const executable = changes.filter(isExecutable);
  const checked = changes.map((change) => blockedBy(change, OWN_RULES, input, executable));
  // A refused parent blocks its children, and refused changes do not count towards a limit.
  const byAddress = new Map(checked.map((change) => [change.address, change]));
  const guarded = checked.map((change) =>
    blockedBy(change, [(child) => parentRefused(child, input, byAddress)], input, executable),
  );
  const excess = excessOf(guarded, input.snapshot);
  return excess === undefined ? guarded : guarded.map((change) => limited(change, excess));
}

function isExecutable(change: Change): change is ExecutableChange {
  return change.work !== null;
}

function blockedBy(
  change: Change,
  rules: readonly Rule[],
  input: GuardInput,
  all: readonly ExecutableChange[],
): Change {
  if (!isExecutable(change) || change.blocked !== null) return change;
  for (const rule of rules) {
    const blocked = rule(change, input, all);
    if (blocked !== null) return { ...change, blocked };
  }
  return change;
}

const OWN_RULES: readonly Rule[] = [
  protectedObject,
  unwantedPrune,
  organizationCreate,
  organizationDelete,
  forgottenRename,
  peopleRules,
  incompleteReplace,
  secondReplacement,
  (change) => lossyReplace(change, undefined),
  verificationRequired,
  refusedByService,
];

/** The rules about members. Kinds without members are not asked. */
function peopleRules(change: ExecutableChange, input: GuardInput, all: readonly ExecutableChange[]): Blocked | null {
  if (kinds[change.kind].membership === undefined) return null;
  return ownUserRule(change, input) ?? lastOwnerRule(change, input, all);
}

function protectedObject(change: ExecutableChange): Blocked | null {
  return isRemoval(change) && change.work.resource?.lifecycle.protect === true
    ? { rule: "protect", remedy: "remove lifecycle.protect from the configuration" }
    : null;
}

function unwantedPrune({ kind, work }: ExecutableChange, { prune, snapshot }: GuardInput): Blocked | null {
  const { resource, live, scope } = work;
  // Only a pruned object has no resource.
  if (resource !== undefined) return null;
  const organization = liveScopeAt(snapshot, scope)?.values ?? {};
  const remedy = live && kinds[kind].writes.keptFromPrune?.(live, organization);
  if (remedy !== undefined) return { rule: "prune", remedy };
  return prune ? null : { rule: "prune", remedy: "", command: command("apply", { prune: true }) };
}

function organizationCreate({ action, kind, work }: ExecutableChange, { snapshot }: GuardInput): Blocked | null {
  const { resource, scope, key } = work;
  if (action !== "create" || kinds[kind].writes.requiresExplicitCreate !== true || resource?.lifecycle.create === true)
    return null;
  const names = (snapshot.lists.get(listKey(scope, kind))?.objects ?? []).flatMap(({ keys }) => keys.slice(0, 1));
  const remedy = `${nameAdvice(key ?? "", names)}, or declare lifecycle.create: true to create it`;
  return { rule: "organization_create", remedy };
}

/** More names are only counted. */
const MAX_NAMES = 8;

/** What to do about a name that no object has: the similar name, else the names that there are. */
function nameAdvice(declared: string, names: readonly string[]): string {
  const near = suggest(declared, names);
  if (near !== undefined) return `write the name ${quoted(near)} if that is meant`;
  if (names.length === 0) return "check the name and the key, which sees no organization";
  return `write the name of one that exists (${firstOf(names.map(quoted), MAX_NAMES)})`;
}

function organizationDelete(change: ExecutableChange): Blocked | null {
  return change.action === "delete" && kinds[change.kind].writes.requiresExplicitCreate === true
    ? {
        rule: "confirm_organization",
        remedy: "",
        command: command("apply", { confirmOrganization: nameToConfirm(change) ?? "" }),
      }
    : null;
}

/** If a create looks like a rename, the object that it looks like is not pruned either: it is probably the same. */
function forgottenRename(change: ExecutableChange, { renameCandidates }: GuardInput): Blocked | null {
  const { live } = change.work;
  const candidate = live === undefined ? renameCandidates.byCreate.get(change) : renameCandidates.byObject.get(live);
  if (candidate === undefined) return null;
  const [former] = candidate.keys;
  // An object without a natural key cannot be found by a former one.
  const same =
    former === undefined
      ? `id: ${visible(candidate.id)} if it is the same`
      : `id: ${visible(candidate.id)} or lifecycle.renamed_from: ${quoted(former)} if it was renamed`;
  return { rule: "forgotten_rename", remedy: `${same}, lifecycle.create: true if it is new` };
}

/**
 * If neither the configuration nor the live object shows a required field, no replacement can be created, and the object would
 * be gone.
 */
function incompleteReplace({ action, kind, work }: ExecutableChange): Blocked | null {
  const { resource } = work;
  if (action !== "replace" || resource === undefined) return null;
  const missing = kindSchema(kind).required.filter((field) => !Object.hasOwn(resource.values, field));
  return missing.length === 0
    ? null
    : { rule: "incomplete", remedy: `declare ${missing.join(", ")}, which a new object needs` };
}

/**
 * An object that nothing declares has the name of the replacement. A run whose journal is on another machine may have created it
 * and not removed the old object. The lists do not prove that, so a person decides.
 */
function secondReplacement(
  { action, id, work: { resource }, ...change }: ExecutableChange,
  { snapshot, claims }: GuardInput,
): Blocked | null {
  const kind = kinds[change.kind];
  if (action !== "replace" || resource === undefined || kind.writes.removeFirst === true) return null;
  const keys = kind.identity.declaredKeys(resource.values, resource.name);
  const listed = listedObjects(snapshot, resource.scope, kind.name);
  const others = listed.filter((live) => keys.some((key) => live.keys.includes(key)) && !claims.has(claimKey(live)));
  if (others.length === 0) return null;
  const ids = visible([...new Set(others.map((live) => live.id))].join(", "));
  const remedy = `remove the id ${ids} on the service if an earlier run created it as the replacement of the id ${visible(String(id))}, or declare it as well`;
  return { rule: "replacement_exists", remedy };
}

/**
 * What no read shows, or may be refused once the old object is gone, is not sent to the new object. So somebody has to declare it
 * or to give it up.
 *
 * @param options what `apply` needs besides the permission to lose values
 */
function lossyReplace({ address, kind, work }: Change, options: typeof APPROVE | undefined): Blocked | null {
  const fields = [...new Set(work?.lost?.map((path) => declaredPlace(kind, topField(path))))];
  if (fields.length === 0) return null;
  const remedy = `declare ${fields.join(", ")}, or allow the loss:`;
  return { rule: "replace_loses", remedy, command: command("apply", { allowLoss: address, ...options }) };
}

/**
 * A deployed server would refuse the whole change, so nothing of it is sent. The interface document knows no such refusal: a
 * service that does not show that it is a deployed server is sent the change.
 */
function verificationRequired(change: ExecutableChange, { snapshot }: GuardInput): Blocked | null {
  const step = stepBeforeUpdate(change);
  if (step === undefined) return null;
  const found = liveScopeAt(snapshot, change.work.scope);
  return found?.facts.isDeployed(found.values) === true ? { rule: "verification_required", remedy: step } : null;
}

/** The rows of a list show what a service takes. An empty list shows nothing: then the change is sent, and the answer decides. */
function refusedByService({ address, action, kind, work }: ExecutableChange, { snapshot }: GuardInput): Blocked | null {
  const list = snapshot.lists.get(listKey(work.scope, kind));
  const taken = list?.status === "known" ? list.taken : undefined;
  const refusal = taken && kinds[kind].writes.refusal?.(work.body, action, taken);
  if (refusal === undefined) return null;
  const { rule, remedy, isLive } = refusal;
  return { rule, remedy, ...(isLive === true ? { command: command("drift", { accept: true }, address) } : {}) };
}

function parentRefused(
  { action, work }: ExecutableChange,
  { snapshot }: GuardInput,
  byAddress: ReadonlyMap<string, Change>,
): Blocked | null {
  if (action !== "create" || snapshot.scopes.get(work.scope)?.status !== "absent") return null;
  const organization = work.scope.split("/")[0] ?? work.scope;
  const parent = byAddress.get(organization);
  if (parent?.action === "create" && parent.blocked === null && organization === work.scope) return null;
  if (parent?.action === "no_op")
    return { rule: "parent", remedy: `declare ${organization} as present, or remove this declaration` };
  if (parent === undefined || parent.blocked === null) return parentFirst(organization, work.scope);
  const { rule, remedy } = parent.blocked;
  return { ...parent.blocked, rule: "parent", remedy: `${organization} is blocked (${rule}): ${remedy}`.trim() };
}

/**
 * One run creates an organization with what is directly in it. Its projects exist only afterwards, and a command that selects the
 * organization would select what is blocked in them as well, so there is none for that.
 */
function parentFirst(organization: string, scope: string): Blocked {
  return scope === organization
    ? { rule: "parent", remedy: `apply ${organization} first:`, command: command("apply", { only: organization }) }
    : { rule: "parent", remedy: `apply again once ${organization} exists` };
}

const APPROVE = { approve: PLAN_HASH } as const;

/**
 * Blocks a removal by the limit. A replace that is blocked because it would lose values keeps that block, which `--allow-loss`
 * lifts, and needs `--approve` in addition.
 */
function limited(change: Change, detail: string): Change {
  if (!willRemove(change)) return change;
  const loses = lossyReplace(change, APPROVE);
  if (loses === null)
    return { ...change, blocked: { rule: "delete_limit", detail, remedy: "", command: command("apply", APPROVE) } };
  return { ...change, blocked: loses, work: change.work && { ...change.work, needsApproval: true } };
}

/** What the plan removes beyond its smallest limit, such as "7 of 60 insights; at most 5"; undefined if it needs no approval. */
function excessOf(changes: readonly Change[], { lists }: LiveSnapshot): string | undefined {
  for (const { most, share, counts } of LIMITS) {
    const removals = changes.filter(counts);
    const byKind = allKinds
      .map(({ name }) => ({ name, gone: removals.filter(({ kind }) => kind === name).length }))
      .filter(({ gone }) => gone > 0)
      .map((one) => ({ ...one, live: countLive(lists, one.name) }));
    const texts = byKind.map(({ name, gone, live }) => `${String(gone)} of ${plural(live, name.replaceAll("_", " "))}`);
    const shares = byKind.flatMap(({ gone, live }, index) =>
      live >= SHARE_FROM && gone > live * share ? [{ text: texts[index], limit: Math.floor(live * share) }] : [],
    );
    const total = removals.length > most ? [{ text: texts.join(", "), limit: most }] : [];
    // A user who keeps to a larger limit would be refused again.
    const [first] = [...shares, ...total].toSorted((a, b) => a.limit - b.limit);
    if (first !== undefined) return `${first.text ?? ""}; at most ${String(first.limit)}`;
  }
  return undefined;
}

/** Whether a removal will be made, or would be if the loss of values is allowed. */
function willRemove(change: Change): boolean {
  const { blocked } = change;
  return isRemoval(change) && (blocked === null || blocked.rule === "replace_loses");
}

function isDeclaredAbsent({ work }: Change): boolean {
  return work?.resource?.lifecycle.state === "absent";
}

function countLive(lists: ReadonlyMap<string, LiveList>, kind: Change["kind"]): number {
  return [...lists.values()]
    .flatMap((list) => list.objects)
    .filter((live) => live.kind === kind && live.deleted !== true && live.placeholder !== true).length;
}
