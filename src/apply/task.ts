import type { OperationName } from "../api/operations/index.ts";
import type { Call, Kind } from "../kinds/kind.ts";
import { kinds } from "../kinds/registry.ts";
import { scopeType } from "../model/address.ts";
import { isJsonObject, mapSecrets, type Json, type JsonObject } from "../model/json.ts";
import type { LiveObject, ScopePath } from "../model/live.ts";
import type { ApplyContext, Task } from "./context.ts";

/** Binds a kind's calls to one scope of the service. `count` is told of every request that was sent. */
export function createTask(context: ApplyContext, kind: Kind, scope: string, path: ScopePath, count: (requests: number) => void): Task {
  const type = scopeType(scope);
  const lists = kind.lists(type);
  const assemble = (rows: Readonly<Record<string, readonly JsonObject[]>>): readonly LiveObject[] => {
    const none = Object.fromEntries(lists.map((operation) => [operation, []]));
    return kind.assemble({ scope, path, rows: { ...none, ...rows } });
  };
  const task: Task = {
    context,
    kind,
    as: (name) => (name === kind.name ? task : createTask(context, kinds[name], scope, path, count)),
    scope,
    path,
    call: async ({ operation, path: own, body }: Call) => {
      const sent = body === undefined ? undefined : mapSecrets(body, context.secrets);
      return context.client.request(operation as OperationName, {
        path: { ...path, ...own },
        ...(sent === undefined ? {} : { body: sent }),
        onRequest: () => count(1),
      });
    },
    list: async () => {
      const rows = await Promise.all(lists.map((operation) => context.client.list(operation as OperationName, path, undefined, () => count(1))));
      return assemble(Object.fromEntries(lists.map((operation, index) => [operation, rows[index]?.rows ?? []])));
    },
    read: (operation, body: Json | undefined) => {
      const list = `${operation.split(".")[0] ?? ""}.list`;
      return isJsonObject(body) ? assemble({ [list]: [body] })[0] : undefined;
    },
  };
  return task;
}
