import type { Config } from "../generated/types.ts";

/**
 * Types a configuration that is written in TypeScript; it gives back what it got.
 *
 * @example
 * export default defineConfig({ driftline: 1, organizations: { acme: { name: "Acme Inc", enforce_2fa: true } } });
 */
export function defineConfig(config: Config): Config {
  return config;
}
