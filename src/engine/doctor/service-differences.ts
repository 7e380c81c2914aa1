import { CODES } from "../../model/diagnostic-codes.ts";
import type { Client } from "../../api/client.ts";
import { valueAt } from "../../model/json.ts";
import { kinds } from "../../kinds/registry.ts";
import { varyingFields } from "../../kinds/varying-fields.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { listKey } from "../../model/live.ts";
import type { PlanOptions } from "../../model/plan.ts";
import type { DesiredGraph, Resource } from "../../model/resource.ts";
import { declaredReads, readsInKnownScopes } from "../../plan/lists-to-read.ts";
import { makePlan } from "../../plan/make-plan.ts";
import { addLists, type FetchedScopes } from "../plan/fetch.ts";

const EVERYTHING: PlanOptions = { only: [], prune: false, rotate: [] };

/**
 * What the configuration declares and the service does not have, in the words of a plan. Reads only the lists that show it. A
 * list that cannot be read shows nothing.
 */
export async function findServiceDifferences(
  client: Client,
  graph: DesiredGraph,
  { organizations, resolved: { scopes } }: FetchedScopes,
): Promise<readonly Diagnostic[]> {
  const varying = new Set(graph.resources.filter(varies).map(({ scope, kind }) => listKey(scope, kind)));
  const reads = declaredReads(graph, []).filter(({ scope, kind }) => varying.has(listKey(scope, kind)));
  const known = { scopes, lists: new Map([[listKey("", "organization"), organizations]]) };
  const lists = await addLists(client, known, readsInKnownScopes(scopes, reads));
  const { plan } = makePlan(graph, { scopes, lists }, EVERYTHING);
  return plan.diagnostics.filter(({ code }) => code === CODES.notOnService);
}

/** Whether a resource declares what not every service has: a field, or itself. */
function varies({ kind, values }: Resource): boolean {
  if (kinds[kind].hints.goneHint !== undefined) return true;
  return varyingFields(kind).some(({ keys }) => valueAt(values, keys) !== undefined);
}
