export { checkedDiagnostics, loadConfig, loadServiceUrl, type LoadedConfig, type LoadOptions } from "./load.ts";
export { configHash } from "./resources/graph.ts";
export {
  literalSecrets,
  missingSecrets,
  registerConfigSecrets,
  resolveSecret,
  unsetSecrets,
} from "./expressions/secrets.ts";
