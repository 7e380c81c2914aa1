import { isSecretName } from "../../model/sensitive.ts";
import type { Redactor } from "./redact.ts";

/** The least length of a secret, in characters. A shorter value may be an ordinary word, even in a variable named SECRET. */
export const SHORTEST_SECRET = 8;
const PROXIES: ReadonlySet<string> = new Set(["http_proxy", "https_proxy", "all_proxy"]);

/** Registers the secrets of the environment: the key, credentials of proxies, and variables with the name of a secret. */
export function registerEnvironmentSecrets(
  env: Readonly<Record<string, string | undefined>>,
  redactor: Redactor,
): void {
  redactor.add(env["DRIFTLINE_API_KEY"]?.trim() ?? "");
  for (const [name, value = ""] of Object.entries(env)) {
    if (isSecretName(name) && value.length >= SHORTEST_SECRET) redactor.add(value);
    if (PROXIES.has(name.toLowerCase())) for (const secret of credentialsIn(value)) redactor.add(secret);
  }
}

/** The password, and user and password together as a header encodes them, with and without percent-encoding. */
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
