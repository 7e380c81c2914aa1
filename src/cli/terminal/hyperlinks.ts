import type { Environment } from "../runtime.ts";
import { hasColor } from "./color.ts";

/** Whether a stream takes links. A terminal without colours gets no other escape sequences either, and a pipe gets none at all. */
export async function hasHyperlinks(
  env: Environment["env"],
  stream: Pick<NodeJS.WriteStream, "isTTY">,
): Promise<boolean> {
  if (!stream.isTTY || !hasColor(env, stream)) return false;
  const { supportsHyperlink } = await import("supports-hyperlinks");
  return supportsHyperlink(stream);
}
