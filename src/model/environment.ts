/** A variable that says something. An empty one says as little as none: pipelines make them of what they were not given. */
export function environmentVariable(
  env: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  return value === "" ? undefined : value;
}
