import type { Client } from "../api/client.ts";
import { ignoredBefore } from "./ignored-fields.ts";
import type { EarlierRuns } from "./plan.ts";
import type { Runtime } from "./runtime.ts";
import { readOpenState } from "./state.ts";

/** What earlier runs on this machine have left: read, without a lock and without writing anything. */
export async function readEarlierRuns(runtime: Runtime, client: Client): Promise<EarlierRuns> {
  return {
    ...(await readOpenState(runtime, client)),
    remarks: (changes) => ignoredBefore(runtime, client, changes),
  };
}
