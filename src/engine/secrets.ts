import type { Redactor } from "../api/redact/redact.ts";
import type { Resource } from "../model/resource.ts";
import { isSecretName } from "../model/sensitive.ts";
import type { Runtime } from "../cli/runtime.ts";
import type { LoadedConfig } from "../config/index.ts";
import { literalSecrets } from "../config/expressions/secrets.ts";

/** A shorter value may well be a word that is no secret, whatever it is called. Characters. */
export const SHORTEST_SECRET = 8;
const PROXIES: ReadonlySet<string> = new Set(["http_proxy", "https_proxy", "all_proxy"]);

/** Makes unprintable what the environment holds in secrets: the key, credentials of proxies, and whatever is named like one. */
export function registerEnvironmentSecrets({ env, redactor }: Pick<Runtime, "env" | "redactor">): void {
  redactor.add(env["DRIFTLINE_API_KEY"]?.trim() ?? "");
  for (const [name, value = ""] of Object.entries(env)) {
    if (isSecretName(name) && value.length >= SHORTEST_SECRET) redactor.add(value);
    if (PROXIES.has(name.toLowerCase())) for (const secret of credentialsIn(value)) redactor.add(secret);
  }
}

/** Password, and user and password together as a header encodes them, written in whichever way. */
function credentialsIn(proxy: string): readonly string[] {
  const [, user = "", password = ""] = /^(?:[a-z][a-z0-9+.-]*:\/\/)?([^/@:]*):([^/@]*)@/iu.exec(proxy) ?? [];
  return password === "" ? [] : [password, decoded(password), `${decoded(user)}:${decoded(password)}`];
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Makes unprintable what a configuration uses in secrets, as far as they are there, and what it says under their names. */
export function registerConfigSecrets({ env, redactor }: Runtime, { secrets, graph }: LoadedConfig): void {
  const names = new Set(secrets.flatMap((secret) => secret.names));
  for (const name of names) if (Object.hasOwn(env, name)) redactor.add(env[name] ?? "");
  for (const secret of literalSecrets(graph.resources)) if (secret.length >= SHORTEST_SECRET) redactor.add(secret);
}

/**
 * Registers the secrets in the values of one resource that is about to be written. Unlike in a configuration they are plain
 * texts, and each counts: a short one, and one that looks like a mask, may be the real secret.
 */
export function registerResourceSecrets(redactor: Redactor, resource: Resource): void {
  for (const secret of literalSecrets([resource], () => true)) redactor.add(secret);
}
