import { lookForOthers } from "./look.ts";
import type { CreateProtocol } from "./protocol.ts";
import { resolveCreate } from "./resolve-create.ts";

/** Looks for the objects of other runs after a create (look.ts). An answer is journaled first, so that the next run can go on there. */
export const lookAfter: CreateProtocol = {
  yields: true,
  listBefore: ({ lists }) => lists.first(),
  find: async (task, request, begun) => {
    const { intent, answer } = begun;
    if (answer !== undefined) await task.context.journal.answered(intent.id, answer.id, intent.created ?? "");
    const own = intent.made === undefined ? await resolveCreate(task, request, begun) : undefined;
    if (own !== undefined && !("live" in own)) return own;
    const found = await lookForOthers(task, request, begun);
    return answer !== undefined && "live" in found && found.live.id === answer.id ? { ...found, live: answer } : found;
  },
};
