import { loadServiceUrl } from "../../config/index.ts";
import { configurationPaths } from "./config.ts";
import { checkUrl, findServiceUrl } from "./connect.ts";
import { EXIT } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import type { ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";

/**
 * The URL in the configuration, for a command that takes no paths: of the files that `plan` would read without one. They are
 * not read if an option or the environment names the service.
 *
 * @throws Failure if they cannot be read, or say two things: no service is guessed
 */
export async function configuredUrl(
  { cwd, env }: Runtime,
  options: Pick<ServiceOptions, "url">,
): Promise<string | undefined> {
  if (findServiceUrl(options, env, undefined) !== "") return undefined;
  const { url, errors } = await loadServiceUrl({
    paths: configurationPaths(cwd, []),
    cwd,
    env,
    vars: [],
    varFiles: [],
  });
  const missing = checkUrl("", env);
  if (errors.length > 0) throw new Failure(EXIT.invalid, [...errors, ...(missing === undefined ? [] : [missing])]);
  return url;
}
