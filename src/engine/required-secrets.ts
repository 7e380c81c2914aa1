/** The secrets of a write: requires those that it sends, and registers those of one resource. */
import type { Redactor } from "../api/redact/redact.ts";
import { literalSecrets } from "../config/expressions/secrets.ts";
import { missingSecrets, type LoadedConfig } from "../config/index.ts";
import type { Change } from "../model/change.ts";
import { leavesOf, Secret, type ValueObject } from "../model/json/json.ts";
import type { Resource } from "../model/resource.ts";
import type { EngineContext } from "./context.ts";
import { EngineError } from "../model/engine-error.ts";

/**
 * Only the secrets that the changes send have to be set. The others may be missing.
 *
 * @param writes the changes that will be executed
 * @throws EngineError `invalid` if a secret that they send is not set; sending would fail halfway
 */
export function requireSecrets({ secrets }: LoadedConfig, env: EngineContext["env"], writes: readonly Change[]): void {
  const sent = new Set(
    writes.flatMap(({ address, work }) => expressionsIn(work?.body ?? {}).map((one) => secretKey(address, one))),
  );
  const used = secrets.filter(({ address, expression }) => sent.has(secretKey(address, expression)));
  const missing = missingSecrets({ secrets: used }, env);
  if (missing.length > 0) throw new EngineError("invalid", missing);
}

function secretKey(address: string, expression: string): string {
  return `${address}\n${expression}`;
}

function expressionsIn(body: ValueObject): readonly string[] {
  return leavesOf(body).flatMap(({ value }) => (value instanceof Secret ? [value.expression] : []));
}

/**
 * Registers the secrets in the values of one resource that is about to be written. Unlike in a configuration they are plain
 * texts, and each counts: a short one, and one that looks like a mask, may be the real secret.
 */
export function registerResourceSecrets(redactor: Redactor, resource: Resource): void {
  for (const secret of literalSecrets([resource], () => true)) redactor.add(secret);
}
