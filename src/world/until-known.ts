/**
 * The loop that reads for a plan.
 *
 * Premise: what a plan has to read follows from what it has read. Needs only grow, and any answer ends a need, so this ends.
 * Algorithm: plan; read what the plan needs and nothing has answered yet, all at once; plan again, until nothing is missing.
 */
import type { Client } from "../api/client.ts";
import { ApiError } from "../api/errors/errors.ts";
import {
  type ListRead,
  type Needing,
  type Read,
  readKey,
  type RowsAnswer,
  type RowsRead,
  unanswered,
  type World,
} from "../kinds/world.ts";
import { isJsonObject } from "../model/json.ts";
import { listKey, type LiveList, type LiveScope } from "../model/live.ts";
import { readLists } from "./read-lists.ts";

/** More rounds of reads than any plan takes. */
export const MAX_ROUNDS = 8;

/** Plans until nothing is missing. Returns the last plan, and all that was read. Never throws because of an answer of the service. */
export async function untilKnown<T extends Needing>(
  client: Client,
  start: World,
  plan: (world: World) => T,
): Promise<T & { readonly world: World }> {
  let world = start;
  for (let round = 0; ; round += 1) {
    const made = plan(world);
    const missing = unanswered(world, made.needs);
    if (missing.length === 0) return { ...made, world };
    if (round === MAX_ROUNDS)
      throw new Error(`a plan needs more than ${String(MAX_ROUNDS)} rounds of reads; this is a defect`);
    world = await withAnswers(client, world, missing);
  }
}

async function withAnswers(client: Client, world: World, reads: readonly Read[]): Promise<World> {
  const ofRows = reads.filter((read) => read.what !== "objects");
  const [lists, rows] = await Promise.all([
    readObjects(
      client,
      reads.filter((read) => read.what === "objects"),
    ),
    Promise.all(ofRows.map(async (read) => [readKey(read), await readRows(client, read)] as const)),
  ]);
  const answers = {
    lists: new Map([...world.answers.lists, ...lists]),
    rows: new Map([...world.answers.rows, ...rows]),
  };
  return { ...world, answers };
}

async function readObjects(
  client: Client,
  reads: readonly ListRead[],
): Promise<readonly (readonly [string, LiveList])[]> {
  const scopes = new Map(reads.map(({ scope, path }): [string, LiveScope] => [scope, { status: "known", path }]));
  const { lists } = await readLists(client, scopes, reads);
  return reads.flatMap((read) => {
    const list = lists.get(listKey(read.scope, read.kind));
    return list === undefined ? [] : [[readKey(read), list] as const];
  });
}

async function readRows(client: Client, { what, operation, path, query }: RowsRead): Promise<RowsAnswer> {
  try {
    if (what === "rows") return { status: "known", rows: (await client.list(operation, path, query)).rows };
    const { body } = await client.request(operation, { path, ...(query && { query }) });
    return isJsonObject(body)
      ? { status: "known", rows: [body] }
      : { status: "unknown", reason: "the answer is no object" };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    // That there is no list proves nothing about what it would show.
    if (what === "row" && error.kind === "not_found") return { status: "absent" };
    return { status: "unknown", reason: error.message };
  }
}
