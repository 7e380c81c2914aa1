import { isKeyedByEmail, isRestorable, isScope, isDerived } from "../../kinds/registry.ts";
import type { JsonObject } from "../../model/json/json.ts";
import type { LiveObject, LiveWorld } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { pointerKeys } from "../../model/pointer.ts";
import { diff, differencesOf } from "./diff.ts";
import { PartialFailure, failureReason, refusalReason } from "./errors.ts";
import { readScopeWith, withOrganizations } from "./scope-read.ts";
import { outputs, withProviderText } from "../properties/outputs.ts";
import {
  interfaceKeys,
  parseDeclared,
  UNWRITTEN,
  type DeclaredResource,
  type Properties,
} from "../properties/properties.ts";
import { journalRemoval } from "./interrupted-replace.ts";
import { missingOutput } from "./missing-fields.ts";
import type { ObjectOwners } from "./object-owners.ts";
import type { StoredObject } from "./calls.ts";
import { replace } from "./replace.ts";
import type { ProviderSession } from "./session.ts";
import {
  applyRequest,
  runSerially,
  planRequest,
  type ResourceRequest,
  type WrittenResource,
} from "./plan-and-apply.ts";

/** How often a write is tried. Each try reads the object again if it had changed in between. */
const MAX_TRIES = 3;

/**
 * Updates an object to its declared values, as far as the preview has shown them: what somebody else has changed since is left alone.
 * Sends nothing if only the state has to change.
 *
 * @param ignored paths of Pulumi that the program ignores
 */
export async function update(
  session: ProviderSession,
  { kind, id, props: olds }: StoredObject,
  news: Properties,
  ignored: readonly string[],
): Promise<{ outs: Properties }> {
  const declared = parseDeclared(kind, news);
  const differences = differencesOf(kind, olds, news);
  // Only the state shows that a secret has changed, because the service does not return it.
  const rotate = differences.some(({ schema }) => schema?.writeOnly === true);
  // The engine also asks for an update if the last write did not end well. Then the state does not show what is missing.
  const isRepair = olds[UNWRITTEN] === true || diff(kind, olds, news).changes === false;
  const hides = ignored.map((path) => interfaceKeys(kind, path));
  const isShown = (keys: readonly string[]): boolean =>
    !hides.some((one) => leadsInto(keys, one)) &&
    (isRepair || differences.some((one) => leadsInto(keys, one.keys) || leadsInto(one.keys, keys)));
  const request: ResourceRequest = { declared, id, lifecycle: {}, rotate, isShown };
  const written = await write(session, request);
  const state = { ...outputs(kind, news, written.row, olds), ...missingOutput(declared, written.world) };
  const problem = failureReason(written.outcome, goneHint(request));
  if (problem === undefined) return { outs: state };
  if (written.outcome.status === "unverified")
    throw new PartialFailure(problem, id, withProviderText(news, { ...state, [UNWRITTEN]: true }));
  throw new Error(problem);
}

/** Whether a path leads to a value or into it. A `*` stands for any key. */
function leadsInto(keys: readonly string[], outer: readonly string[]): boolean {
  return outer.length <= keys.length && outer.every((key, index) => key === "*" || key === keys[index]);
}

/** Removes an object. If it is to be replaced, it is not removed before there is another one, where the kind allows that. */
export async function remove(session: ProviderSession, stored: StoredObject, owners: ObjectOwners): Promise<void> {
  const { id, props } = stored;
  const next = owners.object(id, props).replacement;
  const createdId = next && (await replace(session, stored, next));
  const before = createdId === undefined ? await removeOnly(session, stored, next) : undefined;
  owners.recordDelete(id, props, before);
  if (next !== undefined && createdId !== undefined) owners.key(next).createdId = createdId;
}

/**
 * Removes an object, and returns it as it was. An object that is gone already is not an error.
 *
 * @param next the resource whose object is to replace it
 */
async function removeOnly(
  session: ProviderSession,
  { kind, id, props }: StoredObject,
  next: DeclaredResource | undefined,
): Promise<LiveObject | undefined> {
  const declared = parseDeclared(kind, props);
  const request: ResourceRequest = { declared, id, lifecycle: { state: "absent" } };
  const { outcome, before } = await write(session, request, next);
  const problem = failureReason(outcome);
  if (problem !== undefined) throw new Error(problem);
  return before;
}

interface WrittenObject extends WrittenResource {
  /** The object as the write left it; as it was read if nothing was written, because a state may be empty. */
  readonly row: JsonObject | undefined;
  readonly world: LiveWorld;
}

/** @param next the resource whose object is to replace the one that is removed */
function write(session: ProviderSession, request: ResourceRequest, next?: DeclaredResource): Promise<WrittenObject> {
  const { declared } = request;
  const now = (): Promise<WrittenObject> => writeNow(session, request, next);
  return isKeyedByEmail(declared.kind.name) ? runSerially(session, declared, now) : now();
}

async function writeNow(
  session: ProviderSession,
  request: ResourceRequest,
  next: DeclaredResource | undefined,
): Promise<WrittenObject> {
  const { declared, id = "" } = request;
  for (let tries = 1; ; tries += 1) {
    const known = await readScopeWith(session, declared, id);
    const world = await withOrganizations(session, declared.kind, known);
    // An earlier run may have removed an object for a new one, and have ended before that.
    const plan = await session.journal.resumed(planShown(session, world, request), world);
    // The engine replaces by steps of its own, so the rules about a replace here would name options that Pulumi does not have.
    const refused = replacementRefusal(request, plan.changes[0]?.action) ?? refusalReason(plan, goneHint(request));
    if (refused !== undefined) throw new Error(refused);
    const live = plan.changes[0]?.work?.live;
    if (live !== undefined && next !== undefined) await journalRemoval(session, live, next);
    const written = await applyRequest(session, plan, world, request);
    const row = written.rows.get(id) ?? known.row(id);
    if (written.outcome.error?.code !== "stale" || tries === MAX_TRIES) return { ...written, row, world };
    session.lists.forget();
  }
}

/** Plans a resource without the differences that the request does not show. */
function planShown(session: ProviderSession, world: LiveWorld, request: ResourceRequest): Plan {
  const plan = planRequest(session, world, request);
  const [change] = plan.changes;
  // What is to be sent for a new object is all shown, and a difference that no update can take back is refused.
  if (change?.action === "create" || replacementRefusal(request, change?.action) !== undefined) return plan;
  const paths = plan.changes.flatMap(({ fields }) => fields.map(({ path }) => path));
  const ignore = paths.filter((path) => request.isShown?.(pointerKeys(path)) === false);
  if (ignore.length === 0) return plan;
  return planRequest(session, world, { ...request, lifecycle: { ...request.lifecycle, ignore } });
}

/** What to do if the object of a state is gone: what `--recreate` does on the command line. */
function goneHint({ declared: { kind, adopt } }: ResourceRequest): string {
  // The create that follows would look for the id that the program names.
  const unpin = typeof adopt === "string" ? "remove adopt from the program, " : "";
  // A refresh keeps what may still exist.
  const isKept = isScope(kind) || isRestorable(kind);
  const forget = isKept ? "take it out of the state with pulumi state delete" : "run pulumi refresh";
  return `If somebody else removed it, ${unpin}${forget}, then run pulumi up, which creates it again`;
}

/**
 * The engine decides by its state whether to replace an object. If the service shows a difference, a refresh has to
 * come first.
 */
function replacementRefusal({ declared: { kind } }: ResourceRequest, action: string | undefined): string | undefined {
  if (action !== "replace" || isDerived(kind)) return undefined;
  return `the ${kind.name} was changed on the service in a field that cannot be changed back: run pulumi refresh, then pulumi up`;
}
