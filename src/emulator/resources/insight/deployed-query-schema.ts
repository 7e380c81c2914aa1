import { isObject, type Json, type JsonObject, own } from "../../json.ts";

/** What deployed servers accept in one object of a query. */
interface Shape {
  readonly keys: ReadonlySet<string>;
  readonly required: readonly string[];
}

const NODE = "kind version response";
const INSIGHT_QUERY = `${NODE} dateRange filterTestAccounts properties aggregation_group_type_index samplingFactor
  dataColorTheme modifiers tags`;
const INSIGHT_VIEW = `full showHeader showTable showCorrelationTable showLastComputation showLastComputationRefresh
  showFilters showResults embedded suppressSessionAnalysisWarning hidePersonsModal hideTooltipOnScroll vizSpecificOptions`;
const TABLE_VIEW = `full showEventFilter showSearch showPropertyFilter showTestAccountFilters showHogQLEditor showActions
  showDateRange showExport showReload showElapsedTime showTimings showColumnConfigurator showPersistentColumnConfigurator
  showSavedQueries showSavedFilters expandable propertiesViaUrl allowSorting showOpenEditorButton showResultsTable embedded
  context defaultColumns`;
const ENTITY = `${NODE} name custom_name math math_multiplier math_property math_property_type
  math_property_revenue_currency math_hogql math_group_type_index properties fixedProperties optionalInFunnel`;

/** By kind: the nodes whose keys are known. Source: the query schema that PostHog published in 2025. */
const NODES: Readonly<Record<string, Shape>> = {
  InsightVizNode: shape(`${NODE} source ${INSIGHT_VIEW}`, "source"),
  SavedInsightNode: shape(`${NODE} shortId ${INSIGHT_VIEW} ${TABLE_VIEW}`, "shortId"),
  DataTableNode: shape(`${NODE} source columns hiddenColumns pinnedColumns tags ${TABLE_VIEW}`, "source"),
  DataVisualizationNode: shape(`${NODE} source display chartSettings tableSettings`, "source"),
  TrendsQuery: shape(
    `${INSIGHT_QUERY} interval series trendsFilter breakdownFilter compareFilter conversionGoal`,
    "series",
  ),
  FunnelsQuery: shape(`${INSIGHT_QUERY} interval series funnelsFilter breakdownFilter`, "series"),
  RetentionQuery: shape(`${INSIGHT_QUERY} retentionFilter breakdownFilter`, "retentionFilter"),
  PathsQuery: shape(`${INSIGHT_QUERY} pathsFilter funnelPathsFilter`, "pathsFilter"),
  StickinessQuery: shape(`${INSIGHT_QUERY} interval intervalCount series stickinessFilter compareFilter`, "series"),
  LifecycleQuery: shape(`${INSIGHT_QUERY} interval series lifecycleFilter`, "series"),
  EventsNode: shape(`${ENTITY} event limit orderBy`),
  ActionsNode: shape(`${ENTITY} id`, "id"),
  DataWarehouseNode: shape(
    `${ENTITY} id id_field table_name timestamp_field distinct_id_field dw_source_type`,
    "id id_field table_name timestamp_field distinct_id_field",
  ),
};

/** By key of a query: the objects without a kind whose keys are known. */
const PARTS: Readonly<Record<string, Shape>> = {
  dateRange: shape("date_from date_to explicitDate"),
  compareFilter: shape("compare compare_to"),
  breakdownFilter: shape(`breakdown breakdown_type breakdowns breakdown_limit breakdown_group_type_index
    breakdown_histogram_bin_count breakdown_hide_other_aggregation breakdown_normalize_url`),
  trendsFilter: shape(`smoothingIntervals formula formulas formulaNodes display showLegend showAlertThresholdLines
    breakdown_histogram_bin_count aggregationAxisFormat aggregationAxisPrefix aggregationAxisPostfix decimalPlaces
    minDecimalPlaces showValuesOnSeries showLabelsOnSeries showPercentStackView yAxisScaleType showMultipleYAxes
    hiddenLegendIndexes resultCustomizationBy resultCustomizations goalLines showConfidenceIntervals confidenceLevel
    showTrendLines showMovingAverage movingAverageIntervals detailedResultsAggregationType`),
  funnelsFilter:
    shape(`exclusions layout binCount breakdownAttributionType breakdownAttributionValue funnelAggregateByHogQL
    funnelToStep funnelFromStep funnelOrderType funnelVizType funnelWindowInterval funnelWindowIntervalUnit
    hiddenLegendBreakdowns funnelStepReference useUdf resultCustomizations goalLines showValuesOnSeries`),
  retentionFilter:
    shape(`retentionType retentionReference totalIntervals minimumOccurrences returningEntity targetEntity
    period cumulative timeWindowMode meanRetentionCalculation display dashboardDisplay showTrendLines`),
  pathsFilter: shape(`edgeLimit pathsHogQLExpression includeEventTypes startPoint endPoint pathGroupings excludeEvents
    stepLimit pathReplacements localPathCleaningFilters minEdgeWeight maxEdgeWeight pathStartKey pathEndKey
    pathDropoffKey`),
  stickinessFilter:
    shape(`display showLegend showValuesOnSeries showMultipleYAxes hiddenLegendIndexes stickinessCriteria
    computedAs resultCustomizationBy resultCustomizations`),
  lifecycleFilter: shape("showValuesOnSeries toggledLifecycles showLegend stacked"),
};

/** Kinds whose keys the emulator does not check. */
const OTHER_KINDS = /^(PersonsNode|HogQuery|HogQLQuery|[A-Z]\w+Query)$/;

function shape(keys: string, required = ""): Shape {
  const words = (text: string): readonly string[] => text.split(/\s+/).filter((word) => word !== "");
  return { keys: new Set(words(keys)), required: words(required) };
}

/** The names of the settings in one part of a query, such as `trendsFilter`. */
export function settingsOf(part: string): readonly string[] {
  return [...(own(PARTS, part)?.keys ?? [])];
}

/** Returns what a deployed server says about a query that it refuses, or undefined if it accepts the query. */
export function queryProblem(query: Json): string | undefined {
  const problem = isObject(query) ? nodeProblem(query, "") : "Input should be a valid dictionary";
  return problem === undefined ? undefined : `1 validation error for QuerySchemaRoot: ${problem}`;
}

function nodeProblem(node: JsonObject, before: string): string | undefined {
  const kind = typeof node["kind"] === "string" ? node["kind"] : "";
  const known = Object.hasOwn(NODES, kind) ? NODES[kind] : undefined;
  const path = `${before}${kind}`;
  if (known === undefined)
    return OTHER_KINDS.test(kind) ? undefined : `${before}kind Input tag '${kind}' is not among the expected tags`;
  return shapeProblem(node, known, path) ?? partsProblem(node, path);
}

function shapeProblem(value: JsonObject, { keys, required }: Shape, path: string): string | undefined {
  const missing = required.find((key) => !Object.hasOwn(value, key));
  if (missing !== undefined) return `${path}.${missing} Field required`;
  const extra = Object.keys(value).find((key) => !keys.has(key));
  return extra === undefined ? undefined : `${path}.${extra} Extra inputs are not permitted`;
}

/** Checks the objects inside a node: its source, its series, and its settings. */
function partsProblem(node: JsonObject, path: string): string | undefined {
  for (const [key, value] of Object.entries(node)) {
    const part = Object.hasOwn(PARTS, key) ? PARTS[key] : undefined;
    const problem =
      key === "series"
        ? seriesProblem(value, path)
        : !isObject(value)
          ? undefined
          : key === "source"
            ? nodeProblem(value, `${path}.source.`)
            : part && shapeProblem(value, part, `${path}.${key}`);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Checks the nodes of a series that name their kind. Servers guess the kind of the others. */
function seriesProblem(series: Json, path: string): string | undefined {
  if (!Array.isArray(series)) return `${path}.series Input should be a valid list`;
  for (const [index, node] of series.entries()) {
    const problem = isObject(node) && "kind" in node ? nodeProblem(node, `${path}.series.${index}.`) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}
