export { kindNames, type KindName } from "../generated/kind-names.ts";
