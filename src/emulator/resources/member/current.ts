import { byColumn } from "../../store/order.ts";
import { invalid } from "../../http/errors.ts";
import { isInVerifiedDomain } from "../../current/gates.ts";
import { membershipOf, type Member } from "./record.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";

const ADMIN = 8;
const MAX_SEARCH = 200;

/** Fact 163: a parameter of the list, and the rows that it leaves. */
interface Filter {
  readonly parameter: string;
  readonly keeps: (value: string, row: Member, call: Authenticated) => boolean;
}

const FILTERS: readonly Filter[] = [
  { parameter: "email", keeps: (value, { user }) => user.email.toLowerCase() === value.toLowerCase() },
  { parameter: "updated_after", keeps: (value, { updated_at }) => Date.parse(updated_at) > Date.parse(value) },
  {
    parameter: "email_domain",
    keeps: (value, { user }) => user.email.toLowerCase().endsWith(`@${value.toLowerCase()}`),
  },
  { parameter: "levels", keeps: (value, { level }) => value.split(",").includes(String(level)) },
  {
    parameter: "outside_verified_domains",
    keeps: (value, { organization_id, user }, { service }) =>
      value !== "true" || !isInVerifiedDomain(service, organization_id, user.email),
  },
];

/** A member with what the search made of it: null without a search. */
export interface FoundMember {
  readonly row: Member;
  readonly search_match_type: "exact" | "similar" | null;
}

/** Facts 133 and 163: the members whom the caller sees, and whom the parameters of the list leave. @throws ApiError 400 */
export function foundMembers(
  call: Authenticated,
  owner: Organization,
  rows: readonly Member[],
): readonly FoundMember[] {
  const seen = rows.filter((row) => maySee(call, owner, row));
  const kept = seen.filter((row) =>
    FILTERS.every(({ parameter, keeps }) => {
      const value = call.query.get(parameter);
      return value === null || keeps(value, row, call);
    }),
  );
  return search(call.query.get("search") ?? "", sorted(kept, call.query.get("order")));
}

/** Fact 133: no project of the emulator is private to some people, so a plain member shares none with others. */
function maySee({ service, user }: Authenticated, owner: Organization, row: Member): boolean {
  if (owner.members_can_see_org_members !== false || row.user.id === user.id) return true;
  return (membershipOf(service, owner.id, user)?.level ?? 0) >= ADMIN;
}

/** Fact 163: only `joined_at` can be chosen. Any other order is ignored. */
function sorted(rows: readonly Member[], order: string | null): readonly Member[] {
  return rows.toReversed().toSorted(byColumn("joined_at", order !== "joined_at"));
}

/** Fact 163: near matches only if there is no exact one. */
function search(text: string, rows: readonly Member[]): readonly FoundMember[] {
  if (text.length > MAX_SEARCH) {
    throw invalid("invalid_input", "Search query must be 200 characters or fewer.", "search");
  }
  if (text === "") return rows.map((row) => ({ row, search_match_type: null }));
  const wanted = text.toLowerCase();
  const textsOf = ({ user }: Member): readonly string[] =>
    [user.email, user.first_name, user.last_name].map((part) => part.toLowerCase());
  const exact = rows.filter((row) => textsOf(row).some((part) => part.includes(wanted)));
  if (exact.length > 0) return exact.map((row) => ({ row, search_match_type: "exact" }));
  const start = wanted.slice(0, 3);
  const similar = rows.filter((row) => textsOf(row).some((part) => part.startsWith(start)));
  return similar.map((row) => ({ row, search_match_type: "similar" }));
}
