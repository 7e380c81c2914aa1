import type {
  BatchExport,
  Domain,
  Insight,
  Invite,
  Member,
  Organization,
  PipelineDestination,
} from "../generated/types.ts";

export type { BatchExport, Domain, Insight };

/** A plugin of any of the three groups. Interface: Plugin. */
export type Plugin = PipelineDestination;

/** How an insight is shared. Interface: Sharing configuration. */
export interface SharingConfiguration {
  readonly created_at: string | null;
  readonly enabled: boolean;
  /** A secret: whoever has it sees the insight. */
  readonly access_token: string | null;
}

/** What a filter of events, actions or people compares. Interface: Calculation results. */
export interface PropertyGroup {
  readonly type: string;
  readonly values: readonly {
    readonly key: string;
    readonly value: string;
    readonly operator: string;
    readonly type: string;
  }[];
}

/** An event or action that is counted. Interface: Calculation results. */
export interface SeriesFilter {
  readonly id: string;
  readonly properties?: readonly PropertyGroup[];
  readonly math?: string;
}

/** One step of a funnel. Interface: Calculation results. */
export interface FunnelStep {
  readonly count: number;
  readonly action_id: string;
  /** Seconds, from the step before. */
  readonly average_conversion_time: number;
  /** Seconds, from the step before. */
  readonly median_conversion_time: number;
  readonly converted_people_url: string;
  readonly dropped_people_url: string;
  readonly order: string;
}

/** One line of a trend. Interface: Calculation results. */
export interface TrendSeries {
  readonly data: readonly number[];
  /** YYYY-MM-DD, one for each element of `data`. */
  readonly days: readonly string[];
  readonly labels: readonly string[];
  readonly label: string;
  readonly filter: {
    readonly events?: readonly SeriesFilter[];
    readonly actions?: readonly SeriesFilter[];
    readonly properties?: PropertyGroup;
    readonly filter_test_accounts?: boolean;
    readonly date_from?: string;
    readonly date_to?: string;
  };
}

/** What a calculation answers. Interface: Calculation results. */
export interface Calculated<T> {
  readonly is_cached: boolean;
  readonly last_refresh: string | null;
  readonly timezone: string | null;
  readonly result: readonly T[];
}

/** As far as the document shows it: with a `funnel_viz_type` other than steps, or a breakdown, the steps look different. */
export type FunnelResult = Calculated<FunnelStep>;
export type TrendResult = Calculated<TrendSeries>;

/** The types that answers hold, by the names that the operation tables give them. */
export interface Shapes {
  readonly organization: Organization;
  readonly batch_export: BatchExport;
  readonly domain: Domain;
  readonly invite: Invite;
  readonly member: Member;
  readonly plugin: Plugin;
  readonly insight: Insight;
  readonly sharing_configuration: SharingConfiguration;
  readonly funnel_result: FunnelResult;
  readonly trend_result: TrendResult;
}

/** The fields that requests write, by resource. What a create needs is required; of an insight it is nothing. */
export interface Writables {
  readonly organization: Writable<Organization>;
  readonly batch_export: Writable<BatchExport>;
  readonly domain: Writable<Domain>;
  readonly invite: Writable<Invite>;
  readonly member: Writable<Member>;
  readonly plugin: Writable<Plugin>;
  readonly insight: Partial<Writable<Insight>>;
}

/** One page of a list. Interface: Conventions, paginated envelope. */
export interface PageOf<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

/** What can be written of a resource. */
type Writable<T> = { [K in keyof T as Same<Pick<T, K>, { -readonly [P in K]: T[P] }> extends true ? K : never]: T[K] };

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- how TypeScript is made to compare modifiers, too
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
