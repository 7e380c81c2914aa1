import { declaredUnder, keyOf, objectsOf, scopedIdentity, standardCalls, standardTarget } from "../helpers.ts";
import type { Kind } from "../kind.ts";

/** A feature flag. It is soft-deleted, so it can be brought back under its id. Interface: Feature flags. */
export const featureFlag: Kind = {
  ...declaredUnder("feature_flag"),
  ...standardCalls("feature_flags"),
  idSpace: "feature_flag",
  identity: scopedIdentity,
  siblings: [],
  keyFields: ["key"],
  declaredKeys: (values) => keyOf(values["key"]),
  assemble: (assembly) =>
    objectsOf("feature_flag", assembly, "feature_flags.list", (row) => ({
      keys: keyOf(row["key"]),
      deleted: row["deleted"] === true,
    })),
  target: (_scope, { id }) => ({
    ...standardTarget("feature_flags", id),
    remove: [{ operation: "feature_flags.update", path: { id }, body: { deleted: true } }],
    restore: { operation: "feature_flags.update", path: { id }, body: { deleted: false } },
  }),
  restorable: true,
  policies: { "/name": ["blank_is_null"] },
};
