import { asText, type Json, type JsonObject } from "../../json.ts";
import { defineTable, type Row } from "../../store/table.ts";
import { invalid } from "../../http/errors.ts";
import type { Service } from "../../service.ts";
import type { Team } from "../project/record.ts";

/** The rows that an SQL text returns. The emulator cannot evaluate SQL, so a seed says what each text returns. */
export interface QueryResult extends Row {
  readonly id: number;
  readonly team_id: number;
  readonly query: string;
  readonly columns: Json;
  readonly types: Json;
  /** All rows, as if there were no limit. */
  readonly results: Json;
}

/** The results of SQL texts, by project. */
export const queryResultTable = defineTable<QueryResult>((row) => row.team_id);

/** How many rows SQL without a limit returns. */
const DEFAULT_LIMIT = 100;
const LIMIT = /\s+LIMIT\s+(\d+)\s*$/i;

/**
 * Answers SQL with the rows that are known for it, at most as many as its last `LIMIT` says. White space and the limit
 * make no difference between two texts.
 * @throws ApiError 400 for any other text
 */
export function answerSql(service: Service, team: Team, source: JsonObject): JsonObject {
  const query = asText(source["query"] ?? "");
  const found = queryResultTable(service)
    .within(team.id)
    .find((row) => withoutLimit(row.query) === withoutLimit(query));
  if (found === undefined) throw invalid("invalid_input", "The emulator has no rows for this SQL.");
  const [, limit] = LIMIT.exec(bare(query)) ?? [];
  const rows = Array.isArray(found.results) ? found.results : [];
  const results = rows.slice(0, Number(limit ?? DEFAULT_LIMIT));
  const paging = { limit: DEFAULT_LIMIT, offset: 0, hasMore: rows.length > DEFAULT_LIMIT };
  const { columns, types } = found;
  return { query, hogql: query, columns, types, results, ...(limit === undefined ? paging : {}) };
}

/** Returns SQL on one line, without the semicolon at its end. */
function bare(sql: string): string {
  return sql.trim().replace(/\s*;$/, "").replaceAll(/\s+/g, " ");
}

function withoutLimit(sql: string): string {
  return bare(sql).replace(LIMIT, "");
}
