import type { resourceKinds } from "../../generated/kind-names.ts";
import type { BatchExport, BatchExportRun, Domain, Insight, ObjectTypes } from "../../generated/types.ts";
import type { Json } from "../../model/json/json.ts";
import type { DocumentResource, Shape } from "../operations/index.ts";

export type { BatchExport, Domain, Insight };

/** How an insight is shared. Interface: Sharing configuration. */
export interface SharingConfiguration {
  readonly created_at: string | null;
  readonly enabled: boolean;
  /** A secret: anyone who has it can see the insight. */
  readonly access_token: string | null;
}

/** A filter of events, actions or people. Interface: Calculation results. */
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

/** The result of a calculation. Interface: Calculation results. */
export interface Calculated<T> {
  readonly is_cached: boolean;
  readonly last_refresh: string | null;
  readonly timezone: string | null;
  readonly result: readonly T[];
}

/** The documented form. With another `funnel_viz_type` than steps, or with a breakdown, the steps look different. */
export type FunnelResult = Calculated<FunnelStep>;
export type TrendResult = Calculated<TrendSeries>;

/** The result of a query. PostHog's API reference, Query. The form of the results depends on the kind of the query. */
export interface QueryResult {
  readonly results: Json;
  /** Of SQL queries. */
  readonly columns?: readonly string[] | null;
  /** Whether an SQL query has more rows than were returned. */
  readonly hasMore?: boolean | null;
  readonly timezone?: string | null;
}

/** A backfill of a batch export. Current service 194 and 196. */
export interface BatchExportBackfill {
  readonly id: string;
  readonly start_at: string;
  readonly end_at: string | null;
  readonly status: string;
  readonly created_at: string;
  readonly finished_at: string | null;
  readonly last_updated_at: string;
}

/** Shapes that only answers have. */
interface AnswerShapes {
  readonly batch_export_backfill: BatchExportBackfill;
  readonly batch_export_run: BatchExportRun;
  readonly started_backfill: { readonly backfill_id: string };
  readonly cancelled_run: { readonly cancelled: boolean };
  readonly sharing_configuration: SharingConfiguration;
  readonly funnel_result: FunnelResult;
  readonly trend_result: TrendResult;
  readonly query_result: QueryResult;
}

/** The objects of the interface, by resource. */
type ResourceTypes = { readonly [R in DocumentResource]: ObjectTypes[(typeof resourceKinds)[R]] };

/** The types of answers, by their names in the operation tables. A name without a type is a compile error here. */
export type Shapes = ResourceTypes & { readonly [S in Exclude<Shape, DocumentResource>]: AnswerShapes[S] };

/** The fields that requests write, by resource. A create needs the required ones, unless they may be null. */
export type Writables = { readonly [R in DocumentResource]: NullIsOptional<Writable<ResourceTypes[R]>> };

/** One page of a list. Interface: Conventions, paginated envelope. */
export interface PageOf<T> {
  readonly count: number;
  readonly next: string | null;
  readonly previous: string | null;
  readonly results: readonly T[];
}

/** One page of a list that is read by cursor. Current service 196. */
export type CursorPageOf<T> = Omit<PageOf<T>, "count">;

/** The writable fields of a resource. */
type Writable<T> = { [K in keyof T as Same<Pick<T, K>, { -readonly [P in K]: T[P] }> extends true ? K : never]: T[K] };

type NullIsOptional<T> = { [K in keyof T as null extends T[K] ? K : never]?: T[K] } & {
  [K in keyof T as null extends T[K] ? never : K]: T[K];
};

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- makes TypeScript compare modifiers
type Same<A, B> = (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;
