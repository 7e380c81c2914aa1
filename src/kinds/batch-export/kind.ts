import type { Kind, ScopeType, Target } from "../kind.ts";
import { keyOf, objectsOf, declarableValues, declaredUnder, identifiedBy, standardTarget } from "../helpers.ts";
import { isValueObject, valueAt, type JsonObject, type ValueObject } from "../../model/json.ts";
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
    // A service whose rows have these keys refuses a change of the model. A service without them makes the change.
    isFixed: (field, live) => field === "model" && isTimed(live),
    completed: (body, wanted, live) => withoutEmptyIntegration(withTiming(body, wanted, live), wanted),
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
      "/model": ["null_is_default"],
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

/** Whether the service of a live export has time zones and offsets. */
function isTimed(live: JsonObject): boolean {
  return Object.hasOwn(live, "timezone") || Object.hasOwn(live, "offset_day");
}

/**
 * Adds the interval and the offsets that belong to it: a service that has offsets takes them only together with the interval, and
 * clears the one that is not sent.
 */
function withTiming(body: ValueObject, wanted: ValueObject, live: JsonObject): ValueObject {
  if (!isTimed(live) || !["interval", "offset_day", "offset_hour"].some((field) => field in body)) return body;
  const { interval, offset_day = null, offset_hour = null } = wanted;
  const isWeekly = interval === "week";
  return {
    interval: interval ?? null,
    ...(isWeekly && offset_day !== null ? { offset_day } : {}),
    ...((isWeekly || interval === "day") && offset_hour !== null ? { offset_hour } : {}),
    ...body,
  };
}

/** Leaves out a live `integration: null`: a service refuses it for most types, even if the export has none. */
function withoutEmptyIntegration(body: ValueObject, wanted: ValueObject): ValueObject {
  const sent = body["destination"];
  if (!isValueObject(sent) || sent["integration"] !== null) return body;
  if (valueAt(wanted, ["destination", "integration"]) === null) return body;
  const { integration: _none, ...destination } = sent;
  return { ...body, destination };
}
