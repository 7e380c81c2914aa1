import type { Kind } from "../../kinds/kind.ts";
import type { LiveSnapshot } from "../../model/live.ts";
import { differencesOf } from "./diff.ts";
import { PartialFailure, problemOf, refusal } from "./errors.ts";
import { lookUpObject, withOrganizations } from "./lookup.ts";
import { outs, recorded } from "../properties/outs.ts";
import { declaredOf, type Properties } from "../properties/properties.ts";
import type { ProviderSession } from "./session.ts";
import {
  applyResource,
  runSerially,
  planResource,
  type ResourceRequest,
  type WrittenResource,
} from "./plan-and-apply.ts";

/** How often a write is tried on what was read anew, where the object had changed in between. */
const TRIES = 3;
/** What to do where the object of a state is gone. */
const GONE_HINT = "If it was removed by somebody else, run pulumi refresh, then up, which makes it anew";

/** Makes an object what is declared. Where only the state has to change, nothing is sent. */
export async function update(
  session: ProviderSession,
  kind: Kind,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<{ outs: Properties }> {
  const declared = declaredOf(kind, news);
  // A secret that changed is seen by the state alone: the service does not give it back.
  const rotate = differencesOf(kind, olds, news).some(({ schema }) => schema?.writeOnly === true);
  const written = await write(session, { kind, declared, id, lifecycle: {}, rotate });
  const state = outs(kind, news, written.rows.get(id), olds);
  const problem = problemOf(written.outcome);
  if (problem === undefined) return { outs: state };
  if (written.outcome.status === "unverified") throw new PartialFailure(problem, id, recorded(news, state));
  throw new Error(problem);
}

/** Removes an object; what is gone already is fine. */
export async function remove(session: ProviderSession, kind: Kind, id: string, props: Properties): Promise<void> {
  const declared = declaredOf(kind, props);
  const { outcome } = await write(session, { kind, declared, id, lifecycle: { state: "absent" } });
  const problem = problemOf(outcome);
  if (problem !== undefined) throw new Error(problem);
}

function write(session: ProviderSession, wish: ResourceRequest): Promise<WrittenResource> {
  const { kind, declared } = wish;
  return kind.membership !== undefined
    ? runSerially(session, kind, declared, () => writeNow(session, wish))
    : writeNow(session, wish);
}

async function writeNow(session: ProviderSession, wish: ResourceRequest): Promise<WrittenResource> {
  for (let tries = 1; ; tries += 1) {
    const snapshot = await snapshotFor(session, wish);
    const plan = planResource(session, snapshot, wish);
    const refused = refusal(plan, GONE_HINT) ?? replacing(wish, plan.changes[0]?.action);
    if (refused !== undefined) throw new Error(refused);
    const written = await applyResource(session, plan, snapshot, wish);
    if (written.outcome.error?.code !== "stale" || tries === TRIES) return written;
    session.rows.drop();
  }
}

async function snapshotFor(
  session: ProviderSession,
  { kind, declared, id = "" }: ResourceRequest,
): Promise<LiveSnapshot> {
  const live = await lookUpObject(session, kind, declared, id);
  return kind.membership !== undefined ? withOrganizations(session, live) : live.snapshot;
}

/** The engine decides on replacing by its state: where the service shows otherwise, it has to learn that first. */
function replacing({ kind }: ResourceRequest, action: string | undefined): string | undefined {
  if (action !== "replace" || kind.derived === true) return undefined;
  return `the ${kind.name} was changed on the service in a field that cannot be changed back: run pulumi refresh, then up`;
}
