/** Requiring two-factor authentication locks out whoever has none: who of the owners that is. */
import { OWNER } from "../../kinds/people.ts";
import type { Change } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { listKey, type LiveList, type LiveObject } from "../../model/live.ts";

/** Addresses of the organizations whose members will have to use two-factor authentication from this plan on. */
export function newlyEnforced(changes: readonly Change[]): readonly string[] {
  return changes.filter(enforces).map(({ address }) => address);
}

/** A warning for each of them that has owners who are known to have none. `lists` are by `listKey`. */
export function twoFactorWarnings(
  changes: readonly Change[],
  lists: ReadonlyMap<string, LiveList>,
): readonly Diagnostic[] {
  return changes.filter(enforces).flatMap(({ address, work }): readonly Diagnostic[] => {
    const owners = (lists.get(listKey(address, "member"))?.objects ?? []).filter(lacksSecondFactor);
    if (owners.length === 0) return [];
    const names = owners.map(({ keys }) => keys[0]).join(", ");
    return [
      {
        severity: "warning",
        code: "owners_without_2fa",
        message: `${address}: enforce_2fa will keep out owners who have no second factor: ${names}`,
        hint: "Have them set it up first: until they do, they can only sign in to do that.",
        address,
        ...work?.resource?.position,
      },
    ];
  });
}

function enforces({ action, work }: Change): boolean {
  return action === "update" && work?.body["enforce_2fa"] === true;
}

function lacksSecondFactor({ values }: LiveObject): boolean {
  return values["level"] === OWNER && values["is_2fa_enabled"] === false;
}
