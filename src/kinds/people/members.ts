/** The members of an organization, and who of them a setting touches. */
import { compareNaturally } from "../../model/compare-text.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { firstOf, MAX_NAMES, plural } from "../../model/plural.ts";
import { visible } from "../../model/quote.ts";
import { allObjects, type Known } from "../check.ts";
import type { World } from "../world.ts";
import { ADMIN, isMember, OWNER } from "./people.ts";

/** All members at a scope: from a list that the plan has read, which has people whole, else from a list of their own. */
export function allMembers(world: World, scope: string): Known {
  const lists = (["member", "membership"] as const).map((kind) => world.lists.get(listKey(scope, kind)));
  const listed = lists.find((list) => list?.status === "known") ?? lists[0];
  const { objects, ...known } = allObjects(world, scope, "member", listed);
  return { ...known, objects: objects?.filter(isMember) };
}

/** Such as `2 of 9 people without a second factor (1 owner, 0 admins): ada@acme.com, bob@acme.com`, those with most rights first. */
export function affectedText(
  affected: readonly LiveObject[],
  among: readonly LiveObject[],
  what: string,
): string | undefined {
  if (affected.length === 0) return undefined;
  const people = affected.toSorted(
    (a, b) => levelOf(b) - levelOf(a) || compareNaturally(a.keys[0] ?? "", b.keys[0] ?? ""),
  );
  const numberOf = (level: number): number => people.filter((one) => levelOf(one) === level).length;
  const levels = `${plural(numberOf(OWNER), "owner")}, ${plural(numberOf(ADMIN), "admin")}`;
  const count = `${String(people.length)} of ${plural(among.length, "person", "people")}`;
  const names = firstOf(
    people.map(({ keys, id }) => visible(keys[0] ?? id)),
    MAX_NAMES,
  );
  return `${count} ${what} (${levels}): ${names}`;
}

function levelOf({ values: { level } }: LiveObject): number {
  return typeof level === "number" ? level : 0;
}
