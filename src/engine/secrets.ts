import type { Redactor } from "../api/redact/redact.ts";
import { SHORTEST_SECRET } from "../api/redact/environment.ts";
import { literalSecrets } from "../config/expressions/secrets.ts";
import { missingSecrets, type LoadedConfig } from "../config/index.ts";
import { isSelected } from "../model/address.ts";
import type { Resource } from "../model/resource.ts";
import type { EngineContext } from "./context.ts";
import { EngineError } from "./errors.ts";

/** Registers the secrets that a configuration uses, if they are set, and texts that it holds under the names of secrets. */
export function registerConfigSecrets(
  { secrets, graph }: LoadedConfig,
  env: EngineContext["env"],
  redactor: Redactor,
): void {
  const names = new Set(secrets.flatMap((secret) => secret.names));
  for (const name of names) if (Object.hasOwn(env, name)) redactor.add(env[name] ?? "");
  for (const secret of literalSecrets(graph.resources)) if (secret.length >= SHORTEST_SECRET) redactor.add(secret);
}

/** @throws EngineError `invalid` if a secret of a planned resource is not set; sending would fail halfway */
export function requireSecrets(config: LoadedConfig, env: EngineContext["env"], only: readonly string[]): void {
  const addresses = config.secrets.map(({ address }) => address).filter((address) => isSelected(address, only));
  const missing = missingSecrets(config, env, addresses);
  if (missing.length > 0) throw new EngineError("invalid", missing);
}

/**
 * Registers the secrets in the values of one resource that is about to be written. Unlike in a configuration they are plain
 * texts, and each counts: a short one, and one that looks like a mask, may be the real secret.
 */
export function registerResourceSecrets(redactor: Redactor, resource: Resource): void {
  for (const secret of literalSecrets([resource], () => true)) redactor.add(secret);
}
