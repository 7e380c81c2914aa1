import type { LoadedConfig } from "../config/index.ts";
import { literalSecrets } from "../config/expressions/secrets.ts";
import { SHORTEST_SECRET } from "./secrets.ts";
import type { Runtime } from "./runtime.ts";

/** Makes unprintable what a configuration uses in secrets, as far as they are there, and what it says under their names. */
export function registerConfigSecrets({ env, redactor }: Runtime, { secrets, graph }: LoadedConfig): void {
  const names = new Set(secrets.flatMap((secret) => secret.names));
  for (const name of names) if (Object.hasOwn(env, name)) redactor.add(env[name] ?? "");
  for (const secret of literalSecrets(graph.resources)) if (secret.length >= SHORTEST_SECRET) redactor.add(secret);
}
