import { makeInsight } from "../insight/record.ts";
import { makeTeam } from "./record.ts";
import type { JsonObject } from "../../json.ts";
import type { Service } from "../../service.ts";

const PAGEVIEW = { kind: "EventsNode", event: "$pageview", name: "$pageview" };
const TRENDS_FILTER = {
  showLegend: false,
  yAxisScaleType: "linear",
  showValuesOnSeries: false,
  smoothingIntervals: 1,
  showPercentStackView: false,
  aggregationAxisFormat: "numeric",
  showAlertThresholdLines: false,
};
const FUNNELS_FILTER = {
  layout: "horizontal",
  exclusions: [],
  funnelVizType: "steps",
  funnelOrderType: "ordered",
  funnelStepReference: "total",
  funnelWindowInterval: 14,
  breakdownAttributionType: "first_touch",
  funnelWindowIntervalUnit: "day",
};

/**
 * The insights of a new project: name, description and the source of the query. Source: the dashboard template that PostHog
 * published until 2025, with its filters converted to queries.
 */
const STARTERS: readonly (readonly [name: string, description: string, source: JsonObject])[] = [
  [
    "Daily active users (DAUs)",
    "Shows the number of unique users that use your app every day.",
    usersBy("day", "-30d", "ActionsLineGraph", {}),
  ],
  [
    "Weekly active users (WAUs)",
    "Shows the number of unique users that use your app every week.",
    usersBy("week", "-90d", "ActionsLineGraph", {}),
  ],
  [
    "Retention",
    "Weekly retention of your users.",
    {
      kind: "RetentionQuery",
      ...over("-7d"),
      retentionFilter: {
        period: "Week",
        targetEntity: { id: "$pageview", type: "events" },
        retentionType: "retention_first_time",
        totalIntervals: 11,
        returningEntity: { id: "$pageview", type: "events" },
      },
      version: 2,
    },
  ],
  [
    "Growth accounting",
    "How many of your users are new, returning, resurrecting, or dormant each week.",
    {
      kind: "LifecycleQuery",
      series: [PAGEVIEW],
      interval: "week",
      ...over("-30d"),
      lifecycleFilter: { showLegend: false },
    },
  ],
  [
    "Referring domain (last 14 days)",
    "Shows the most common referring domains for your users over the past 14 days.",
    usersBy("day", "-14d", "ActionsBarValue", { breakdown: "$referring_domain" }),
  ],
  [
    "Pageview funnel, by browser",
    "This example funnel shows how many of your users have completed 3 page views, broken down by browser.",
    {
      kind: "FunnelsQuery",
      series: ["First", "Second", "Third"].map((step) => ({ ...PAGEVIEW, custom_name: `${step} page view` })),
      interval: "day",
      ...over("-7d"),
      funnelsFilter: FUNNELS_FILTER,
      breakdownFilter: { breakdown: "$browser", breakdown_type: "event" },
    },
  ],
];

/**
 * Adds the first project of an organization that a request creates. Deployed servers fill it with sample insights on a
 * dashboard. Projects of seeds and of the control interface are empty in both dialects.
 */
export function makeFirstProject(service: Service, organization: string): void {
  if (!service.isRealServer) return void makeTeam(service, organization, {});
  const dashboard = service.ids.next("dashboard");
  const { id } = makeTeam(service, organization, { dashboards: [dashboard] });
  for (const [name, description, source] of STARTERS) {
    const query = { kind: "InsightVizNode", source };
    makeInsight(service, id, { name, description, query, dashboards: [dashboard], is_sample: true });
  }
}

function usersBy(interval: string, since: string, display: string, breakdown: JsonObject): JsonObject {
  return {
    kind: "TrendsQuery",
    series: [{ ...PAGEVIEW, math: "dau" }],
    interval,
    ...over(since),
    trendsFilter: { ...TRENDS_FILTER, display },
    breakdownFilter: { ...breakdown, breakdown_type: "event" },
  };
}

function over(since: string): JsonObject {
  return { dateRange: { date_from: since, explicitDate: false }, properties: [], filterTestAccounts: false };
}
