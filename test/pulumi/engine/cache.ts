import { homedir } from "node:os";
import { join } from "node:path";

/** The folder that keeps other needs of the tests, besides node_modules, from run to run. */
export function cacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "driftline-engine");
}
