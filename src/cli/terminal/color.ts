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

/** Whether a stream takes links. A terminal without colours gets no other escape sequences either, and a pipe gets none at all. */
export async function hasHyperlinks(
  env: Environment["env"],
  stream: Pick<NodeJS.WriteStream, "isTTY">,
): Promise<boolean> {
  if (!stream.isTTY || !hasColor(env, stream)) return false;
  const { supportsHyperlink } = await import("supports-hyperlinks");
  return supportsHyperlink(stream);
}
