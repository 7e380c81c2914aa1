/**
 * Reads an environment variable. An empty one counts as unset, because pipelines turn missing values into empty ones.
 */
export function environmentVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === "" ? undefined : value;
}
