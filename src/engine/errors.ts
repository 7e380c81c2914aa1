export { EngineError, engineError, type EngineErrorReason } from "../model/engine-error.ts";
