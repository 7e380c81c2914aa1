import { declaredPlace, isUnknownField } from "../kinds/unknown-fields.ts";
import type { Change } from "../model/change.ts";
import { type Diagnostic, warningAt } from "../model/diagnostic.ts";
import { own } from "../model/json.ts";
import { pointerKeys } from "../model/pointer.ts";
import { isSecretName } from "../model/secret-values.ts";
import type { LiveObject } from "../model/live.ts";
import { visible } from "../model/quote.ts";
import type { Resource } from "../model/resource.ts";

/**
 * Warns about extra fields that an update would send, and that the object's live row lacks. There is no state, so driftline does not
 * know whether it has sent them before. If the service does not know such a field, every plan has this change.
 */
export function unseenFields(resource: Resource, { action, fields }: Change, live: LiveObject): readonly Diagnostic[] {
  if (action !== "update") return [];
  const changed = new Set(fields.flatMap(({ path }) => pointerKeys(path).slice(0, 1)));
  const unseen = [...changed].filter(
    (field) => isUnknownField(resource.kind, field) && own(live.values, field) === undefined && !isSecretName(field),
  );
  return unseen.map((field) => {
    const message = `the service does not show ${visible(declaredPlace(resource.kind, field))} of this object`;
    const hint = "If it does not know the field, every plan has this change: check the name, or remove it.";
    return warningAt(resource, { code: "field_not_shown", message, hint });
  });
}
