import type { ProjectReference } from "../kind-parts.ts";
import type { Kind, ScopeType, Target } from "../kind.ts";
import { naturalKey } from "../keys.ts";
import { objectsOf, declarableValues } from "../rows.ts";
import { identifiedBy, standardTarget } from "../standard.ts";
import { isValueObject, valueAt, type ValueObject } from "../../model/json/json.ts";
import { convertedFromS3, destinationProblems, refusedDestination, withoutOldSettings } from "./destination.ts";
import { queryFromSchema, withNoQuery } from "./shown-query.ts";
import { isTimed } from "../service-signs.ts";
import { offsetProblems, withTiming } from "./timing.ts";

/**
 * A recurring export of events or persons. The same objects are served on the organization's route, which the interface
 * shows, and on the project's, which deployed servers need for writes. Interface: Batch exports.
 */
export const batchExport: Kind = {
  name: "batch_export",
  // An export that is listed on both routes is one object.
  identity: { ...identifiedBy("batch_export", "name"), of: (live) => live.id },
  lists: {
    operations: (scope) => [`${prefixOf(scope)}.list`],
    assemble: (assembly) =>
      Object.keys(assembly.rows).flatMap((operation) =>
        objectsOf("batch_export", assembly, operation, (row) => ({
          keys: naturalKey(row["name"]),
          values: withNoQuery(withoutOldSettings(declarableValues("batch_export", row, ["schema"]))),
        })),
      ),
  },
  writes: {
    // A service whose rows have these keys refuses a change of the model. A service without them makes the change.
    isFixed: (field, live) => field === "model" && isTimed(live),
    completed: (body, wanted, live) => withoutEmptyIntegration(withTiming(body, wanted, live), wanted),
    create: (scope, body) => ({ operation: `${prefixOf(scope)}.create`, body: withoutNullModel(body) }),
    target: (scope, { id }): Target => {
      const prefix = prefixOf(scope);
      return {
        ...standardTarget(prefix, id),
        // Created paused, and unpaused once verified: a duplicate never exports anything.
        transition: { field: "paused", operations: { true: `${prefix}.pause`, false: `${prefix}.unpause` } },
      };
    },
  },
  problems: (values) => [...destinationProblems(values), ...offsetProblems(values)],
  hints: {
    goneHint: "Services of today have batch exports in projects only. Declare it under its project.",
    errorHint: ({ code, message }) => HINTS.find(({ is }) => is.test(`${code} ${message}`))?.hint,
  },
  comparison: {
    toDeclaredNotation: queryFromSchema,
    asConverted: convertedFromS3,
    // Pausing sets the time, and a write of a destination with files adds the key.
    setByService: ["last_paused_at", "/destination/config/legacy_parquet_extension"],
    policies: {
      "/destination/config/*": ["scalars_as_strings"],
      "/model": ["null_is_default"],
      "/timezone": ["null_is_default"],
      "/offset_day": ["null_is_default"],
      "/offset_hour": ["null_is_default"],
    },
  },
  exportRules: { fields: { last_paused_at: "never" }, projectReferences: integrationOf },
  checks: [refusedDestination],
};

/** The integration that holds the credentials. Current service 174. */
function integrationOf(values: ValueObject): readonly ProjectReference[] {
  const keys = ["destination", "integration"];
  const id = valueAt(values, keys);
  return typeof id === "number" ? [{ what: "integration", id: String(id), keys }] : [];
}

/** What to do about refusals of today's service where no row has shown that it is one. Current service 170, 172, 177 and 191. */
const HINTS: readonly { readonly is: RegExp; readonly hint: string }[] = [
  {
    is: /^invalid_choice .*"S3"/u,
    hint: "Declare the type AwsS3 or S3Compatible in the place of S3, with an integration of the project.",
  },
  {
    is: /Integration is required/u,
    hint: "Declare destination.integration, the number of an integration of the project, and remove the credentials.",
  },
  {
    is: /Configuration has unknown field/u,
    hint: "Remove them. If they are credentials, an integration has them: declare its number as destination.integration.",
  },
  { is: /only supported for 'hogql'/u, hint: "Declare the model hogql, or remove the query." },
];

/** Null means the default, and today's service refuses it. */
function withoutNullModel(body: ValueObject): ValueObject {
  const { model = null, ...others } = body;
  return model === null ? others : body;
}

function prefixOf(scope: ScopeType): "batch_exports" | "project_batch_exports" {
  return scope === "project" ? "project_batch_exports" : "batch_exports";
}

/** Leaves out a live `integration: null`: a service refuses it for most types, even if the export has none. */
function withoutEmptyIntegration(body: ValueObject, wanted: ValueObject): ValueObject {
  const sent = body["destination"];
  if (!isValueObject(sent) || sent["integration"] !== null) return body;
  if (valueAt(wanted, ["destination", "integration"]) === null) return body;
  const { integration: _none, ...destination } = sent;
  return { ...body, destination };
}
