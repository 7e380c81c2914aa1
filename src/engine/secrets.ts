/** The secrets of a run: registers them with the redactor, and requires those that are sent. */
import { SHORTEST_SECRET, type Redactor } from "../api/redact/redact.ts";
import { literalSecrets } from "../config/expressions/secrets.ts";
import { missingSecrets, type LoadedConfig } from "../config/index.ts";
import type { Change } from "../model/change.ts";
import { mapSecrets, type ValueObject } from "../model/json.ts";
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

/**
 * Only the secrets that the changes send have to be set. The others may be missing.
 *
 * @param writes the changes that will be executed
 * @throws EngineError `invalid` if a secret that they send is not set; sending would fail halfway
 */
export function requireSecrets({ secrets }: LoadedConfig, env: EngineContext["env"], writes: readonly Change[]): void {
  const sent = new Set(writes.flatMap(({ address, work }) => expressionsIn(work?.body ?? {}).map(keyAt(address))));
  const used = secrets.filter(({ address, expression }) => sent.has(keyAt(address)(expression)));
  const missing = missingSecrets({ secrets: used }, env);
  if (missing.length > 0) throw new EngineError("invalid", missing);
}

function keyAt(address: string): (expression: string) => string {
  return (expression) => `${address}\n${expression}`;
}

function expressionsIn(body: ValueObject): readonly string[] {
  const found: string[] = [];
  mapSecrets(body, ({ expression }) => {
    found.push(expression);
    return null;
  });
  return found;
}

/**
 * Registers the secrets in the values of one resource that is about to be written. Unlike in a configuration they are plain
 * texts, and each counts: a short one, and one that looks like a mask, may be the real secret.
 */
export function registerResourceSecrets(redactor: Redactor, resource: Resource): void {
  for (const secret of literalSecrets([resource], () => true)) redactor.add(secret);
}
