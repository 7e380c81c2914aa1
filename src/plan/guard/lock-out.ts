/** A setting that would lock people out is not turned on before somebody has seen who they are. */
import { compareNaturally } from "../../model/compare-text.ts";
import { command } from "../../model/command.ts";
import type { Blocked, Change } from "../../model/change.ts";
import { firstOf } from "../../model/plural.ts";
import { visible } from "../../model/quote.ts";

/** More people than this are only counted. */
const MAX_NAMES = 8;

/** Who would be locked out by a change, or why that is not known for certain. */
export interface LockOut {
  readonly people: readonly { readonly email: string; readonly isOwner?: boolean }[];
  /** Why there may be others. */
  readonly gap?: string | undefined;
}

/** @param self the e-mail of the key's own user, if it is declared */
export function lockOutBlock({ address }: Change, { people, gap }: LockOut, self: string | undefined): Blocked | null {
  if (people.length === 0 && gap === undefined) return null;
  if (people.some(({ email }) => email === self?.toLowerCase()))
    return { rule: "own_user", remedy: "use the key of a user whose address is in a verified domain" };
  const sorted = people.toSorted((a, b) => compareNaturally(a.email, b.email));
  const names = sorted.map(({ email, isOwner }) => `${visible(email)}${isOwner === true ? " (owner)" : ""}`);
  const who = names.length === 0 ? [] : [`verify the domains of ${firstOf(names, MAX_NAMES)}, or remove these people`];
  const others = gap === undefined ? [] : [`find out who would be locked out (${gap})`];
  const remedy = `${[...who, ...others].join(", ")}, or allow it:`;
  return { rule: "lock_out", remedy, command: command("apply", { allowLoss: address }) };
}

/** What has to be done before a change after which people have no way in, or the names of what it closes, and why there may be more. */
interface Closed {
  readonly before?: string;
  readonly names?: readonly string[];
  readonly gap: string | undefined;
}

export function closedBlock({ address }: Change, { before, names = [], gap }: Closed): Blocked {
  const shown = names.map(visible).toSorted(compareNaturally);
  const first = names.length === 0 ? before : `have ${firstOf(shown, MAX_NAMES)} enforce something else`;
  const others = gap === undefined ? undefined : `find out who could still sign in (${gap})`;
  const remedy = [first, others].filter((one) => one !== undefined).join(", or ");
  return { rule: "lock_out", remedy: `${remedy}, or allow it:`, command: command("apply", { allowLoss: address }) };
}
