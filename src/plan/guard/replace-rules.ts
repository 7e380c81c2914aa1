/** A replace must be able to create the new object, must not create a second one, and must not lose a value that somebody may need. */
import type { Check } from "../../kinds/check.ts";
import { kindSchema } from "../../kinds/fields.ts";
import { listedObjects } from "../../kinds/listed-objects.ts";
import { declaredKeys, kinds } from "../../kinds/registry.ts";
import { declaredPlace } from "../../kinds/unknown-fields.ts";
import { command } from "../../model/command.ts";
import type { LiveObject } from "../../model/live.ts";
import { topField } from "../../model/pointer.ts";
import { visible } from "../../model/text/quote.ts";
import { claimKey } from "../match.ts";

/**
 * If neither the configuration nor the live object shows a required field, no replacement can be created, and the object would
 * be gone.
 */
export const incompleteReplace: Check = {
  rule: "incomplete",
  inspect:
    () =>
    ({ action, kind, work: { resource } }) => {
      if (action !== "replace" || resource === undefined) return undefined;
      const missing = kindSchema(kind).required.filter((field) => !Object.hasOwn(resource.values, field));
      if (missing.length === 0) return undefined;
      return { blocked: { lift: `declare ${missing.join(", ")}, which a new object needs` } };
    },
};

/**
 * An object that nothing declares has the name of the replacement. A run whose journal is on another machine may have
 * created it and not removed the old object. The lists do not prove that, so a person decides. A unique name is left to
 * held-names.ts if the object that has it is to be pruned.
 */
export const secondReplacement: Check = {
  rule: "replacement_exists",
  inspect:
    ({ changes, world, claims, prune }) =>
    ({ action, id, work: { resource }, ...change }) => {
      const kind = kinds[change.kind];
      if (action !== "replace" || resource === undefined || kind.writes.onePerKey === true) return undefined;
      const keys = declaredKeys(resource);
      const listed = listedObjects(world, resource.scope, kind.name);
      const isGoing = (live: LiveObject): boolean =>
        prune && kind.identity.unique !== undefined && changes.some(({ work }) => work?.live === live);
      const others = listed.filter(
        (live) => keys.some((key) => live.keys.includes(key)) && !claims.has(claimKey(live)) && !isGoing(live),
      );
      if (others.length === 0) return undefined;
      const ids = visible([...new Set(others.map((live) => live.id))].join(", "));
      const lift = `remove the id ${ids} on the service if an earlier run created it as the replacement of the id ${visible(String(id))}, or declare it as well`;
      return { blocked: { lift } };
    },
};

/**
 * What no read shows, or may be refused once the old object is gone, is not sent to the new object. So somebody has to declare it
 * or to give it up.
 */
export const lossyReplace: Check = {
  rule: "replace_loses",
  inspect:
    () =>
    ({ address, kind, work: { lost = [] } }) => {
      const fields = [...new Set(lost.map((path) => declaredPlace(kind, topField(path))))];
      if (fields.length === 0) return undefined;
      const lift = `declare ${fields.join(", ")}, or allow the loss:`;
      return { blocked: { lift, command: command("apply", { allowLoss: address }) } };
    },
};
