import { naturalKey } from "../keys.ts";
import type { Kind } from "../kind.ts";
import { objectsOf } from "../rows.ts";
import { identifiedBy, standardTarget, standardWrites } from "../standard.ts";

/** A feature flag. It is soft-deleted, so it can be brought back under its id. Interface: Feature flags. */
export const featureFlag: Kind = {
  name: "feature_flag",
  identity: identifiedBy("feature_flag", "key"),
  lists: {
    operations: () => ["feature_flags.list"],
    assemble: (assembly) =>
      objectsOf("feature_flag", assembly, "feature_flags.list", (row) => ({
        keys: naturalKey(row["key"]),
        ...(row["deleted"] === true ? { state: "deleted" } : {}),
      })),
  },
  writes: {
    ...standardWrites("feature_flags"),
    target: (_scope, { id }) => ({
      ...standardTarget("feature_flags", id),
      remove: [{ operation: "feature_flags.update", path: { id }, body: { deleted: true } }],
      restore: { operation: "feature_flags.update", path: { id }, body: { deleted: false } },
    }),
  },
  comparison: { policies: { "/name": ["blank_is_null"] } },
};
