import { literalSecrets } from "../config/literals.ts";
import type { LoadedConfig } from "../config/index.ts";
import { isSecretName } from "../model/sensitive.ts";
import type { Runtime } from "./runtime.ts";

/** A shorter value may well be a word that is no secret, whatever it is called. Characters. */
const SHORTEST = 8;
const PROXIES: ReadonlySet<string> = new Set(["http_proxy", "https_proxy", "all_proxy"]);

/** Makes unprintable what the environment holds in secrets: the key, credentials of proxies, and whatever is named like one. */
export function learnEnvironment({ env, redactor }: Pick<Runtime, "env" | "redactor">): void {
  redactor.add(env["DRIFTLINE_API_KEY"]?.trim() ?? "");
  for (const [name, value = ""] of Object.entries(env)) {
    if (isSecretName(name) && value.length >= SHORTEST) redactor.add(value);
    if (PROXIES.has(name.toLowerCase())) for (const secret of credentialsIn(value)) redactor.add(secret);
  }
}

/** Makes unprintable what a configuration uses in secrets, as far as they are there, and what it says under their names. */
export function learnConfiguration({ env, redactor }: Runtime, { secrets, graph }: LoadedConfig): void {
  const names = new Set(secrets.flatMap((secret) => secret.names));
  for (const name of names) if (Object.hasOwn(env, name)) redactor.add(env[name] ?? "");
  for (const { kind, values } of graph.resources) {
    for (const secret of literalSecrets(kind, values)) if (secret.length >= SHORTEST) redactor.add(secret);
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
