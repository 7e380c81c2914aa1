import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Secret } from "../../model/json.ts";
import { parseExpression } from "./expression.ts";
import type { UsedSecret } from "../resources/graph.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The value of a secret, at the moment of sending.
 *
 * @param inPlace what to give where the environment lacks it, if nothing will be sent
 * @throws Error that names the environment variable which is missing; never a value.
 */
export function resolveSecret(secret: Secret, env: Environment, inPlace?: string): string {
  const parts = parseExpression(secret.expression);
  if ("malformed" in parts) throw new Error(`not the expression of a secret: ${parts.malformed}`);
  if (inPlace !== undefined && parts.some((part) => part.type !== "text" && isMissing(part.name, env))) return inPlace;
  return parts.map((part) => (part.type === "text" ? part.text : valueOf(part.name, env))).join("");
}

/** An empty variable is what a pipeline gives for a secret that it may not read: as good as none. */
function isMissing(name: string, env: Environment): boolean {
  return !Object.hasOwn(env, name) || env[name] === undefined || env[name] === "";
}

function valueOf(name: string, env: Environment): string {
  if (isMissing(name, env)) throw new Error(`environment variable ${name}, a secret, is not set or empty`);
  return env[name] ?? "";
}

/** An error for each secret that cannot be resolved; of the resources at the addresses, or of all. */
export function missingSecrets(
  loaded: { readonly secrets: readonly UsedSecret[] },
  env: Environment,
  addresses?: Iterable<string>,
): readonly Diagnostic[] {
  const wanted = addresses === undefined ? undefined : new Set(addresses);
  return loaded.secrets
    .filter(({ address }) => wanted === undefined || wanted.has(address))
    .flatMap(({ address, names, position }) =>
      names
        .filter((name) => isMissing(name, env))
        .map((name): Diagnostic => {
          const message = `environment variable ${name}, a secret, is not set or empty`;
          return { severity: "error", code: "missing_secret", message, hint: `set ${name}`, address, ...position };
        }),
    );
}
