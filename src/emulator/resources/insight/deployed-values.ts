import { invalid, serverError, unparsable } from "../../http/errors.ts";
import { isObject, type Json } from "../../json.ts";
import { queryProblem } from "./deployed-query-schema.ts";
import { teamTable, type Team } from "../project/record.ts";
import type { INSIGHT_FIELDS } from "./fields.ts";
import type { Service } from "../../service.ts";
import type { Values } from "../../http/fields.ts";

type SentValues = Values<typeof INSIGHT_FIELDS>;

/**
 * Converts the values of a create or update like deployed servers. They check more than the document says, and normalize
 * tags, or ignore them if the caller's plan has no `tagging`.
 * @throws ApiError 400 or 500
 */
export function deployedValues(service: Service, sent: SentValues, team: Team, tagging: boolean): SentValues {
  if (Array.isArray(sent.filters)) throw serverError();
  checkQuery(sent.query ?? null);
  checkDashboards(service, sent.dashboards ?? [], team);
  const dashboards = sent.deleted === true ? { dashboards: [] } : {};
  return { ...withPlannedTags(sent, tagging), ...dashboards };
}

/** Normalizes tags, or leaves them out if the plan has no `tagging`. */
export function withPlannedTags({ tags, ...others }: SentValues, tagging: boolean): SentValues {
  return tagging && tags !== undefined ? { ...others, tags: normalizeTags(tags) } : others;
}

function checkQuery(query: Json): void {
  // Servers do not check an empty query.
  if (query === null || (isObject(query) && Object.keys(query).length === 0)) return;
  const problem = queryProblem(query);
  if (problem !== undefined) throw unparsable(problem);
}

/** The dashboards of another project exist, but an insight cannot be put on them. */
function checkDashboards(service: Service, dashboards: readonly number[], team: Team): void {
  const missing = dashboards.find((id) => !team.dashboards.includes(id));
  if (missing === undefined) return;
  const isElsewhere = teamTable(service)
    .all()
    .some((other) => other.dashboards.includes(missing));
  if (isElsewhere) throw invalid("invalid_input", "Dashboard not found");
  throw invalid("does_not_exist", `Invalid pk "${missing}" - object does not exist.`, "dashboards");
}

/** Normalizes tags: trimmed, in lower case, without duplicates. A tag that the database rejects is a server error. */
function normalizeTags(tags: readonly Json[]): string[] {
  const names = tags.map((tag) => {
    if (typeof tag !== "string" || tag.length > 255) throw serverError();
    return tag.trim().toLowerCase();
  });
  return [...new Set(names)];
}
