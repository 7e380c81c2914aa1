import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { join } from "node:path";
import { publicUrlOf } from "../api/http/url.ts";
import { environmentVariable } from "../model/environment.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The files of a service, but for their endings: the same for whichever way in, as what one left open the other has to see. */
export function stateFilePrefix(env: Environment, url: string): string {
  return join(stateFolder(env), createHash("sha256").update(publicUrlOf(url)).digest("hex").slice(0, 16));
}

/** Where journals and locks are kept: one folder per machine and user, wherever the configuration lies. */
function stateFolder(env: Environment): string {
  const home = (): string => environmentVariable(env, "HOME") ?? ownHome();
  const state = environmentVariable(env, "XDG_STATE_HOME") ?? join(home(), ".local", "state");
  return environmentVariable(env, "DRIFTLINE_STATE_DIR") ?? join(state, "driftline");
}

/** Containers run as users that the system has never heard of: for them writing fails later, with what to do about it. */
function ownHome(): string {
  try {
    const home = homedir();
    return home === "" ? "/" : home;
  } catch {
    return "/";
  }
}
