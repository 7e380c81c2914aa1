import { FUNNEL_BODY, TREND_BODY } from "./calculation-parameters.ts";
import { family, type Fields } from "../operation.ts";

const FORMAT = { format: { type: "string", values: ["csv", "json"] } } as const satisfies Fields;

const READ = "insight:read";
const WRITE = "insight:write";

const COMMON = {
  path: "/api/projects/:project_id/insights",
  params: { project_id: "string", id: "string", insight_id: "integer" },
  resource: "insight",
  budget: "insights",
} as const;

/**
 * Interface: Endpoints, Insights. The document types `:id` as a string: deployed servers accept the integer, newer ones also the
 * short id. A calculation by POST is a read: it leaves no trace on the service, so it may be resent.
 */
const ofDocument = family(
  "insights",
  { ...COMMON, source: "Endpoints: Insights" },
  {
    list: {
      method: "GET",
      path: "",
      permission: READ,
      response: "page",
      rows: { name: "text or null", short_id: "text, null or nothing" },
      query: {
        ...FORMAT,
        created_by: { type: "integer" },
        short_id: { type: "string" },
        order: { type: "string", beyond: true },
        basic: { type: "boolean", beyond: true },
      },
    },
    create: { method: "POST", path: "", permission: WRITE, success: 201, query: FORMAT },
    sharing: {
      method: "GET",
      path: "/:insight_id/sharing",
      permission: "sharing_configuration:read",
      shape: "sharing_configuration",
    },
    get: {
      method: "GET",
      path: "/:id",
      permission: READ,
      query: { ...FORMAT, from_dashboard: { type: "integer" }, refresh: { type: "boolean" } },
    },
    update: { method: "PATCH", path: "/:id", permission: WRITE, query: FORMAT },
    delete: {
      method: "DELETE",
      path: "/:id",
      permission: WRITE,
      success: 405,
      response: "none",
      query: FORMAT,
      instead: "Insights are never deleted for good. Send insights.update with deleted=true.",
    },
    activity: { method: "GET", path: "/:id/activity", permission: "activity_log:read", query: FORMAT },
    // Overwrites the time of the last view.
    viewed: {
      method: "POST",
      path: "/:id/viewed",
      permission: null,
      query: FORMAT,
      effect: "idempotent",
      mayBeEmpty: true,
    },
    list_activity: {
      method: "GET",
      path: "/activity",
      permission: "activity_log:read",
      query: { ...FORMAT, limit: { type: "integer", beyond: true } },
    },
    // A cancelled query stays cancelled.
    cancel: {
      method: "POST",
      path: "/cancel",
      permission: null,
      query: FORMAT,
      body: { type: "resource", resource: "insight", more: { client_query_id: { type: "string", beyond: true } } },
      effect: "idempotent",
      mayBeEmpty: true,
    },
    get_funnel: { method: "GET", path: "/funnel", permission: READ, query: FORMAT },
    funnel: {
      method: "POST",
      path: "/funnel",
      permission: READ,
      shape: "funnel_result",
      query: FORMAT,
      body: FUNNEL_BODY,
      effect: "read",
      source: "Endpoints: Insights, Funnel request parameters",
    },
    get_funnel_correlation: { method: "GET", path: "/funnel/correlation", permission: null, query: FORMAT },
    funnel_correlation: {
      method: "POST",
      path: "/funnel/correlation",
      permission: null,
      query: FORMAT,
      effect: "read",
    },
    my_last_viewed: { method: "GET", path: "/my_last_viewed", permission: null, response: "list", query: FORMAT },
    get_path: { method: "GET", path: "/path", permission: READ, query: FORMAT },
    path: { method: "POST", path: "/path", permission: READ, query: FORMAT, effect: "read" },
    get_retention: { method: "GET", path: "/retention", permission: READ, query: FORMAT },
    retention: { method: "POST", path: "/retention", permission: READ, query: FORMAT, effect: "read" },
    // The document calls it a calculation, but deployed servers store another measurement each time.
    timing: { method: "POST", path: "/timing", permission: null, query: FORMAT, effect: "create", mayBeEmpty: true },
    get_trend: { method: "GET", path: "/trend", permission: READ, query: FORMAT },
    trend: {
      method: "POST",
      path: "/trend",
      permission: READ,
      shape: "trend_result",
      query: FORMAT,
      body: TREND_BODY,
      effect: "read",
      source: "Endpoints: Insights, Trend request parameters",
    },
  },
);

/** Operations of today's service only. */
const ofToday = family(
  "insights",
  { ...COMMON, source: "current service", document: false },
  {
    mark_viewed: {
      method: "POST",
      path: "/viewed",
      permission: READ,
      success: 201,
      response: "none",
      body: { type: "parameters", fields: { insight_ids: { type: "array" } }, oneOf: [] },
      effect: "idempotent",
      source: "current service 223",
    },
  },
);

/**
 * The calculation of a query. The document does not have it, deployed and current services do: PostHog's API reference, Query. A
 * calculation leaves no trace. `refresh: blocking` waits for the result; without it a service may answer that it is on its way.
 */
const ofQueries = family(
  "queries",
  {
    path: "/api/projects/:project_id/query",
    params: { project_id: "string" },
    resource: "insight",
    budget: "queries",
    source: "PostHog's API reference, Query",
    document: false,
  },
  {
    run: {
      method: "POST",
      path: "",
      permission: "query:read",
      shape: "query_result",
      body: { type: "parameters", fields: { query: { type: "json" }, refresh: { type: "string" } }, oneOf: [] },
      effect: "read",
    },
  },
);

export const operations = { ...ofDocument, ...ofToday, ...ofQueries };
