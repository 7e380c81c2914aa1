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
  type ListReadStats,
  type Needing,
  type Read,
  readKey,
  type RowsAnswer,
  type RowsRead,
  unansweredReads,
  type World,
} from "../kinds/world.ts";
import { isJsonObject } from "../model/json/json.ts";
import { listKey, type LiveList } from "../model/live.ts";
import { readOrganizations } from "./organizations.ts";
import { readLists } from "./read-lists.ts";

/** More rounds of reads than any plan takes. */
export const MAX_ROUNDS = 8;

/**
 * Plans until nothing is missing, and returns the last plan, and the world that it was made from: what comes after it begins with that,
 * so that each read is made once. Never throws because of an answer of the service.
 */
export async function untilKnown<T extends Needing>(
  client: Client,
  start: World,
  plan: (world: World) => T,
): Promise<T & { readonly answered: World }> {
  let world = start;
  for (let round = 0; ; round += 1) {
    const made = plan(world);
    const missing = unansweredReads(world, made.needs);
    if (missing.length === 0) return { ...made, answered: world };
    if (round === MAX_ROUNDS)
      throw new Error(`a plan needs more than ${String(MAX_ROUNDS)} rounds of reads; this is a defect`);
    world = await withAnswers(client, world, missing);
  }
}

async function withAnswers(client: Client, world: World, reads: readonly Read[]): Promise<World> {
  const ofRows = reads.filter((read) => read.what !== "objects");
  const ofObjects = reads.filter((read) => read.what === "objects");
  const [organizations, listed, rows] = await Promise.all([
    Promise.all(ofObjects.filter(({ scope }) => scope === "").map((read) => readAllOrganizations(client, read))),
    readScopes(
      client,
      ofObjects.filter(({ scope }) => scope !== ""),
    ),
    Promise.all(ofRows.map(async (read) => [readKey(read), await readRows(client, read)] as const)),
  ]);
  const { answers } = world;
  const found = [...organizations, listed];
  return {
    ...world,
    answers: {
      lists: new Map([...answers.lists, ...found.flatMap(({ lists }) => lists)]),
      rows: new Map([...answers.rows, ...rows]),
      stats: [...answers.stats, ...found.flatMap(({ stats }) => stats)],
    },
  };
}

interface ReadResult {
  readonly lists: readonly (readonly [string, LiveList])[];
  readonly stats: readonly ListReadStats[];
}

async function readAllOrganizations(client: Client, read: ListRead): Promise<ReadResult> {
  const ids = (read.pins ?? []).map(({ value }) => value);
  const { list, stats } = await readOrganizations(client, ids, { needsList: read.needsList === true });
  return { lists: [[readKey(read), list]], stats };
}

/** Reads each list once. If it is needed in two forms, the other one is read in the next round. */
async function readScopes(client: Client, reads: readonly ListRead[]): Promise<ReadResult> {
  const byList = new Map(reads.map((read) => [listKey(read.scope, read.kind), read]));
  const { lists, stats } = await readLists(client, [...byList.values()]);
  const found = [...lists].flatMap(([key, list]) => {
    const read = byList.get(key);
    return read === undefined ? [] : [[readKey(read), list] as const];
  });
  return { lists: found, stats };
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
