/** The files that driftline keeps for a service: one set per machine and user, wherever the configuration lies. */
import { createHash } from "node:crypto";
import { appendFile, readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import type { Client } from "../../api/client.ts";
import { publicUrlOf } from "../../api/http/service-url.ts";
import { isExpiredIntent } from "../../apply/journal/intents.ts";
import { isRecent } from "../../apply/journal/recent-creates.ts";
import { readPriorRunState, type PriorRunState } from "../../apply/journal/records.ts";
import type { LockedError } from "../../files/lock.ts";
import { engineError, type EngineError } from "../../model/engine-error.ts";
import type { EngineContext } from "../context.ts";
import { withFolderTimeout } from "./state-timeout.ts";

export interface StateFiles {
  readonly journal: string;
  readonly lock: string;
  /** The fields that the service ignored in what cannot be changed: a line for each. */
  readonly ignoredByService: string;
}

/** @param url of the service; the files are named by its hash, so that the command line and Pulumi share them */
export function stateFiles(env: EngineContext["env"], url: string): StateFiles {
  const hash = createHash("sha256").update(publicUrlOf(url)).digest("hex").slice(0, 16);
  const prefix = join(stateFolder(env), hash);
  return { journal: `${prefix}.journal`, lock: `${prefix}.lock`, ignoredByService: `${prefix}.ignored` };
}

/** What earlier runs on this machine left, with the fields that the service ignored. */
export interface StoredState extends PriorRunState {
  readonly ignoredByService: ReadonlySet<string>;
}

/**
 * Reads what earlier applies on this machine left open, and what all runs have created, without expired records. Takes no lock and
 * writes nothing.
 *
 * @throws EngineError `no_journal` if the folder does not answer
 */
export async function readStoredState({ env, clock }: EngineContext, client: Client): Promise<StoredState> {
  const { journal, ignoredByService } = stateFiles(env, client.url);
  const { intents, created } = await withFolderTimeout(dirname(journal), readPriorRunState(journal));
  const now = clock.now();
  return {
    // What a stack of Pulumi has begun is continued by that stack alone.
    intents: intents.filter((intent) => intent.owner === undefined && !isExpiredIntent(intent, now)),
    created: created.filter((one) => isRecent(one, now)),
    ignoredByService: new Set((await readFile(ignoredByService, "utf8").catch(() => "")).split("\n")),
  };
}

/** Records fields that the service has ignored, each once. A run that cannot record them ends as it would have. */
export async function recordIgnored({ ignoredByService }: StateFiles, fields: readonly string[]): Promise<void> {
  if (fields.length === 0) return;
  const known = (await readFile(ignoredByService, "utf8").catch(() => "")).split("\n");
  const added = fields.filter((field) => !known.includes(field));
  await appendFile(ignoredByService, added.map((field) => `${field}\n`).join(""), { mode: 0o600 }).catch(
    () => undefined,
  );
}

/** Another run has the lock of the journal. */
export function otherApplyRuns({ owner, hint }: LockedError): EngineError {
  return engineError("failed", "locked", `another apply to this service is running (${owner})`, hint);
}

/** The folder of the state files. An empty variable counts as unset. */
function stateFolder(env: EngineContext["env"]): string {
  const home = (): string => env["HOME"] || homeOfUser();
  const state = env["XDG_STATE_HOME"] || join(home(), ".local", "state");
  return env["DRIFTLINE_STATE_DIR"] || join(state, "driftline");
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
