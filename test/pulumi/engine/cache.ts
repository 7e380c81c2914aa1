import { homedir } from "node:os";
import { join } from "node:path";

/** Where what tests need beside node_modules is kept from run to run. */
export function cacheFolder(): string {
  return join(process.env["XDG_CACHE_HOME"] ?? join(homedir(), ".cache"), "driftline-engine");
}
