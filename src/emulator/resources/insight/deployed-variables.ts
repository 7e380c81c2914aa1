import { isObject, type JsonObject } from "../../json.ts";
import type { Insight } from "./record.ts";
import type { Service } from "../../service.ts";
import type { Team } from "../project/record.ts";

/**
 * Shows the SQL variables of an insight as deployed servers do in the answer about one insight. Those that the project does not
 * have are left out, and one that was made anew has its new id. Lists show what is stored.
 */
export function withTodaysVariables(service: Service, team: Team, row: Insight): Insight {
  const { query } = row;
  const source = isObject(query) ? query["source"] : undefined;
  if (!service.isRealServer || !isObject(query) || !isObject(source) || !isObject(source["variables"])) return row;
  const variables = Object.entries(source["variables"]).flatMap(([id, stored]): [string, JsonObject][] => {
    if (!isObject(stored)) return [];
    const found =
      team.variables.find((one) => one.id === id) ??
      team.variables.find(({ code_name }) => code_name === stored["code_name"]);
    return found === undefined ? [] : [[found.id, { ...stored, variableId: found.id }]];
  });
  return { ...row, query: { ...query, source: { ...source, variables: Object.fromEntries(variables) } } };
}
