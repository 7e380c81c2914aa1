import {
  choice,
  email,
  flag,
  free,
  nullable,
  readFields,
  required,
  text,
  type Fields,
  type Values,
} from "../../http/fields.ts";
import { denied, invalid, type ApiError } from "../../http/errors.ts";
import { hasFeature } from "../../deployed/plan-limits.ts";
import { INVITE_LIFETIME_MS, inviteTable, makeInvite, renderInvite, type Invite } from "./record.ts";
import { isAdmitted } from "../../current/gates.ts";
import { isObject, type Json } from "../../json.ts";
import { LEVELS, membershipOf } from "../member/record.ts";
import { objectBody } from "../../http/body.ts";
import { teamTable } from "../project/record.ts";
import type { Answer, Authenticated } from "../../http/call.ts";
import type { Organization } from "../organization/record.ts";

const ADMIN = 8;

/** Fact 150: the writable fields. The last two are never shown. */
export const CURRENT_FIELDS = {
  target_email: required(email()),
  first_name: text({ max: 30, blank: true }),
  level: choice(LEVELS),
  message: nullable(text({ blank: true })),
  private_project_access: free(),
  send_email: flag(),
  combine_pending_invites: flag(),
} satisfies Fields;

type SentInvite = Values<typeof CURRENT_FIELDS>;

/** The levels of a member in a project, the lowest first. */
const PROJECT_LEVELS: readonly Json[] = ["member", "admin"];
const ACCESS = "private_project_access";

/** A reason to refuse an invite. */
interface Rule {
  readonly fact: number;
  readonly problem: (call: Authenticated, owner: Organization, sent: SentInvite) => ApiError | undefined;
}

const RULES: readonly Rule[] = [
  {
    fact: 159,
    problem: (call, owner) =>
      mayInvite(call, owner) ? undefined : denied("You do not have permission to invite members."),
  },
  {
    // The text is not known.
    fact: 155,
    problem: ({ service }, owner, { target_email = "" }) =>
      isAdmitted(service, owner, target_email)
        ? undefined
        : invalid("invalid_input", "This address is not in a verified domain of the organization.", "target_email"),
  },
  {
    // The text is not known.
    fact: 156,
    problem: ({ service }, _owner, { target_email = "" }) =>
      service.switches.plus_addresses_refused && target_email.includes("+")
        ? invalid("invalid_input", "Addresses with a plus sign cannot be invited.", "target_email")
        : undefined,
  },
  {
    fact: 154,
    problem: (call, owner, { private_project_access = null }) => accessProblem(call, owner, private_project_access),
  },
];

/** Refuses an invite for a reason that only today's service has. @throws ApiError 400 or 403 */
export function checkCurrentInvite(call: Authenticated, owner: Organization, sent: SentInvite): void {
  for (const { problem } of RULES) {
    const found = problem(call, owner, sent);
    if (found !== undefined) throw found;
  }
}

/** Facts 158 and 159: only admins delete invites. @throws ApiError 403 */
export function checkCurrentRemoval({ service, user }: Authenticated, owner: Organization): void {
  const level = membershipOf(service, owner.id, user)?.level ?? 0;
  if (level < ADMIN) throw denied("Your organization access level is insufficient.");
}

function mayInvite({ service, user }: Authenticated, owner: Organization): boolean {
  const isPlain = (membershipOf(service, owner.id, user)?.level ?? 0) < ADMIN;
  const isPaid = hasFeature(service, owner, "organization_invite_settings");
  return !isPlain || owner.members_can_invite !== false || !isPaid;
}

function accessProblem(call: Authenticated, owner: Organization, access: Json): ApiError | undefined {
  if (access === null) return undefined;
  const own = (membershipOf(call.service, owner.id, call.user)?.level ?? 0) >= ADMIN ? 1 : 0;
  if (!Array.isArray(access)) return invalid("not_a_list", "Expected a list of projects.", ACCESS);
  for (const item of access as readonly Json[]) {
    const { id = null, level = null } = isObject(item) ? item : {};
    const rank = PROJECT_LEVELS.indexOf(level);
    const team = teamTable(call.service).get(Number(id));
    const detail =
      rank < 0
        ? 'The "level" field must be a valid access level.'
        : team?.organization !== owner.id
          ? "Project does not exist on this organization, or it is private and you do not have access to it."
          : rank > own
            ? "You cannot invite to a private project with a higher level than your own."
            : undefined;
    if (detail !== undefined) return invalid("invalid_input", detail, ACCESS);
  }
  return undefined;
}

/** Facts 151 and 152: what is stored. Older invites for the address, which are removed, may be merged into it. */
export function currentInvite({ service }: Authenticated, sent: SentInvite, older: readonly Invite[]): Partial<Invite> {
  const { send_email = true, combine_pending_invites = false, private_project_access, ...fields } = sent;
  const merged = combine_pending_invites ? older.filter((row) => !isExpired(row, service.now())) : [];
  const access = [private_project_access ?? null, ...merged.map((row) => row.private_project_access ?? null)].flatMap(
    (list) => (Array.isArray(list) ? (list as readonly Json[]) : []),
  );
  const byProject = new Map(access.toReversed().map((item) => [isObject(item) ? item["id"] : null, item] as const));
  return {
    ...fields,
    level: Math.max(fields.level ?? 1, ...merged.map(({ level }) => level)),
    emailing_attempt_made: send_email,
    // 154: an empty list is stored as null.
    private_project_access: byProject.size === 0 ? null : [...byProject.values()].toReversed(),
  };
}

function isExpired({ created_at }: Invite, now: Date): boolean {
  return now.getTime() - Date.parse(created_at) > INVITE_LIFETIME_MS;
}

const DELEGATE_FIELDS = {
  target_email: required(email()),
  message: nullable(text({ max: 1000, blank: true })),
  step_at_delegation: text({ blank: true }),
} satisfies Fields;

/** Fact 157: an invite of an admin who is to set the product up. */
export function delegate(call: Authenticated, owner: Organization): Answer {
  const { service, user } = call;
  const { step_at_delegation: _step, ...sent } = readFields(objectBody(call), DELEGATE_FIELDS, {
    lenient: true,
    partial: false,
  });
  checkCurrentInvite(call, owner, sent);
  const address = (sent.target_email ?? "").toLowerCase();
  for (const row of inviteTable(service).within(owner.id)) {
    if (row.target_email === address) inviteTable(service).remove(row.id);
  }
  const values = { ...sent, target_email: address, level: ADMIN, created_by: user, emailing_attempt_made: true };
  return { status: 201, body: renderInvite(service, makeInvite(service, owner.id, values)) };
}
