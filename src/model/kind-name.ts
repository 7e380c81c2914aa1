export { kindNames, valueNames, type KindName } from "../generated/kind-names.ts";
