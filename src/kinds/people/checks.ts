import type { Check } from "../check.ts";
import { keptInvite, leftExpired } from "./left-invites.ts";
import { movedPerson } from "./moved.ts";
import { fewOwners, lastOwner } from "./owners.ts";
import { ownPerson, ownUserStays, selfUnproved } from "./own-user-checks.ts";
import { outsider, promotedWithoutFactor } from "./promotions.ts";
import { forgottenRights, ignoredLevel } from "./protection.ts";

/** What all kinds of people are checked for. */
export const PEOPLE_CHECKS: readonly Check[] = [
  keptInvite,
  movedPerson,
  ownUserStays,
  lastOwner,
  selfUnproved,
  fewOwners,
  leftExpired,
  ignoredLevel,
  forgottenRights,
  ownPerson,
  promotedWithoutFactor,
  outsider,
];
