import { executePlan } from "../../apply/apply.ts";
import type { Client } from "../../api/client.ts";
import { isSecretField, kindSchema, childSchema, type FieldSchema } from "../../kinds/fields.ts";
import type { Kind } from "../../kinds/kind.ts";
import { isJsonObject, type Json, type JsonObject } from "../../model/json.ts";
import { isSecretName } from "../../model/sensitive.ts";
import type { LiveSnapshot } from "../../model/live.ts";
import type { Outcome } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import type { Lifecycle, Resource } from "../../model/resource.ts";
import { applyOverrides } from "../../plan/guard/override.ts";
import { makePlan } from "../../plan/plan.ts";

import type { Declared } from "../properties/properties.ts";
import { idsOf } from "../properties/outs.ts";
import type { ProviderSession } from "./session.ts";

/** Address of the one resource that a plan is made for. */
const ADDRESS = "resource";

export interface ResourceRequest {
  readonly kind: Kind;
  readonly declared: Declared;
  /** Id of the object that is meant. */
  readonly id?: string | undefined;
  readonly lifecycle: Lifecycle;
  /** Send again what the service does not give back. */
  readonly rotate?: boolean;
}

/**
 * Runs what writes to people of one organization one after the other: whether an owner is the last one, only the end of what was
 * begun before tells. Everything else is told apart by its natural key.
 */
export function runSerially<T>(
  { inTurn }: ProviderSession,
  kind: Kind,
  declared: Declared,
  task: () => Promise<T>,
): Promise<T> {
  const key = kind.membership !== undefined ? "" : (kind.declaredKeys(declared.values, declared.name)[0] ?? "");
  return inTurn([kind.idSpace, declared.scope, key].join("\n"), task);
}

/** The plan for one resource: the command line's, guard rails included. */
export function planResource(session: ProviderSession, snapshot: LiveSnapshot, wish: ResourceRequest): Plan {
  const { kind, declared, id, lifecycle } = wish;
  // Who is meant by a person's resource is told by the e-mail, whatever objects stand for it at the time.
  const pin = id === undefined || kind.keyedBy !== undefined ? undefined : { field: "id", value: id };
  const resource: Resource = {
    address: ADDRESS,
    kind: kind.name,
    scope: declared.scope,
    name: declared.name,
    values: declared.values,
    lifecycle,
    position: {},
    ...(pin === undefined ? {} : { pin }),
  };
  const graph = { resources: [resource], projects: [], exclusive: [], service: { self: session.self } };
  const plan = makePlan(graph, snapshot, { prune: false, only: [], rotate: wish.rotate === true ? [ADDRESS] : [] });
  // Pulumi's `protect` and its own confirmation take the place of limits.
  const organizations = declared.confirmDelete === undefined ? [] : [declared.confirmDelete];
  return applyOverrides(plan, { approved: true, organizations });
}

/** What came of a write, and the rows that its answers showed, by id. */
export interface WrittenResource {
  readonly outcome: Outcome;
  readonly rows: ReadonlyMap<string, JsonObject>;
  /** Whether a create was sent. */
  readonly isCreated: boolean;
}

/** Carries out a plan of one resource. Never throws for what the service answers. */
export async function applyResource(
  session: ProviderSession,
  plan: Plan,
  snapshot: LiveSnapshot,
  wish: ResourceRequest,
): Promise<WrittenResource> {
  const rows = new Map<string, JsonObject>();
  const sent = new Set<string>();
  registerSecrets(session, wish.kind, wish.declared.values);
  const outcomes = await session.journal.use((journal) =>
    executePlan(plan, {
      client: recordingClient(session, rows, sent),
      snapshot,
      secrets: ({ expression }) => expression,
      journal,
      clock: session.clock,
      horizonMs: session.horizonMs,
    }),
  );
  const outcome = outcomes.find(({ address }) => address === ADDRESS);
  if (outcome === undefined) throw new Error("driftline: a plan without its resource; this is a defect");
  return { outcome, rows, isCreated: [...sent].some((name) => name.endsWith(".create")) };
}

/** A client that takes note of what is sent, of what is written, for the shared lists, and of the rows in the answers. */
function recordingClient(
  { client, rows: cache, waves }: ProviderSession,
  rows: Map<string, JsonObject>,
  sent: Set<string>,
): Client {
  return {
    ...client,
    // What is about to be written is looked at anew, by all who write at the time together.
    list: (name, path, query, onRequest) =>
      waves(JSON.stringify([name, path, query]), () => client.list(name, path, query, onRequest)),
    request: async (name, input = {}) => {
      sent.add(name);
      try {
        const answer = await client.request(name, input);
        if (isJsonObject(answer.body)) for (const id of idsOf(answer.body)) rows.set(id, answer.body);
        if (!isRead(name)) cache.wrote(name, input.path ?? {}, { body: answer.body });
        return answer;
      } catch (error) {
        // It may have taken effect.
        if (!isRead(name)) cache.wrote(name, input.path ?? {}, "unclear");
        throw error;
      }
    },
  };
}

function isRead(operation: string): boolean {
  return operation.endsWith(".get") || operation.endsWith(".list");
}

/** Secrets that are about to be sent must not come back in a message. */
function registerSecrets({ redactor }: ProviderSession, kind: Kind, values: JsonObject): void {
  const walk = (schema: FieldSchema | undefined, value: Json, key: string): void => {
    if (Array.isArray(value)) return value.forEach((item: Json) => walk(schema?.items, item, key));
    if (isJsonObject(value)) {
      for (const [name, item] of Object.entries(value)) walk(childSchema(kind.name, schema, name, value), item, name);
    } else if (typeof value === "string" && (isSecretField(schema) || isSecretName(key))) redactor.add(value);
  };
  walk(kindSchema(kind.name), values, "");
}
