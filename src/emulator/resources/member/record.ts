import { defineTable, type Row } from "../../store/table.ts";
import { stamp } from "../../store/time.ts";
import type { Service } from "../../service.ts";
import type { User } from "../../records/user.ts";

/** A user's membership of an organization. Paths contain the user's uuid, not the id of the membership. */
export interface Member extends Row {
  readonly id: string;
  readonly organization_id: string;
  readonly user: User;
  readonly level: number;
  readonly joined_at: string;
  readonly updated_at: string;
  readonly is_2fa_enabled: boolean;
  readonly has_social_auth: boolean;
}

/** The members, by organization. */
export const memberTable = defineTable<Member>((row) => row.organization_id);

/** The levels of membership. */
export const LEVELS = [1, 8, 15] as const;

/** Adds a user to an organization. */
export function makeMember(
  service: Service,
  organizationId: string,
  values: Partial<Member> & { readonly user: User },
): Member {
  const at = stamp(service.now());
  return memberTable(service).put({
    id: service.ids.uuid(),
    level: 1,
    joined_at: at,
    updated_at: at,
    is_2fa_enabled: false,
    has_social_auth: false,
    ...values,
    organization_id: organizationId,
  });
}

/** Renders a membership like the service. */
export function renderMember(service: Service, row: Member): object {
  const { organization_id: _organization, overrides, ...fields } = row;
  return {
    ...fields,
    ...(service.isRealServer ? { last_login: null } : {}),
    ...(service.current ? { search_match_type: null } : {}),
    ...overrides,
  };
}

/** Finds a user's membership of an organization. */
export function membershipOf(service: Service, organizationId: string, user: User): Member | undefined {
  return memberTable(service)
    .within(organizationId)
    .find((row) => row.user.id === user.id);
}
