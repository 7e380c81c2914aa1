export { defineConfig } from "./define.ts";
export type { UsedSecret } from "./graph.ts";
export { loadConfig, type LoadedConfig, type LoadOptions } from "./load.ts";
export { missingSecrets, resolveSecret } from "./secrets.ts";
