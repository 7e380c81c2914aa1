export { checkedDiagnostics, loadConfig, type LoadedConfig, type LoadOptions } from "./load.ts";
export { literalSecrets, missingSecrets, resolveSecret } from "./expressions/secrets.ts";
