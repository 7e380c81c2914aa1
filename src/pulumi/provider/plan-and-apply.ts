import type { Client } from "../../api/client.ts";
import { operations, type OperationName } from "../../api/operations/index.ts";
import { applyOneResource, planOneResource } from "../../engine/one-resource/one-resource.ts";
import { registerResourceSecrets } from "../../engine/required-secrets.ts";
import { isJsonObject, type JsonObject } from "../../model/json/json.ts";
import type { LiveObject, LiveWorld } from "../../model/live.ts";
import { isAsDeclared, type Outcome, type Wait } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import type { Lifecycle, Resource } from "../../model/resource.ts";
import type { DeclaredResource } from "../properties/properties.ts";
import { rowToObject } from "../../kinds/object-read.ts";
import { rowIds } from "../../kinds/rows.ts";
import { missingIn } from "./errors.ts";
import { createKey } from "./interrupted-replace.ts";
import type { ProviderSession } from "./session.ts";
import { isKeyedByEmail } from "../../kinds/registry.ts";

/** Address of the one resource in a plan. */
const ADDRESS = "resource";

export interface ResourceRequest {
  readonly declared: DeclaredResource;
  /** Id of the object, if it is known. */
  readonly id?: string | undefined;
  readonly lifecycle: Lifecycle;
  /** Sends again the fields that the service does not return. */
  readonly rotate?: boolean | undefined;
  /** Whether an update may write the value at these keys of the interface. */
  readonly isShown?: (keys: readonly string[]) => boolean;
}

/**
 * Runs a task after the earlier tasks of the same natural key. All tasks that write to people of one organization run
 * one after the other, because only the end of the earlier ones shows whether an owner is the last one.
 */
export function runSerially<T>(
  { inOrder }: ProviderSession,
  { kind, scope, values, name }: DeclaredResource,
  task: () => Promise<T>,
): Promise<T> {
  const key = isKeyedByEmail(kind.name) ? "" : (kind.identity.declaredKeys(values, name)[0] ?? "");
  return inOrder([kind.identity.idSpace, scope, key].join("\n"), task);
}

/**
 * Plans one resource as the command line does, with the guards that need no request of their own. Pulumi's `protect` takes the
 * place of limits.
 */
export function planRequest(session: Pick<ProviderSession, "self">, world: LiveWorld, request: ResourceRequest): Plan {
  const { declared, rotate } = request;
  const { confirmDelete } = declared;
  return planOneResource(toResource(request), world, { rotate, self: session.self, confirmDelete });
}

function toResource({ declared, id, lifecycle }: ResourceRequest): Resource {
  const { kind, scope, name, values } = declared;
  // The e-mail identifies a person, whichever objects stand for that person at the time.
  const pin = id === undefined || isKeyedByEmail(kind.name) ? undefined : { field: "id", value: id };
  const resource = { address: ADDRESS, kind: kind.name, scope, name, values, lifecycle, position: {} };
  return pin === undefined ? resource : { ...resource, pin };
}

/** What a write has sent and received. */
interface Recording {
  /** Names of the operations that were sent. */
  readonly sent: Set<OperationName>;
  /** The last row in an answer, by id. */
  readonly rows: Map<string, JsonObject>;
  /** The first row that was read, in a list or by id, by id. It is all that shows an object whose create had no answer. */
  readonly reread: Map<string, JsonObject>;
}

export interface WrittenResource extends Recording {
  readonly outcome: Outcome;
  /** The object as it was right before the write. */
  readonly before: LiveObject | undefined;
}

/** Applies a plan of one resource. Never throws because of an answer of the service. */
export async function applyRequest(
  session: ProviderSession,
  plan: Plan,
  world: LiveWorld,
  request: ResourceRequest,
): Promise<WrittenResource> {
  const { redactor, clock, settleAfter, signal, log } = session;
  for (const warning of missingIn(plan)) await log.warn(warning);
  const recording: Recording = { sent: new Set(), rows: new Map(), reread: new Map() };
  // An error message of the service may quote the request.
  registerResourceSecrets(redactor, toResource(request));
  const client = recordingClient(session, recording);
  const outcome = await session.journal.use(async (opened) => {
    const onWait = ({ reason, until }: Wait): void =>
      void log.info(`waiting until ${new Date(until).toISOString()}, because ${reason}`);
    const { readBefore, leave } = session.beginWrite();
    const context = { ...opened, client, clock, settleAfter, signal, onWait, otherRuns: readBefore };
    const applied = await applyOneResource(plan, world, context).finally(leave);
    if (isAsDeclared(applied) && applied.action !== "delete")
      await session.journal.closeRemovals(createKey(session, request.declared));
    return applied;
  });
  const planned = plan.changes[0]?.work?.live;
  // The lists that the plan was made from are shared by the whole run. Apply has read the object again.
  const before = planned && (rowToObject(planned, request.declared.path, recording.reread.get(planned.id)) ?? planned);
  return { ...recording, outcome, before };
}

/** Returns a client that records what it sends and receives, and for the shared lists the writes. */
function recordingClient({ client, lists, coalesce }: ProviderSession, { sent, rows, reread }: Recording): Client {
  const recordRead = (row: JsonObject): void => {
    for (const id of rowIds(row)) if (!reread.has(id)) reread.set(id, row);
  };
  return {
    ...client,
    // Before a write the list is read again. Concurrent writes share that read.
    list: async (name, path, query, onRequest) => {
      const list = await coalesce(JSON.stringify([name, path, query]), () => client.list(name, path, query, onRequest));
      list.rows.forEach(recordRead);
      return list;
    },
    request: async (name, input = {}) => {
      sent.add(name);
      const isRead = operations[name].effect === "read";
      try {
        const answer = await client.request(name, input);
        if (isJsonObject(answer.body)) {
          for (const id of rowIds(answer.body)) rows.set(id, answer.body);
          if (isRead) recordRead(answer.body);
        }
        if (!isRead) lists.recordWrite(name, input.path ?? {}, { body: answer.body });
        return answer;
      } catch (error) {
        // The write may have taken effect.
        if (!isRead) lists.recordWrite(name, input.path ?? {}, "unclear");
        throw error;
      }
    },
  };
}
