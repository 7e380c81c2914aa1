export { checkedDiagnostics, loadConfig, type LoadedConfig, type LoadOptions } from "./load.ts";
export { literalSecrets, missingSecrets, registerConfigSecrets, resolveSecret } from "./expressions/secrets.ts";
