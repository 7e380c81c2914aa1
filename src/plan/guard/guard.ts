/**
 * Which changes are refused, and how a user can allow them. A rule only marks a change as blocked. It never makes a change.
 * Some blocks are set elsewhere: `pin_missing`, `pinned_elsewhere` and `not_there` where no object is found (../missing-pin.ts), `expired`
 * (./expired.ts), and two for which the engine reads more before: `lock_out` (./lock-out.ts, which also blocks with
 * `own_user`) and `destroys_more` (./destroys-more.ts). The words of the reasons are in ../../model/rule-reasons.ts. An apply
 * whose plan exceeds the limit of removals ends with words of its own (../../engine/apply/approval.ts). The remedies of
 * `query_required` and `service_refuses` come from the kind.
 */
import { stepBeforeUpdate } from "../step-before-update.ts";
import { undeclaredPrecedence } from "../../diff/compare.ts";
import { command } from "../../model/command.ts";
import { pointer } from "../../model/pointer.ts";
import { quoted, visible } from "../../model/quote.ts";
import { kinds } from "../../kinds/registry.ts";
import { isRemoval, type Blocked, type Change, type ChangeWithWork, type MovedPerson } from "../../model/change.ts";
import { listKey, scopePathAt } from "../../model/live.ts";
import { isDeployedAt, liveScopeAt } from "../../kinds/live-scope.ts";
import { heldNames } from "./held-names.ts";
import { limitRemovals } from "./delete-limit.ts";
import { organizationCreate, organizationDelete } from "./organization-rules.ts";
import { refusedParent } from "./parent-rule.ts";
import { lastOwner, ownUser } from "./people-rules.ts";
import { incompleteReplace, lossyReplace, secondReplacement } from "./replace-rules.ts";
import type { GuardInput, Rule } from "./types.ts";

/** Returns the changes with `blocked` set where a rule refuses one: the first rule that does is named. */
export function applyGuards(changes: readonly Change[], input: GuardInput): readonly Change[] {
  const withWork = changes.filter(hasWork);
  const own = changes.map((change) => blockedBy(change, OWN_RULES, input, withWork));
  // An owner whose removal another rule refuses stays.
  const going = own.filter(hasWork).filter(({ blocked }) => blocked === null);
  const checked = own.map((change) => blockedBy(change, [lastOwner], input, going));
  // A refused parent blocks its children, and refused changes do not count towards a limit.
  const byAddress = new Map(checked.map((change) => [change.address, change]));
  const afterParents = checked.map((change) =>
    blockedBy(change, [(child) => refusedParent(child, input, byAddress)], input, withWork),
  );
  const held = heldNames(afterParents, input.snapshot);
  const guarded = afterParents.map((change) =>
    change.blocked === null ? { ...change, blocked: held(change) } : change,
  );
  return limitRemovals(guarded, input.snapshot);
}

function hasWork(change: Change): change is ChangeWithWork {
  return change.work !== null;
}

function blockedBy(change: Change, rules: readonly Rule[], input: GuardInput, all: readonly ChangeWithWork[]): Change {
  if (!hasWork(change) || change.blocked !== null) return change;
  for (const rule of rules) {
    const blocked = rule(change, input, all);
    if (blocked !== null) return { ...change, blocked };
  }
  return change;
}

/** In the order in which a user decides: what is not wanted, which object it is, people, what is lost, what the service would refuse. */
const OWN_RULES: readonly Rule[] = [
  protectedObject,
  pruneWithoutOption,
  organizationCreate,
  organizationDelete,
  forgottenRename,
  ownUser,
  incompleteReplace,
  secondReplacement,
  (change) => lossyReplace(change),
  verificationRequired,
  editedAsQuery,
  refusedByService,
];

function protectedObject(change: ChangeWithWork): Blocked | null {
  return isRemoval(change) && change.work.resource?.lifecycle.protect === true
    ? { rule: "protect", remedy: "remove lifecycle.protect from the configuration" }
    : null;
}

function pruneWithoutOption({ kind, work }: ChangeWithWork, { prune, snapshot }: GuardInput): Blocked | null {
  const { resource, live, scope } = work;
  // Only a pruned object has no resource.
  if (resource !== undefined) return null;
  const organization = liveScopeAt(snapshot, scope)?.values ?? {};
  const remedy = live && kinds[kind].writes.keptFromPrune?.(live, organization);
  if (remedy !== undefined) return { rule: "prune", remedy };
  return prune ? null : { rule: "prune", remedy: "", command: command("apply", { prune: true }) };
}

/** If a create looks like a rename, the object that it looks like is not pruned either: it is probably the same. */
function forgottenRename(change: ChangeWithWork, { renameCandidates }: GuardInput): Blocked | null {
  const { live, moved } = change.work;
  if (moved !== undefined) return movedPerson(change, moved);
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

/** A person with a new address is neither removed nor invited again. */
function movedPerson({ address, work }: ChangeWithWork, { address: other, email }: MovedPerson): Blocked {
  const declared = work.live === undefined ? address : other;
  const remedy = `${visible(email)} (${other}) is probably the same person: declare lifecycle.create: true at ${declared} if it is another one, and accept the new address if not:`;
  return { rule: "forgotten_rename", remedy, command: command("drift", { accept: true }, declared) };
}

/**
 * A deployed server would refuse the whole change, so nothing of it is sent. The interface document knows no such refusal: a
 * service that does not show that it is a deployed server is sent the change.
 */
function verificationRequired(change: ChangeWithWork, { snapshot }: GuardInput): Blocked | null {
  const step = stepBeforeUpdate(change);
  if (step === undefined) return null;
  const { scope, live } = change.work;
  if (!isDeployedAt(snapshot, scope)) return null;
  const check = live && kinds[change.kind].writes.checkStep?.(scopePathAt(snapshot.scopes, scope), live.id);
  return { rule: "verification_required", remedy: `${step}:`, command: check };
}

/** A write of the declared field would undo an edit in the web interface, or change nothing. */
function editedAsQuery({ address, kind, fields, work }: ChangeWithWork): Blocked | null {
  const { resource, live } = work;
  if (resource === undefined || live === undefined) return null;
  const shown = undeclaredPrecedence(kinds[kind], resource.values, live.values);
  if (shown === undefined || !fields.some(({ path }) => path === pointer(shown.of))) return null;
  const remedy = `declare the ${shown.of} in the place of ${shown.over}, as this does:`;
  return { rule: "edited_as_query", remedy, command: command("drift", { accept: true }, address) };
}

/** The rows of a list show what a service takes. An empty list shows nothing: then the change is sent, and the answer decides. */
function refusedByService({ address, action, kind, work }: ChangeWithWork, { snapshot }: GuardInput): Blocked | null {
  const list = snapshot.lists.get(listKey(work.scope, kind));
  const taken = list?.status === "known" ? list.taken : undefined;
  const refusal = taken && kinds[kind].writes.refusal?.(work.body, action, taken);
  if (refusal === undefined) return null;
  const { rule, remedy, isLive } = refusal;
  return { rule, remedy, ...(isLive === true ? { command: command("drift", { accept: true }, address) } : {}) };
}
