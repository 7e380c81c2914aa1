/** What somebody has to know of a change of an object that was found. */
import type { Check } from "../../kinds/check.ts";
import { declaredPlace, isUnknownField } from "../../kinds/unknown-fields.ts";
import { declaredKeys } from "../../kinds/registry.ts";
import { own } from "../../model/json/json.ts";
import { topField } from "../../model/pointer.ts";
import { quoted, visible } from "../../model/text/quote.ts";
import { isSecretName } from "../../model/secret-values.ts";

/**
 * Warns about extra fields that an update would send, and that the object's live row lacks. There is no state, so driftline does not
 * know whether it has sent them before. If the service does not know such a field, every plan has this change.
 */
export const unseenFields: Check = {
  inspect:
    () =>
    ({ action, kind, fields, work: { live } }) => {
      if (action !== "update" || live === undefined) return undefined;
      const unseen = [...new Set(fields.map(({ path }) => topField(path)))].filter(
        (field) => isUnknownField(kind, field) && own(live.values, field) === undefined && !isSecretName(field),
      );
      const hint = "If it does not know the field, every plan has this change: check the name, or remove it.";
      return {
        warnings: unseen.map((field) => {
          const message = `the service does not show ${visible(declaredPlace(kind, field))} of this object`;
          return { code: "field_not_shown", message, hint };
        }),
      };
    },
};

/**
 * Warns of a removal by a pin whose object has another name than the declared one. With an update that is a rename. A removal gives
 * no name, so one of the two is wrong: the pin, or the name.
 */
export const removesOtherName: Check = {
  inspect:
    () =>
    ({ action, kind, work: { resource, live } }) => {
      if (action !== "delete" || live === undefined || resource === undefined) return undefined;
      const declared = declaredKeys(resource);
      const [first] = declared;
      if (first === undefined || declared.some((key) => live.keys.includes(key))) return undefined;
      const [liveName] = live.keys;
      const has = liveName === undefined ? "no name" : `the name ${quoted(liveName)}`;
      const message = `the ${kind} that is removed (id ${visible(live.id)}) has ${has} on the service, not ${quoted(first)}`;
      const hint = "Correct the pinned id if another one is meant. Otherwise declare the name that it has.";
      return { warnings: [{ code: "removes_other_name", message, hint }] };
    },
};
