/** Who has access to an organization, as `driftline access` reports it. schemas/access.schema.json describes the document. */
import type { Diagnostic } from "./diagnostic.ts";

/** What a service shows. `unknown`: it does not show that, or it could not be read. */
export type Shown = "yes" | "no" | "unknown";

/** A member of an organization, or somebody who is invited to it. The fields are the columns of the CSV file, in this order. */
export interface AccessPerson {
  /** The e-mail address in lower case. */
  readonly person: string;
  /** `owner`, `admin`, `member`, a number that has no name, or `unknown`. Of somebody who is only invited: that of the invite. */
  readonly level: string;
  readonly second_factor: Shown;
  readonly social_sign_in: Shown;
  /** How a verified domain makes people sign in, such as `saml`; `no`, or `unknown`. */
  readonly enforced_by_domain: string;
  /** As the service writes it, or `unknown`; null for somebody who is only invited. */
  readonly joined: string | null;
  /** As the service writes it, or `unknown`. */
  readonly last_changed: string;
  /**
   * The file; `unknown` if no configuration was read; null for somebody whom no file declares. ` (absent)` follows if
   * the person is to go, and for example ` (as member)` if the file declares another level.
   */
  readonly declared_in: string | null;
  /**
   * The commit of that line, `not committed` or `unknown`. For somebody whom no file declares: the commit that took the line out in the
   * last 30 days, else null.
   */
  readonly since_commit: string | null;
  /** `open`, `expired` or both, and behind it such as ` (as admin)` for another level; `unknown`, or null if there is none. */
  readonly invite: string | null;
  /**
   * `own` if the address is of a domain that is declared, or is verified where none is declared, `outside`, `looks like NAME` if it only
   * looks like one of them, or like the address of another person, or `unknown`; null if there are no such domains.
   */
  readonly address_domain: string | null;
  /** Whether any of this changed on the service since the time that was asked for; absent if none was. */
  readonly changed?: Shown;
}

/** What an organization asks of its people, or lets them do. */
export interface AccessSettings {
  readonly enforce_2fa: Shown;
  readonly enforce_verified_domains: Shown;
  readonly members_can_use_personal_api_keys: Shown;
  /** How each verified domain makes its people sign in, if it does; null if the domains could not be read. */
  readonly sso_enforcement: readonly { readonly domain: string; readonly method: string }[] | null;
}

/** What an `address_domain` begins with that looks like another one. */
export const LOOKS_LIKE = "looks like ";

export interface AccessDocument {
  readonly type: "driftline.access";
  readonly schema_version: 1;
  readonly tool_version: string;
  readonly url: string;
  readonly made_at: string;
  /** The time of `--since`. */
  readonly since: string | null;
  readonly organization: { readonly id: string; readonly name: string | null };
  readonly settings: AccessSettings;
  /** Whether a configuration was read. If not, it is unknown who is declared. */
  readonly configured: boolean;
  /** Owners and admins first, people who are only invited among those of their level. */
  readonly people: readonly AccessPerson[];
  readonly diagnostics: readonly Diagnostic[];
}

type Field = Exclude<keyof AccessPerson, "changed">;

/** The columns of the table, in order, with their words for people. */
const TITLES: Readonly<Record<Field, string>> = {
  person: "person",
  level: "level",
  second_factor: "second factor",
  social_sign_in: "social sign-in",
  enforced_by_domain: "enforced by domain",
  joined: "joined",
  last_changed: "last changed",
  declared_in: "declared in",
  since_commit: "since commit",
  invite: "invitation",
  address_domain: "domain of the address",
};

export const ACCESS_COLUMNS = Object.keys(TITLES).map((field) => ({
  field: field as Field,
  title: TITLES[field as Field],
}));
