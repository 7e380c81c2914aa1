import { listKey } from "../../model/live.ts";
import type { ReadBefore } from "../other-runs/shared-reads.ts";
import type { CreateProtocol } from "./protocol.ts";
import { resolveCreate } from "./resolve-create.ts";

/** Reads what is new right before a create. @param shareRead lets all creates in flight share one read */
export function readBefore(shareRead: ReadBefore): CreateProtocol {
  return {
    yields: false,
    listBefore: async ({ scope, kind, lists }) => {
      const objects = await shareRead(listKey(scope, kind.name), () => lists.newest());
      const ids = new Set(objects.map(({ id }) => id));
      return [...lists.planned().filter(({ id }) => !ids.has(id)), ...objects];
    },
    find: async (task, request, begun) =>
      begun.answer === undefined ? resolveCreate(task, request, begun) : { live: begun.answer },
  };
}
