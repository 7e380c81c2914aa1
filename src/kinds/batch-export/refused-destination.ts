import type { Check } from "../check.ts";
import { takenAt } from "../varying-fields.ts";
import { destinationRefusal } from "./destination.ts";
import { offsetProblems } from "./timing.ts";

/** A service whose rows have keys for rows has all the rules of today: the keys are its latest addition. */
export const refusedDestination: Check = {
  rule: "service_refuses",
  look:
    ({ world }) =>
    ({ action, kind, work: { scope, body } }) => {
      if (takenAt(world, scope, kind)?.has("/primary_key") !== true) return undefined;
      const remedy = destinationRefusal(body, action) ?? offsetProblems(body)[0]?.message;
      return remedy === undefined ? undefined : { blocked: { remedy } };
    },
};
