import { defineTable, type Row } from "../../store/table.ts";
import { stamp } from "../../store/time.ts";
import type { Json } from "../../json.ts";
import type { Service } from "../../service.ts";
import type { User } from "../../records/user.ts";

/** An invite that has not been accepted yet. `is_expired` is computed when it is rendered. */
export interface Invite extends Row {
  readonly id: string;
  readonly organization_id: string;
  readonly target_email: string;
  readonly first_name: string;
  readonly emailing_attempt_made: boolean;
  readonly level: number;
  readonly created_by: User | null;
  readonly created_at: string;
  readonly updated_at: string;
  readonly message: string | null;
  /** Only the `current` dialect stores it. */
  readonly private_project_access?: Json;
}

/** The invites, by organization. */
export const inviteTable = defineTable<Invite>((row) => row.organization_id);

/** The lifetime of an invite in milliseconds: three days. */
export const INVITE_LIFETIME_MS = 3 * 24 * 60 * 60 * 1000;

/** Adds an invite to an organization. */
export function makeInvite(service: Service, organizationId: string, values: Partial<Invite>): Invite {
  const at = stamp(service.now());
  return inviteTable(service).put({
    id: service.ids.uuid(),
    target_email: "",
    first_name: "",
    emailing_attempt_made: false,
    level: 1,
    created_by: null,
    created_at: at,
    updated_at: at,
    message: null,
    ...(service.current ? { private_project_access: null } : {}),
    ...values,
    organization_id: organizationId,
  });
}

/** Renders an invite like the service. */
export function renderInvite(service: Service, row: Invite): object {
  const { organization_id: _organization, overrides, ...fields } = row;
  const age = service.now().getTime() - Date.parse(row.created_at);
  return {
    ...fields,
    is_expired: age > INVITE_LIFETIME_MS,
    ...(service.isRealServer && !service.current ? { private_project_access: [] } : {}),
    ...overrides,
  };
}
