export { checkedDiagnostics, loadConfig, type LoadedConfig, type LoadOptions } from "./load.ts";
export { missingSecrets, resolveSecret } from "./expressions/secrets.ts";
