/** What each removal takes away: an id alone does not show that. */
import { writtenValues } from "../../export/resources.ts";
import { ExportSession } from "../../export/session.ts";
import { schemaAt } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import type { FieldValue } from "../../model/change.ts";
import { mapSecrets, type ValueObject } from "../../model/json/json.ts";
import type { LiveObject } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { SENSITIVE } from "../../model/secret-values.ts";
import { fieldChanges } from "../../plan/make-change.ts";

/** The plan with what its removals take away: what an export would write for the object, and what its kind knows of it besides. */
export function addRemovedValues(plan: Plan): Plan {
  const session = new ExportSession({ ids: true });
  const changes = plan.changes.map((change) => {
    const { resource, live } = change.work ?? {};
    if (change.action !== "delete" || live === undefined) return change;
    return { ...change, removes: removedValues(live, resource?.values ?? {}, session) };
  });
  return { ...plan, changes };
}

/** @param declared what the configuration declares of the object: its secrets may be among the live values */
function removedValues(live: LiveObject, declared: ValueObject, session: ExportSession): readonly FieldValue[] {
  const values = { ...writtenValues(live, session), ...live.about };
  const leaves = Object.entries(values).map(([field, value]) => {
    const schema = schemaAt(live.kind, live.values, [field]);
    return { keys: [field] as const, live: mapSecrets(value, () => SENSITIVE), planned: null, schema };
  });
  return fieldChanges(kinds[live.kind], leaves, declared).map(({ path, prior }) => ({ path, value: prior }));
}
