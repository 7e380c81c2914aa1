import { operations } from "../../api/operations/index.ts";
import { isKeyedByEmail, isScope, neverCreated, isDerived } from "../../kinds/registry.ts";
import { withArticle } from "../../model/text/plural.ts";
import { replacementOf } from "../../diff/replacement.ts";
import { mayHaveMade } from "../../engine/one-resource/shared-journal.ts";
import type { Kind } from "../../kinds/kind.ts";
import { commandLine } from "../../model/command.ts";
import type { LiveObject } from "../../model/live.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import type { JsonObject } from "../../model/json/json.ts";
import { topField } from "../../model/pointer.ts";
import type { Change } from "../../model/change.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import { outputs, stateId, withProviderText } from "../properties/outputs.ts";
import {
  MARK,
  parseDeclared,
  propertyKeys,
  UNWRITTEN,
  type DeclaredResource,
  type Properties,
} from "../properties/properties.ts";
import { failureReason, PartialFailure, refusalReason } from "./errors.ts";
import { readScopeWith, readScope, withOrganizations } from "./scope-read.ts";
import { createKey, findReplacement, keptBy } from "./interrupted-replace.ts";
import { missingOutput } from "./missing-fields.ts";
import type { ObjectOwners, Owner } from "./object-owners.ts";
import { applyRequest, planRequest, runSerially, type ResourceRequest } from "./plan-and-apply.ts";
import type { CreatedResource } from "./calls.ts";
import type { ProviderSession } from "./session.ts";

/** Hint for an `adopt` with an id that no object has. */
const PIN_HINT = "Correct the id in adopt, or remove adopt to create a new object";

interface CreateInputs {
  readonly kind: Kind;
  readonly inputs: Properties;
  /** The resource; empty if it is not known. */
  readonly urn: string;
  readonly owners: ObjectOwners;
}

/** Creates an object exactly once, or adopts an existing one. */
export async function create(session: ProviderSession, request: CreateInputs): Promise<CreatedResource> {
  const resource = await resolveAdopt(session, request);
  const declared = (await findReplaced(session, request, resource)) ?? resource;
  // The second create of a natural key has to see the object of the first one.
  return runSerially(session, declared, () => createNow(session, request, declared));
}

/**
 * A resource whose object is being replaced gets the new object, if that exists already. If this run has deleted the object that
 * was once adopted, there is none to adopt.
 */
async function resolveAdopt(session: ProviderSession, request: CreateInputs): Promise<DeclaredResource> {
  const { kind, inputs, urn, owners } = request;
  const declared = parseDeclared(kind, inputs);
  const own = owners.resumeAttempt(attemptKey(request), urn);
  // The e-mail identifies the person, even if the invite has become a member.
  if (own !== undefined) return { ...declared, adopt: isKeyedByEmail(kind.name) ? true : own };
  const isReplaced = (id: string): boolean => owners.object(id, inputs).replacement !== undefined;
  const replacement =
    owners.take(declared, "createdId") ??
    (owners.key(declared).isCompared ? await findReplacement(session, declared, isReplaced) : undefined);
  if (replacement !== undefined) return { ...declared, adopt: replacement };
  const isGone = typeof declared.adopt === "string" && owners.object(declared.adopt, inputs).isDeleted;
  return isGone ? { ...declared, adopt: false } : declared;
}

/** What an attempt is remembered by. The process of dynamic providers does not know the resource, but its inputs. */
function attemptKey({ inputs, urn }: CreateInputs): string {
  return urn === "" ? canonicalJson(inputs) : urn;
}

/** Returns the resource with what it keeps of the object that it replaces. Undefined if it replaces none. */
async function findReplaced(
  session: ProviderSession,
  { kind, inputs, owners }: CreateInputs,
  declared: DeclaredResource,
): Promise<DeclaredResource | undefined> {
  const before = owners.take(declared, "deleted");
  if (before !== undefined) {
    const { values } = replacementOf(kind, declared.values, before.values);
    // A program holds no secret expressions, only values.
    return { ...declared, values: { ...keptBy(declared, before), ...(values as JsonObject) } };
  }
  const { removal } = owners.key(declared).isCompared ? await session.journal.of(createKey(session, declared)) : {};
  if (owners.object(removal?.removed ?? "", inputs).replacement === undefined) return undefined;
  const adopt = declared.adopt === removal?.removed ? false : declared.adopt;
  return { ...declared, adopt, values: { ...removal?.carried, ...declared.values } };
}

async function createNow(
  session: ProviderSession,
  wanted: CreateInputs,
  declared: DeclaredResource,
): Promise<CreatedResource> {
  const { kind, inputs, urn, owners } = wanted;
  const attempt = attemptKey(wanted);
  const live =
    typeof declared.adopt === "string"
      ? await readScopeWith(session, declared, declared.adopt)
      : await readScope(session, declared);
  const world = await withOrganizations(session, kind, live);
  const request = toRequest(declared);
  const plan = planRequest(session, world, request);
  const [change] = plan.changes;
  const adoptedId = adoptedStateId(declared, change);
  const owner = adoptedId === undefined ? undefined : owners.object(adoptedId, inputs).owner();
  await requireAllowed(session, declared, plan, { owner, urn });
  const mark = { [MARK]: session.newMark() };
  const claimed = { ...inputs, ...mark };
  if (adoptedId !== undefined) {
    owners.object(adoptedId, inputs).claim(claimed, urn);
    owners.noteAttempt(attempt, { id: adoptedId, props: claimed, isMade: false });
  }
  const written = await applyRequest(session, plan, world, request);
  const problem = failureReason(written.outcome, PIN_HINT);
  const objectId = requireObject(change, written.outcome, problem);
  const id = stateId(kind, objectId, declared.name);
  const row = written.rows.get(objectId) ?? written.reread.get(objectId) ?? live.row(objectId);
  const state = { ...outputs(kind, inputs, row, mark), ...missingOutput(declared, world) };
  // If no create was sent, the object may be known from the journal alone. It was adopted as well.
  const isCreated = [...written.sent].some((name) => operations[name].effect === "create");
  if (adoptedId !== undefined || !isCreated) owners.object(id, state).claim(state, urn);
  owners.noteAttempt(attempt, problem === undefined ? undefined : { id, props: state, isMade: true });
  if (problem !== undefined)
    throw new PartialFailure(problem, id, withProviderText(inputs, { ...state, [UNWRITTEN]: true }));
  return { id, outs: state };
}

/**
 * Pulumi knows its objects by their ids, so driftline does not look for renamed ones. But a program that adopts an
 * organization must not create one because of a mistyped name.
 */
function toRequest(declared: DeclaredResource): ResourceRequest {
  const id = typeof declared.adopt === "string" ? declared.adopt : undefined;
  const lifecycle = { create: !isScope(declared.kind) || declared.adopt === false };
  return { declared, id, lifecycle };
}

/** The id in the state of the existing object that a plan would adopt. */
function adoptedStateId({ kind, name }: DeclaredResource, change: Change | undefined): string | undefined {
  const live = change?.action === "create" ? undefined : change?.work?.live;
  return live === undefined ? undefined : stateId(kind, live.id, name);
}

/** The resource that asks for an object, and who has that already. */
interface AskingResource extends Pick<CreateInputs, "urn"> {
  readonly owner: Owner | undefined;
}

async function requireAllowed(
  session: ProviderSession,
  declared: DeclaredResource,
  plan: Plan,
  asking: AskingResource,
): Promise<void> {
  const [change] = plan.changes;
  // An existing object is never replaced here. The rules about that would name options of the command line.
  const byRule = needsReplace(declared, change) ? undefined : refusalReason(plan, PIN_HINT);
  const reason = byRule ?? (await adoptionRefusal(session, declared, change, asking));
  if (reason !== undefined) throw new Error(reason);
}

/** Whether only a replace could give an existing object its declared values. The plan itself replaces an object that consists of others. */
function needsReplace({ kind }: DeclaredResource, change: Change | undefined): boolean {
  return change?.action === "replace" && !isDerived(kind);
}

/**
 * Returns the id of the object that the state will hold.
 *
 * @throws Error if the state must not hold one. An id that no list has shown may be mistyped, and a state that held it
 * could not recover. An object that existed before anything was written does not belong to this resource.
 */
function requireObject(change: Change | undefined, outcome: Outcome, problem: string | undefined): string {
  const isUnlisted = change?.action === "restore" && change.work?.live === undefined;
  const isForeign = outcome.status === "skipped" || (isUnlisted && outcome.status !== "unverified");
  const id = outcome.id ?? change?.id;
  if (isForeign && problem !== undefined) throw new Error(problem);
  if (id !== null && id !== undefined) return id;
  throw new Error(problem ?? "driftline: an object without an id; this is a defect");
}

/** Returns why an existing object must not be adopted. Returns undefined if it may be, or if there is none. */
async function adoptionRefusal(
  session: ProviderSession,
  declared: DeclaredResource,
  change: Change | undefined,
  { owner, urn }: AskingResource,
): Promise<string | undefined> {
  const { kind } = declared;
  const live = change?.work?.live;
  if (change === undefined || change.action === "create" || live === undefined) return undefined;
  const existing = `${withArticle(kind.name)} ${JSON.stringify(live.keys[0] ?? live.id)} already exists (id ${live.id})`;
  if (owner === "replaced")
    return `${existing}, and this resource was to replace it, but it was not deleted. Remove retainOnDelete and deleteBeforeReplace: false from the options of this resource, or give the new object another name`;
  if (owner === "another")
    return `${existing}, and another resource of this stack manages it: declare it once. If this resource replaces the other one, remove deleteBeforeReplace: false`;
  if (needsReplace(declared, change)) {
    const names = change.fields.map(({ path }) => propertyKeys(kind, [topField(path)]).join("."));
    const fields = [...new Set(names)].join(", ");
    return `the ${kind.name} ${live.id} already exists and differs in ${fields}, which cannot be changed: declare the live value, or remove the object first`;
  }
  if (declared.adopt !== false || neverCreated(kind) !== undefined || live.state === "placeholder") return undefined;
  if (await isFromInterruptedRun(session, declared, live.id)) return undefined;
  return `${existing}. If it is this resource, as after a run that ended on another machine, ${takeOver(declared, live, urn)}. If it is not, give this resource another name`;
}

/** How a resource, which has no URN if it is dynamic, takes over an object that exists. */
function takeOver({ kind, name, path }: DeclaredResource, { id }: LiveObject, urn: string): string {
  const own = stateId(kind, id, name);
  if (urn === "") return `set adopt: true, or adopt: ${JSON.stringify(own)}`;
  const placed = [...Object.values(path), isKeyedByEmail(kind.name) ? name : own].join("/");
  // The types of the parents come first. A name may itself contain what separates the parts.
  const [, , types = "", ...names] = urn.split("::");
  const words = ["pulumi", "import", types.split("$").at(-1) ?? "", names.join("::"), placed];
  const replaced = "If pulumi up --replace is to replace it, set deleteBeforeReplace: true in its options";
  return `run \`${commandLine(words)}\`, or set adopt: true. ${replaced}`;
}

/** Whether a run of this resource, or of its stack, that ended before its state was written has created the object. */
async function isFromInterruptedRun(
  session: ProviderSession,
  declared: DeclaredResource,
  id: string,
): Promise<boolean> {
  const wanted = createKey(session, declared);
  return mayHaveMade(await session.journal.of(wanted), { ...declared, key: wanted.key }, id);
}
