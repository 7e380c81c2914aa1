export {
  collections,
  keyedBy,
  kindNames,
  kindScopes,
  setFields,
  valueNames,
  type KindName,
} from "../generated/kind-names.ts";
