import { homedir } from "node:os";
import { join } from "node:path";
import { variableOf } from "../model/environment.ts";

/** Where journals and locks are kept: one folder per machine and user, wherever the configuration lies. */
export function stateFolder(env: Readonly<Record<string, string | undefined>>): string {
  const home = (): string => variableOf(env, "HOME") ?? ownHome();
  const state = variableOf(env, "XDG_STATE_HOME") ?? join(home(), ".local", "state");
  return variableOf(env, "DRIFTLINE_STATE_DIR") ?? join(state, "driftline");
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
