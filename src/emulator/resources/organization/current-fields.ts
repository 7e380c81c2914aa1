import { choice, flag, nullable, required, text, uuid, type Fields, type Values } from "../../http/fields.ts";
import { hasFeature } from "../../deployed/plan-limits.ts";
import { invalid, type ApiError } from "../../http/errors.ts";
import { isAdmitted } from "../../current/gates.ts";
import { mediaTable } from "../media.ts";
import type { Authenticated } from "../../http/call.ts";
import type { Organization } from "./record.ts";

/** Facts 114 and 115: the writable fields, and which of them may be null. Fact 116 is a field that is missing here. */
export const CURRENT_FIELDS = {
  name: required(text({ max: 64 })),
  logo_media_id: nullable(uuid()),
  enforce_2fa: nullable(flag()),
  enforce_verified_domains: nullable(flag()),
  members_can_invite: nullable(flag()),
  members_can_create_projects: nullable(flag()),
  members_can_use_personal_api_keys: flag(),
  members_can_see_org_members: flag(),
  allow_publicly_shared_resources: flag(),
  read_only_mcp_access: nullable(flag()),
  is_ai_data_processing_approved: nullable(flag()),
  is_ai_training_opted_in: nullable(flag()),
  default_experiment_stats_method: nullable(choice(["bayesian", "frequentist", ""])),
  default_anonymize_ips: flag(),
  // 117: what an unknown role answers is not known. Every text is accepted.
  default_role_id: nullable(text({ blank: true })),
} satisfies Fields;

type SettingName = Exclude<keyof typeof CURRENT_FIELDS, "name" | "enforce_2fa">;
type SentSettings = Values<typeof CURRENT_FIELDS>;

/** Fact 113: the settings and the states of an organization that the older dialects do not have. */
export type CurrentSettings = { readonly [Name in SettingName]: Exclude<SentSettings[Name], undefined> } & {
  readonly is_ai_training_locked: boolean | null;
  readonly is_ai_training_cta_shown: boolean | null;
  readonly is_hipaa: boolean | null;
  readonly is_active: boolean | null;
  readonly is_not_active_reason: string | null;
  readonly is_pending_deletion: boolean | null;
};

/** Facts 118 and 119: a setting that needs a feature of the plan, and what the answer without it says. */
interface PaidSetting {
  readonly feature: string;
  readonly detail: string;
}

const INVITES = "organization_invite_settings";
const SECURITY = "organization_security_settings";
const PAID_SETTINGS: Partial<Readonly<Record<keyof typeof CURRENT_FIELDS, PaidSetting>>> = {
  members_can_invite: { feature: INVITES, detail: "configure who can send invites." },
  members_can_create_projects: { feature: INVITES, detail: "configure who can create projects." },
  enforce_2fa: { feature: "2fa_enforcement", detail: "enforce 2FA." },
  allow_publicly_shared_resources: { feature: SECURITY, detail: "configure public sharing settings." },
  members_can_use_personal_api_keys: { feature: SECURITY, detail: "configure personal API key permissions." },
  members_can_see_org_members: { feature: SECURITY, detail: "configure member list visibility." },
  // The texts of these two are not known.
  read_only_mcp_access: { feature: SECURITY, detail: "configure MCP access." },
  enforce_verified_domains: { feature: SECURITY, detail: "enforce verified domains." },
};

/** A reason to refuse a setting. `before` is undefined for a new organization. */
interface Rule {
  readonly fact: number;
  readonly field: keyof typeof CURRENT_FIELDS;
  readonly problem: (call: Authenticated, sent: SentSettings, before: Organization | undefined) => ApiError | undefined;
}

const RULES: readonly Rule[] = [
  {
    fact: 120,
    field: "is_ai_training_opted_in",
    problem(_call, { is_ai_training_opted_in: wanted }, before) {
      if (before === undefined || wanted === before.is_ai_training_opted_in) return undefined;
      const hipaa = "HIPAA organizations are always opted out of AI training and this setting cannot be changed.";
      const locked = "AI training opt-in is locked for this organization and cannot be changed.";
      if (before.is_hipaa === true) return invalid("locked", hipaa, "is_ai_training_opted_in");
      return before.is_ai_training_locked === true ? invalid("locked", locked, "is_ai_training_opted_in") : undefined;
    },
  },
  {
    fact: 121,
    field: "logo_media_id",
    problem({ service }, { logo_media_id: id = null }, before) {
      if (id === null) return undefined;
      const early = "Cannot set logo media when creating an organization.";
      if (before === undefined) return invalid("invalid_input", early, "logo_media_id");
      const media = mediaTable(service).get(id);
      if (media === undefined)
        return invalid("does_not_exist", `Invalid pk "${id}" - object does not exist.`, "logo_media_id");
      const foreign = "This media does not belong to this organization.";
      return media.organization_id === before.id ? undefined : invalid("invalid_input", foreign, "logo_media_id");
    },
  },
  {
    // The rule and its text are not known.
    fact: 122,
    field: "name",
    problem({ service }, { name = "" }) {
      const looksLikeDomain = /^[^\s@/]+\.[a-z]{2,}$/i.test(name);
      if (!service.switches.domain_like_names_refused || !looksLikeDomain) return undefined;
      return invalid("invalid_input", "Name must not look like a link.", "name");
    },
  },
  {
    // The text is not known.
    fact: 129,
    field: "enforce_verified_domains",
    problem({ service, user }, { enforce_verified_domains: wanted }, before) {
      if (wanted !== true || before === undefined || before.enforce_verified_domains === true) return undefined;
      if (isAdmitted(service, { ...before, enforce_verified_domains: true }, user.email)) return undefined;
      const detail = "Your own email address is not in a verified domain of this organization.";
      return invalid("invalid_input", detail, "enforce_verified_domains");
    },
  },
];

/** Checks the sent settings of an organization, or of a new one. @throws ApiError 400 */
export function checkSettings(call: Authenticated, sent: SentSettings, before?: Organization): void {
  for (const { field, problem } of RULES) {
    const found = sent[field] === undefined ? undefined : problem(call, sent, before);
    if (found !== undefined) throw found;
  }
  if (before !== undefined) checkPlan(call, sent, before);
}

/** Facts 118 and 119: only an update that changes the value is checked. @throws ApiError 400 `payment_required` */
function checkPlan({ service }: Authenticated, sent: SentSettings, before: Organization): void {
  const stored: Readonly<Record<string, unknown>> = { ...before };
  for (const [field, { feature, detail }] of Object.entries(PAID_SETTINGS)) {
    const value = Object.entries(sent).find(([name]) => name === field)?.[1];
    if (value === undefined || value === stored[field] || hasFeature(service, before, feature)) continue;
    throw invalid("payment_required", `You must upgrade your plan to ${detail}`, field);
  }
}
