/** Whose key it is, as far as that is declared (`service.self`) and no organization shows that it is somebody else. */
import { compareNaturally } from "../../model/compare-text.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { withArticle } from "../../model/text/plural.ts";
import { visible } from "../../model/text/quote.ts";
import type { DesiredGraph } from "../../model/resource.ts";
import { organizationAt } from "../live-organization.ts";
import type { World } from "../world.ts";
import { allMembers } from "./members.ts";
import { levelText, membersGap } from "./people.ts";

type Declared = Pick<DesiredGraph, "service">;

/** The declared e-mail address of the key's user in lower case. Undefined if none is declared, or if it is not that user's. */
export function ownUser({ service: { self } }: Declared, world: World): string | undefined {
  return mismatch(self, world) === undefined ? self?.toLowerCase() : undefined;
}

/** How to say whose key it is. @param emails of people whose it may be @param lead "perhaps " if it may be that of others */
export function declareSelf(emails: readonly string[], lead = ""): string {
  const possible = [...new Set(emails)].toSorted(compareNaturally);
  const who = `${lead}${possible.length > 1 ? "one of " : ""}${visible(possible.join(", "))}`;
  return `set service.self in the configuration to the e-mail of the user whose API key this is (${who}): service: { self: E-MAIL }`;
}

/**
 * A warning if `service.self` names a person whose key this is not. The setting is then ignored, and every person who may
 * be the user of the key is protected.
 */
export function wrongSelf({ service: { self, position } }: Declared, world: World): readonly Diagnostic[] {
  const reason = mismatch(self, world);
  if (self === undefined || reason === undefined) return [];
  const message = `service.self: ${visible(self)} is not the user of the API key: ${reason}. It counts as not set`;
  const hint = "Set it to the e-mail of the user whose key this is.";
  return [{ severity: "warning", code: "self_mismatch", message, hint, ...position }];
}

/** Why the key cannot belong to a user; undefined if nothing shows that. Only organizations whose members were all read are compared. */
function mismatch(self: string | undefined, world: World): string | undefined {
  if (self === undefined) return undefined;
  const email = self.toLowerCase();
  return [...world.scopes.keys()].map((scope) => mismatchIn(scope, email, world)).find((found) => found !== undefined);
}

function mismatchIn(scope: string, self: string, world: World): string | undefined {
  const organization = organizationAt(world, scope);
  const members = allMembers(world, scope).objects;
  if (organization === undefined || members === undefined || membersGap(organization) !== undefined) return undefined;
  const level = organization["membership_level"];
  // The key's user need not be a member: then there is no level.
  if (level === null) return undefined;
  const member = members.find(({ keys }) => keys[0] === self);
  if (member === undefined) return `no member of ${visible(scope)} has that address`;
  const { level: own } = member.values;
  const isOther = typeof level === "number" && typeof own === "number" && level !== own;
  return isOther
    ? `in ${visible(scope)} that is ${withArticle(levelText(own))}, and the key's user is ${withArticle(levelText(level))}`
    : undefined;
}
