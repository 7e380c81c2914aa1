import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import type { Client } from "../api/client.ts";
import { publicUrlOf } from "../api/http/url.ts";
import { isExpiredIntent } from "../apply/journal/intents.ts";
import { readPriorRunState, type PriorRunState } from "../apply/journal/journal.ts";
import { isRecent } from "../apply/journal/recent-creates.ts";
import { environmentVariable } from "../model/environment.ts";
import type { EngineContext } from "./context.ts";
import { readIgnoredFields, type IgnoredFields } from "./ignored-fields.ts";

/** The files that driftline keeps for a service: one set per machine and user, wherever the configuration lies. */
export interface StateFiles {
  readonly journal: string;
  readonly lock: string;
  readonly ignored: string;
}

/** @param url of the service; the files are named by its hash, so that the command line and Pulumi share them */
export function stateFiles(env: EngineContext["env"], url: string): StateFiles {
  const hash = createHash("sha256").update(publicUrlOf(url)).digest("hex").slice(0, 16);
  const prefix = join(stateFolder(env), hash);
  return { journal: `${prefix}.journal`, lock: `${prefix}.lock`, ignored: `${prefix}.ignored.json` };
}

/** What earlier runs on this machine left, and fields that the service ignored. */
export interface PriorState extends PriorRunState {
  readonly ignored: IgnoredFields;
}

/** Reads the state of earlier runs, without expired records. Takes no lock and writes nothing. Never rejects. */
export async function readPriorState({ env, clock }: EngineContext, client: Client): Promise<PriorState> {
  const files = stateFiles(env, client.url);
  const [{ intents, created }, ignored] = await Promise.all([
    readPriorRunState(files.journal),
    readIgnoredFields(files.ignored),
  ]);
  const now = clock.now();
  return {
    intents: intents.filter((intent) => !isExpiredIntent(intent, now)),
    created: created.filter((one) => isRecent(one, now)),
    ignored,
  };
}

function stateFolder(env: EngineContext["env"]): string {
  const home = (): string => environmentVariable(env, "HOME") ?? homeOfUser();
  const state = environmentVariable(env, "XDG_STATE_HOME") ?? join(home(), ".local", "state");
  return environmentVariable(env, "DRIFTLINE_STATE_DIR") ?? join(state, "driftline");
}

/** A container may run as a user that the system does not know. Writing then fails later, with a hint. */
function homeOfUser(): string {
  try {
    const home = homedir();
    return home === "" ? "/" : home;
  } catch {
    return "/";
  }
}
