import type { Kind } from "../kind.ts";
import { attachedOf } from "./attached.ts";
import { goneVariables, queryRequired } from "./checks.ts";
import { destroyedAlerts } from "./destroyed-alerts.ts";
import { bareAsDeclared, withDeclaredType, withoutDefaultType, withWrappedQuery } from "./notation.ts";
import { isOtherNode, QUERIES } from "./nodes.ts";
import { projectIdsIn } from "./project-ids.ts";
import { naturalKey, asText } from "../keys.ts";
import { objectsOf } from "../rows.ts";
import { identifiedBy, standardTarget } from "../standard.ts";
import { ONLY_TODAY } from "../service-signs.ts";
import { valuesOf } from "./values.ts";
import { missingVariables } from "./variables.ts";

/**
 * A saved analysis. It is never deleted for good, so it can always be brought back under its id. Interface: Insights.
 */
export const insight: Kind = {
  name: "insight",
  identity: identifiedBy("insight", "name"),
  lists: {
    operations: () => ["insights.list"],
    fullListFields: ["order"],
    isLong: true,
    assemble: (assembly) =>
      objectsOf("insight", assembly, "insights.list", (row, id) => {
        const shortId = asText(row["short_id"]);
        const values = valuesOf(row);
        return {
          values,
          attached: attachedOf(row, values),
          keys: naturalKey(row["name"]),
          pins: shortId === undefined ? { id } : { id, short_id: shortId },
          ...(row["deleted"] === true ? { state: "deleted" } : {}),
        };
      }),
  },
  writes: {
    create: (_scope, body) => ({ operation: "insights.create", body: withWrappedQuery(body) }),
    target: (_scope, { id }) => ({
      ...standardTarget("insights", id),
      update: (body) => ({ operation: "insights.update", path: { id }, body: withWrappedQuery(body) }),
      remove: [{ operation: "insights.update", path: { id }, body: { deleted: true } }],
      restore: { operation: "insights.update", path: { id }, body: { deleted: false } },
    }),
    // Current service 211 and 218.
    completed: (body, _wanted, { saved, [ONLY_TODAY]: today }) =>
      saved === false && today !== undefined ? { saved, ...body } : body,
  },
  nodes: { query: QUERIES },
  pagePath: ({ project_id: project }, { pins: { short_id: id } }) =>
    project === undefined || id === undefined ? undefined : ["project", project, "insights", id],
  numbers: { fields: ["query", "filters"], load: async () => (await import("./calculation/question.ts")).CALCULATIONS },
  checks: [queryRequired, destroyedAlerts, goneVariables],
  hints: {
    note: (action) =>
      action === "restore"
        ? "its alerts and undeclared dashboards do not come back, and today's service sets an undeclared saved to true"
        : undefined,
  },
  comparison: {
    missingReferences: missingVariables,
    setByService: ["derived_name"],
    canonical: withoutDefaultType,
    toDeclaredNotation: (declared, live) => withDeclaredType(declared, live) ?? bareAsDeclared(declared, live),
    isOtherNode,
    policies: {
      "/name": ["blank_is_null"],
      "/derived_name": ["blank_is_null"],
      "/description": ["blank_is_null"],
      "/tags": ["lower_case"],
      "/query/*": ["ignore_version"],
    },
  },
  exportRules: {
    fields: { dashboards: { shared: "because people choose on a dashboard what it shows" }, filters: "empty_at_first" },
    projectReferences: projectIdsIn,
  },
};
