import type { Kind, ScopeType, Target } from "../kind.ts";
import { keyOf, objectsOf, declarableValues, declaredUnder, identifiedBy, standardTarget } from "../helpers.ts";
import { queryFromSchema } from "./shown-query.ts";

/**
 * A recurring export of events or persons. The same objects are served on the organization's route, which the interface
 * shows, and on the project's, which deployed servers need for writes. Interface: Batch exports.
 */
export const batchExport: Kind = {
  ...declaredUnder("batch_export"),
  // An export that is listed on both routes is one object.
  identity: { ...identifiedBy("batch_export", "name"), of: (live) => live.id },
  lists: {
    operations: (scope) => [`${prefixOf(scope)}.list`],
    assemble: (assembly) =>
      Object.keys(assembly.rows).flatMap((operation) =>
        objectsOf("batch_export", assembly, operation, (row) => ({
          keys: keyOf(row["name"]),
          values: declarableValues("batch_export", row, ["schema"]),
        })),
      ),
  },
  writes: {
    create: (scope, body) => ({ operation: `${prefixOf(scope)}.create`, body }),
    target: (scope, { id }): Target => {
      const prefix = prefixOf(scope);
      return {
        ...standardTarget(prefix, id),
        // Created paused, and unpaused once verified: a duplicate never exports anything.
        transition: {
          field: "paused",
          createAs: true,
          operations: { true: `${prefix}.pause`, false: `${prefix}.unpause` },
        },
      };
    },
  },
  hints: { goneHint: "Services of today have batch exports in projects only. Declare it under its project." },
  comparison: {
    toDeclaredNotation: queryFromSchema,
    // The service shows what it made of the query.
    isUnset: (field, live) => field === "hogql_query" && live["schema"] === null,
    // Pausing sets the time, and a write of a destination with files adds the key.
    setByService: ["last_paused_at", "/destination/config/legacy_parquet_extension"],
    countedFields: ["destination"],
    policies: {
      "/destination/config/*": ["scalars_as_strings"],
      "/timezone": ["null_is_default"],
      "/offset_day": ["null_is_default"],
      "/offset_hour": ["null_is_default"],
    },
  },
  exportRules: { leftOut: ["last_paused_at"] },
};

function prefixOf(scope: ScopeType): "batch_exports" | "project_batch_exports" {
  return scope === "project" ? "project_batch_exports" : "batch_exports";
}
