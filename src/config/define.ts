import type { Config } from "../generated/types.ts";

/**
 * Gives a configuration that is written in TypeScript its type. It returns its argument unchanged.
 *
 * @example
 * export default defineConfig({ driftline: 1, organizations: { acme: { name: "Acme Inc", enforce_2fa: true } } });
 */
export function defineConfig(config: Config): Config {
  return config;
}
