import type { Client } from "../api/client.ts";
import { ignoredBefore } from "./ignored.ts";
import type { Before } from "./pipeline.ts";
import type { Runtime } from "./runtime.ts";
import { leftBehind } from "./state.ts";

/** What earlier runs on this machine have left: read, without a lock and without writing anything. */
export async function whatIsLeft(runtime: Runtime, client: Client): Promise<Before> {
  return {
    ...(await leftBehind(runtime, client)),
    remarks: (changes) => ignoredBefore(runtime, client, changes),
  };
}
