/** What an insight is checked for before its query is written. */
import { isCreating } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { isBlank, own } from "../../model/json/json.ts";
import { pathTexts } from "../../model/pointer.ts";
import type { Check } from "../check.ts";
import { takenAt } from "../varying-fields.ts";
import { rowsIn } from "../world.ts";
import { readOf, rowIn } from "./read-by-id.ts";
import { valuesOf } from "./values.ts";
import { missingVariables } from "./variables.ts";

/**
 * A service that keeps insights as queries only is sent nothing that it refuses. Current service 204 to 207: it refuses filters, a new
 * insight without a query, and an empty query. Its rows have no filters.
 */
export const queryRequired: Check = {
  rule: "query_required",
  inspect:
    ({ world }) =>
    ({ address, action, kind, work: { scope, body } }) => {
      const taken = takenAt(world, scope, kind);
      if (taken === undefined || taken.has("/filters")) return undefined;
      if (!isBlank(own(body, "filters"))) {
        const lift =
          "declare a query in the place of the filters. If another project has this insight, an export of that project writes its query";
        return { blocked: { lift } };
      }
      const isNew = isCreating({ action });
      const isMissing = isBlank(own(body, "query")) && (isNew || Object.hasOwn(body, "query"));
      if (!isMissing) return undefined;
      const accept = isNew ? {} : { command: command("drift", { accept: true, only: address }) };
      return { blocked: { lift: "declare a query", ...accept } };
    },
};

/**
 * A query with an SQL variable that the project no longer has is said before it is written. The service takes the write all the same.
 *
 * Premise: a list shows a query as it is stored, a read by id only the variables that the project has today.
 * Algorithm: read each insight whose query is to be written with a variable that is stored already. No other one is read.
 */
export const goneVariables: Check = {
  ofWholePlan: true,
  inspect:
    ({ world }) =>
    ({ action, work: { resource, live, body } }) => {
      if (action !== "update" || resource === undefined || live === undefined || !Object.hasOwn(body, "query"))
        return undefined;
      const added = missingVariables(resource.values, live.values);
      const stored = missingVariables(resource.values, {}).filter((path) => !added.includes(path));
      const read = stored.length === 0 ? undefined : readOf(world, live);
      if (read === undefined) return undefined;
      const answer = rowsIn(world, read);
      if (answer === undefined) return { needs: [read] };
      const row = rowIn(live, answer);
      const gone = row === undefined ? [] : missingVariables(resource.values, valuesOf(row));
      const paths = stored.filter((path) => gone.includes(path));
      if (paths.length === 0) return undefined;
      const message = `the project does not have what ${pathTexts(paths)} refers to`;
      const hint = "It is written as declared, and the query fails where it is used. Declare one of this project.";
      return { warnings: [{ code: "reference_missing", message, hint }] };
    },
};
