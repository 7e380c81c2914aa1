import type { Kind } from "../../kinds/kind.ts";
import type { Change } from "../../model/change.ts";
import { isSameCreate, type CreateKey } from "../../apply/journal/intent.ts";
import { sha256 } from "../../diff/fingerprint.ts";
import type { Ownership } from "./ownership.ts";
import { oneOf, PartialFailure, problemOf, refusal } from "./errors.ts";
import { lookUpScope, withOrganizations, type LiveLookup } from "./lookup.ts";
import { outs, recorded, stateId } from "../properties/outs.ts";
import { declaredOf, MARK, type Declared, type Properties } from "../properties/properties.ts";
import type { ProviderSession } from "./session.ts";
import { applyResource, runSerially, planResource, type ResourceRequest } from "./plan-and-apply.ts";

interface CreatedResource {
  readonly id: string;
  readonly outs: Properties;
}

/** What to do where there is no object of the id that is to be taken over. */
const PIN_HINT = "Correct the id in adopt, or take it out to have a new object created";

/** Creates an object exactly once, or takes over the one that is meant. */
export async function create(
  session: ProviderSession,
  kind: Kind,
  inputs: Properties,
  holdings: Ownership,
): Promise<CreatedResource> {
  const declared = resolveAdopt(kind, inputs, holdings);
  // Creates of one natural key go one after the other: the second one has to see what the first one made.
  return runSerially(session, kind, declared, () => createNow(session, kind, declared, inputs, holdings));
}

/** What is replaced was taken over once, and is gone: in its place there is to be a new one. */
function resolveAdopt(kind: Kind, inputs: Properties, { isReleased }: Ownership): Declared {
  const declared = declaredOf(kind, inputs);
  const isGone = typeof declared.adopt === "string" && isReleased(declared.adopt, inputs);
  return isGone ? { ...declared, adopt: false } : declared;
}

async function createNow(
  session: ProviderSession,
  kind: Kind,
  declared: Declared,
  inputs: Properties,
  holdings: Ownership,
): Promise<CreatedResource> {
  const live = await lookUpScope(session, kind, declared);
  const snapshot = kind.membership !== undefined ? await withOrganizations(session, live) : live.snapshot;
  const id = typeof declared.adopt === "string" ? declared.adopt : undefined;
  // The engine knows its objects by their ids: what looks like another one is not a forgotten rename. But who takes over an
  // organization does not found one by a mistyped name.
  const wish: ResourceRequest = {
    kind,
    declared,
    id,
    lifecycle: { create: kind.requiresExplicitCreate !== true || declared.adopt === false },
  };
  const plan = planResource(session, snapshot, wish);
  const [change] = plan.changes;
  const found = change?.action === "create" ? undefined : change?.work?.live;
  const foundId = found === undefined ? undefined : stateId(kind, found.id, declared.name);
  const isHeld = foundId !== undefined && holdings.isHeld(foundId, inputs);
  const refused = refusal(plan, PIN_HINT) ?? (await adoptionRefusal(session, wish, live, change, isHeld));
  if (refused !== undefined) throw new Error(refused);
  const mark = { [MARK]: session.mark() };
  if (foundId !== undefined) holdings.hold(foundId, { ...inputs, ...mark });
  const { outcome, rows, isCreated } = await applyResource(session, plan, snapshot, wish);
  const problem = problemOf(outcome);
  const made = outcome.id ?? change?.id;
  // An id that nobody has seen may be mistyped: a state that knew it would be stuck with it. What was there before anything was
  // written is not this resource's.
  const isUnseen = change?.action === "restore" && change.work?.live === undefined;
  const isForeign = outcome.status === "skipped" || (isUnseen && outcome.status !== "unverified");
  if (isForeign && problem !== undefined) throw new Error(problem);
  if (made === null || made === undefined)
    throw new Error(problem ?? "driftline: an object without an id; this is a defect");
  // Also what is known by a journal alone.
  const isTaken = foundId !== undefined || !isCreated;
  const state = outs(kind, inputs, rows.get(made) ?? live.row(made), mark);
  const known = stateId(kind, made, declared.name);
  if (isTaken) holdings.hold(known, state);
  if (problem !== undefined) throw new PartialFailure(problem, known, recorded(inputs, state));
  return { id: known, outs: state };
}

/** Why an object that is there already must not be taken over, undefined where it may be, or where there is none. */
async function adoptionRefusal(
  session: ProviderSession,
  wish: ResourceRequest,
  live: LiveLookup,
  change: Change | undefined,
  isHeld: boolean,
): Promise<string | undefined> {
  const { kind, declared } = wish;
  const found = change?.work?.live;
  if (change === undefined || change.action === "create" || found === undefined) return undefined;
  const name = JSON.stringify(found.keys[0] ?? found.id);
  if (isHeld)
    return `${oneOf(kind)} ${name} is there already (id ${found.id}), and another resource of this stack stands for it: declare it once. Where this one replaces it, leave out deleteBeforeReplace: false`;
  if (change.action === "replace" && kind.derived !== true) {
    const fields = change.fields.map(({ path }) => path).join(", ");
    return `the ${kind.name} ${found.id} is there already and differs in ${fields}, which cannot be changed: declare it as it is, or remove it first`;
  }
  if (declared.adopt !== false || kind.create === undefined || found.placeholder === true) return undefined;
  if (await isFromInterruptedRun(session, wish, live, found.id)) return undefined;
  return `${oneOf(kind)} ${name} is there already (id ${found.id}): set adopt: true to take it over, or give this one another name`;
}

/** Whether a run that ended before its state was written has made the object for this very resource. */
async function isFromInterruptedRun(
  session: ProviderSession,
  { kind, declared }: ResourceRequest,
  live: LiveLookup,
  id: string,
): Promise<boolean> {
  const { client, journal } = session;
  const keys = kind.declaredKeys(declared.values, declared.name);
  const wanted = { url: client.url, kind: kind.name, scope: declared.path, key: keys[0] ?? "" };
  const isSame = (one: CreateKey): boolean => isSameCreate(one, wanted);
  const earlier = await journal.earlier();
  if (earlier.some((one) => isSame(one) && one.made === id && one.payload === payloadOf(kind, declared))) return true;
  return journal.use((open) =>
    Promise.resolve(open.open().some((intent) => isSame(intent) && !intent.known.includes(id))),
  );
}

/** What the journal says was sent, as createOnce writes it. */
function payloadOf(kind: Kind, declared: Declared): string {
  const scope = declared.path["project_id"] === undefined ? "organization" : "project";
  const transition = kind.target(scope, { id: "" }).transition;
  const body =
    transition === undefined ? declared.values : { ...declared.values, [transition.field]: transition.createAs };
  const [key = ""] = kind.declaredKeys(declared.values, declared.name);
  return sha256(kind.create?.(scope, body, key).body ?? {});
}
