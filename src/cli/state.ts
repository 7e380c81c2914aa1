import type { Client } from "../api/client.ts";
import { isForgotten } from "../apply/intents.ts";
import { isRecent, type CreatedObject } from "../apply/created.ts";
import type { OpenIntent } from "../apply/intent.ts";
import { readCreatedLately, readJournal } from "../apply/journal.ts";
import { stateBase } from "../apply/state-folder.ts";
import type { Runtime } from "./runtime.ts";

/** Where the journal and the lock of a service are kept, and what it has ignored. */
export interface StateFiles {
  readonly journal: string;
  readonly lock: string;
  readonly ignored: string;
}

/** The files of a service: one pair per machine and user, wherever the configuration lies. */
export function stateFiles({ env }: Pick<Runtime, "env">, client: Client): StateFiles {
  const base = stateBase(env, client.url);
  return { journal: `${base}.journal`, lock: `${base}.lock`, ignored: `${base}.ignored.json` };
}

/**
 * What earlier runs have left open, as whoever only reads sees it: no lock is taken, nothing is written, and a journal that is
 * not there or cannot be read has no intents.
 */
export async function openIntents(runtime: Runtime, client: Client): Promise<readonly OpenIntent[]> {
  const intents = await readJournal(stateFiles(runtime, client).journal).catch(() => []);
  return intents.filter((intent) => !isForgotten(intent, runtime.clock.now()));
}

/** What earlier runs have created lately, seen in the same way. */
export async function createdLately(runtime: Runtime, client: Client): Promise<readonly CreatedObject[]> {
  const created = await readCreatedLately(stateFiles(runtime, client).journal);
  return created.filter((one) => isRecent(one, runtime.clock.now()));
}
