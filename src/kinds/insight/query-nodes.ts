/**
 * The nodes of queries, and the keys of those that are known completely, as words. Sources: the query schema that PostHog
 * publishes, the interface (Insights), and recorded exchanges. A table that lacks something only costs a warning about a query
 * that is written. The keys are in the order in which an export writes them: what a node analyses comes first.
 */
import type { NodeType } from "../kind-parts.ts";

const NODE = "kind version response";
const INSIGHT_QUERY = `dateRange filterTestAccounts properties aggregation_group_type_index samplingFactor
  dataColorTheme modifiers tags`;
const INSIGHT_VIEW = `full showHeader showTable showCorrelationTable showLastComputation showLastComputationRefresh
  showFilters showResults embedded suppressSessionAnalysisWarning hidePersonsModal hideTooltipOnScroll vizSpecificOptions`;
const TABLE_VIEW = `full showEventFilter showSearch showPropertyFilter showTestAccountFilters showHogQLEditor showActions
  showDateRange showExport showReload showElapsedTime showTimings showColumnConfigurator showPersistentColumnConfigurator
  showSavedQueries showSavedFilters expandable propertiesViaUrl allowSorting showOpenEditorButton showResultsTable embedded
  context defaultColumns contextKey showRecordingColumn showCount showTableViews showSourceQueryOptions`;
const ENTITY = `name custom_name math math_multiplier math_property math_property_type
  math_property_revenue_currency math_hogql math_group_type_index properties fixedProperties optionalInFunnel`;

/** Nodes whose keys are not known completely, or change often. */
export const OTHER_NODES = `GroupNode FunnelsDataWarehouseNode LifecycleDataWarehouseNode PersonsNode HogQuery HogQLASTQuery
  HogQLMetadata HogQLAutocomplete EventsQuery SessionsQuery ActorsQuery GroupsQuery FunnelsActorsQuery FunnelCorrelationQuery
  FunnelCorrelationActorsQuery StickinessActorsQuery InsightActorsQuery InsightActorsQueryOptions CalendarHeatmapQuery
  SessionsTimelineQuery RecordingsQuery SessionAttributionExplorerQuery SessionBatchEventsQuery DatabaseSchemaQuery
  RevenueExampleEventsQuery RevenueExampleDataWarehouseTablesQuery RevenueAnalyticsGrossRevenueQuery
  RevenueAnalyticsMetricsQuery RevenueAnalyticsMRRQuery RevenueAnalyticsOverviewQuery RevenueAnalyticsTopCustomersQuery
  RevenueAnalyticsArpuQuery RevenueAnalyticsCustomerCountQuery RevenueAnalyticsRevenueQuery
  RevenueAnalyticsInsightsQuery RevenueAnalyticsGrowthRateQuery MarketingAnalyticsTableQuery
  MarketingAnalyticsAggregatedQuery NonIntegratedConversionsTableQuery ErrorTrackingQuery ErrorTrackingSimilarIssuesQuery
  ErrorTrackingBreakdownsQuery ErrorTrackingIssueCorrelationQuery LogsQuery LogAttributesQuery LogValuesQuery TraceSpansQuery
  TraceSpansAggregationQuery TraceSpansTreeQuery TraceSpansAttributeBreakdownQuery TraceSpansSymbolStatsQuery
  WebOverviewQuery WebStatsTableQuery WebExternalClicksTableQuery WebGoalsQuery WebVitalsQuery WebVitalsPathBreakdownQuery
  WebPageURLSearchQuery WebTrendsQuery PathsV2Query WebAnalyticsExternalSummaryQuery WebNotableChangesQuery WebTopClicksQuery
  ExperimentMetric ExperimentQuery ExperimentExposureQuery ExperimentEventExposureConfig ExperimentActorsQuery
  ExperimentTrendsQuery ExperimentFunnelsQuery ExperimentDataWarehouseNode SuggestedQuestionsQuery TeamTaxonomyQuery
  EventTaxonomyQuery ActorsPropertyTaxonomyQuery TracesQuery TraceQuery TraceNeighborsQuery VectorSearchQuery
  DocumentSimilarityQuery UsageMetricsQuery AccountsQuery EndpointsUsageOverviewQuery EndpointsUsageTableQuery
  EndpointsUsageTrendsQuery PropertyValuesQuery TimeToSeeDataSessionsQuery TimeToSeeDataQuery`;

/** The keys of the nodes that are known completely. */
export const NODE_KEYS: Readonly<Record<string, string>> = {
  InsightVizNode: `${NODE} source ${INSIGHT_VIEW}`,
  SavedInsightNode: `${NODE} shortId ${INSIGHT_VIEW} ${TABLE_VIEW}`,
  DataTableNode: `${NODE} source columns hiddenColumns pinnedColumns tags ${TABLE_VIEW}`,
  DataVisualizationNode: `${NODE} source display chartSettings tableSettings`,
  TrendsQuery: `${NODE} series interval ${INSIGHT_QUERY} breakdownFilter compareFilter conversionGoal trendsFilter`,
  FunnelsQuery: `${NODE} series interval ${INSIGHT_QUERY} breakdownFilter funnelsFilter`,
  RetentionQuery: `${NODE} ${INSIGHT_QUERY} breakdownFilter retentionFilter`,
  PathsQuery: `${NODE} ${INSIGHT_QUERY} pathsFilter funnelPathsFilter`,
  StickinessQuery: `${NODE} series interval intervalCount ${INSIGHT_QUERY} compareFilter stickinessFilter`,
  LifecycleQuery: `${NODE} series interval ${INSIGHT_QUERY} lifecycleFilter`,
  HogQLQuery: `${NODE} query filters explain modifiers name tags values variables connectionId sendRawQuery`,
  EventsNode: `${NODE} event ${ENTITY} limit orderBy`,
  ActionsNode: `${NODE} id ${ENTITY}`,
  DataWarehouseNode: `${NODE} id ${ENTITY} id_field table_name timestamp_field distinct_id_field dw_source_type`,
};

/** The settings under a key of such a node. */
export const NODE_SETTINGS: Readonly<Record<string, string>> = {
  dateRange: "date_from date_to explicitDate",
  compareFilter: "compare compare_to",
  breakdownFilter: `breakdown breakdown_type breakdowns breakdown_limit breakdown_group_type_index
    breakdown_histogram_bin_count breakdown_hide_other_aggregation breakdown_normalize_url`,
  trendsFilter: `smoothingIntervals compare formula formulas formulaNodes display showLegend showAlertThresholdLines
    breakdown_histogram_bin_count aggregationAxisFormat aggregationAxisPrefix aggregationAxisPostfix decimalPlaces
    minDecimalPlaces showValuesOnSeries showLabelsOnSeries showPercentStackView yAxisScaleType showMultipleYAxes
    hidden_legend_indexes hiddenLegendIndexes resultCustomizationBy resultCustomizations goalLines showConfidenceIntervals
    confidenceLevel showTrendLines showMovingAverage movingAverageIntervals detailedResultsAggregationType`,
  funnelsFilter: `exclusions layout binCount breakdownAttributionType breakdownAttributionValue funnelAggregateByHogQL
    funnelToStep funnelFromStep funnelOrderType funnelVizType funnelWindowInterval funnelWindowIntervalUnit
    hidden_legend_breakdowns hiddenLegendBreakdowns funnelStepReference useUdf resultCustomizations goalLines
    showValuesOnSeries`,
  retentionFilter: `retentionType retentionReference totalIntervals minimumOccurrences returningEntity targetEntity period
    cumulative timeWindowMode meanRetentionCalculation showMean display dashboardDisplay showTrendLines`,
  pathsFilter: `edgeLimit pathsHogQLExpression includeEventTypes startPoint endPoint pathGroupings excludeEvents stepLimit
    pathReplacements localPathCleaningFilters minEdgeWeight maxEdgeWeight pathStartKey pathEndKey pathDropoffKey`,
  stickinessFilter: `display showLegend showValuesOnSeries showMultipleYAxes hidden_legend_indexes hiddenLegendIndexes
    stickinessCriteria computedAs resultCustomizationBy resultCustomizations`,
  lifecycleFilter: "showValuesOnSeries toggledLifecycles showLegend stacked",
};

const PROPERTY_MATH = "avg sum min max median p75 p90 p95 p99";

/** By key of such a node: the texts that its value may be. Source: the query schema that PostHog publishes. */
export const NODE_VALUES: Readonly<Record<string, string>> = {
  interval: "second minute hour day week month quarter year",
  math: `total dau weekly_active monthly_active unique_session unique_group hogql first_time_for_user
    first_time_for_user_with_filters first_matching_event_for_user ${PROPERTY_MATH} avg_count_per_actor
    min_count_per_actor max_count_per_actor median_count_per_actor p75_count_per_actor p90_count_per_actor
    p95_count_per_actor p99_count_per_actor`,
};

/** By key of such a node: what its value is, if it is not null. */
export const NODE_TYPES: Readonly<Record<string, NodeType>> = { source: "node", series: "nodes", dateRange: "map" };

/** Splits one of these lists. */
export function words(list: string): readonly string[] {
  return list.split(/\s+/);
}
