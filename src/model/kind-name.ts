export { collections, kindNames, setFields, valueNames, type KindName } from "../generated/kind-names.ts";
