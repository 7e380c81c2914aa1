import { isCreating } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import { isBlank, own } from "../../model/json.ts";
import type { Check } from "../check.ts";
import { takenAt } from "../varying-fields.ts";

/**
 * A service that keeps insights as queries only is sent nothing that it refuses. Current service 204 to 207: it refuses filters, a new
 * insight without a query, and an empty query. Its rows have no filters.
 */
export const queryRequired: Check = {
  rule: "query_required",
  look:
    ({ world }) =>
    ({ address, action, kind, work: { scope, body } }) => {
      const taken = takenAt(world, scope, kind);
      if (taken === undefined || taken.has("/filters")) return undefined;
      if (!isBlank(own(body, "filters"))) {
        const remedy =
          "declare a query in the place of the filters. If another project has this insight, an export of that project writes its query";
        return { blocked: { remedy } };
      }
      const isNew = isCreating({ action });
      const isMissing = isBlank(own(body, "query")) && (isNew || Object.hasOwn(body, "query"));
      if (!isMissing) return undefined;
      const accept = isNew ? {} : { command: command("drift", { accept: true, only: address }) };
      return { blocked: { remedy: "declare a query", ...accept } };
    },
};
