import type { Environment } from "../runtime.ts";

/**
 * Whether output to a stream is coloured. A variable counts if it is not empty: NO_COLOR (https://no-color.org) turns
 * colours off, else FORCE_COLOR (https://force-color.org) turns them on.
 */
export function hasColor(env: Environment["env"], { isTTY }: Pick<NodeJS.WriteStream, "isTTY">): boolean {
  const isSet = (name: string): boolean => (env[name] ?? "") !== "";
  if (isSet("NO_COLOR")) return false;
  return isSet("FORCE_COLOR") || (isTTY && env["TERM"] !== "dumb");
}
