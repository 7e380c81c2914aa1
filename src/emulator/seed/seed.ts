import type { ActionInput, EventInput } from "../records/event.ts";
import type { Json, JsonObject } from "../json.ts";

/** A member of a seeded organization: the user's address and fields, and the membership's. */
export interface SeedMember {
  readonly email: string;
  readonly first_name?: string;
  readonly last_name?: string;
  readonly uuid?: string;
  readonly distinct_id?: string;
  readonly id?: string;
  readonly level?: number;
  readonly joined_at?: string;
  readonly updated_at?: string;
  readonly is_2fa_enabled?: boolean;
  readonly has_social_auth?: boolean;
}

/** A project with what is in it. */
export interface SeedProject {
  readonly id?: number;
  readonly name: string;
  /** Ids of the dashboards that insights may name. */
  readonly dashboards?: readonly number[];
  readonly batch_exports?: readonly JsonObject[];
  readonly insights?: readonly JsonObject[];
  /** What people did there, for trends and funnels to count. */
  readonly events?: readonly EventInput[];
  /** Named sets of events, which calculations may ask for by id. */
  readonly actions?: readonly ActionInput[];
  /** Property filters that real users pass and test accounts do not; what `filter_test_accounts` applies. */
  readonly test_account_filters?: Json;
}

/** An organization with everything in it. Objects have the fields of the interface, read-only ones included. */
export interface SeedOrganization {
  readonly id?: string;
  readonly name: string;
  readonly slug?: string;
  readonly created_at?: string;
  readonly updated_at?: string;
  readonly plugins_access_level?: number;
  readonly available_product_features?: Json;
  readonly is_member_join_email_enabled?: boolean;
  readonly metadata?: Json;
  readonly customer_id?: string | null;
  readonly enforce_2fa?: boolean | null;
  /** The keys' default user is no member: requests for this organization are refused. */
  readonly foreign?: boolean;
  /** Without it: one project, "Default project". */
  readonly projects?: readonly SeedProject[];
  readonly members?: readonly SeedMember[];
  readonly domains?: readonly JsonObject[];
  readonly invites?: readonly JsonObject[];
  readonly batch_exports?: readonly JsonObject[];
  readonly pipeline_destinations?: readonly JsonObject[];
  readonly pipeline_frontend_apps?: readonly JsonObject[];
  readonly pipeline_import_apps?: readonly JsonObject[];
}

/** What an emulator starts with. README.md shows one. */
export interface Seed {
  readonly organizations: readonly SeedOrganization[];
}
