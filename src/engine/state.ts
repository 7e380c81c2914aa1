import type { Client } from "../api/client.ts";
import { isExpiredIntent } from "../apply/journal/intents.ts";
import { isRecent } from "../apply/journal/recent-creates.ts";
import { readPriorRunState, type PriorRunState } from "../apply/journal/journal.ts";
import { stateFilePrefix } from "./state-folder.ts";
import type { Runtime } from "../cli/runtime.ts";
import { ignoredBefore } from "./ignored-fields.ts";
import type { EarlierRuns } from "./plan.ts";

/** Where the journal and the lock of a service are kept, and what it has ignored. */
export interface StateFiles {
  readonly journal: string;
  readonly lock: string;
  readonly ignored: string;
}

/** The files of a service: one pair per machine and user, wherever the configuration lies. */
export function stateFiles({ env }: Pick<Runtime, "env">, client: Client): StateFiles {
  const base = stateFilePrefix(env, client.url);
  return { journal: `${base}.journal`, lock: `${base}.lock`, ignored: `${base}.ignored.json` };
}

/** What earlier runs have left and still counts: no lock is taken, and nothing is written. */
export async function readOpenState(runtime: Runtime, client: Client): Promise<PriorRunState> {
  const { intents, created } = await readPriorRunState(stateFiles(runtime, client).journal);
  const now = runtime.clock.now();
  return {
    intents: intents.filter((intent) => !isExpiredIntent(intent, now)),
    created: created.filter((one) => isRecent(one, now)),
  };
}

/** What earlier runs on this machine have left: read, without a lock and without writing anything. */
export async function readEarlierRuns(runtime: Runtime, client: Client): Promise<EarlierRuns> {
  return {
    ...(await readOpenState(runtime, client)),
    remarks: (changes) => ignoredBefore(runtime, client, changes),
  };
}
