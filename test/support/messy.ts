/**
 * An organization as people leave it after some years: a seed of the emulator for tests of whole commands. The example
 * `existing` has the same as JSON, for readers of docs/existing-organization.md.
 */
import type { Seed, SeedProject } from "../../src/emulator/index.ts";
import type { JsonObject } from "../../src/emulator/json.ts";

/** Twice the same name, no name, and names that YAML, JSON, tables or addresses might take for something else. */
const NAMES: readonly string[] = [
  "Signups per week",
  "Weekly signups",
  "DAU",
  "DAU",
  "Conversion → paid",
  "Umsatz (€) – Übersicht",
  "日本のユーザー",
  "🚀 Launch metrics",
  'Retention / Q3 "final"',
  "Untitled",
  "",
  "Funnel: signup → activation",
  "#1 KPI: yes",
  "off",
  "12",
  "null",
  " Leading space",
  `${"very ".repeat(20)}long name`,
  "C'est l'été",
  "tab\there",
];

const SQL = `SELECT
    toStartOfWeek(timestamp) AS week,
    properties.plan AS plan,
    count() AS events,
    -- "active" means more than three sessions
    round(count() / count(DISTINCT person_id), 2) AS events_per_user
FROM events
WHERE event IN ('signed_up', 'checkout_completed')
  AND properties.$current_url NOT LIKE '%staging%'
GROUP BY week, plan
ORDER BY week DESC
LIMIT 1000`;

/** What happens in the first project. */
const EVENT_SERIES: NonNullable<SeedProject["event_series"]> = [
  {
    event: "$pageview",
    people: 300,
    per_day: 90,
    weekly_shape: [1, 1, 1, 1, 1, 0.5, 0.5],
    properties: { $browser: { Chrome: 6, Firefox: 2, Safari: 2 }, $os: { Windows: 5, "Mac OS X": 4, Linux: 1 } },
  },
  { event: "signed_up", people: 300, per_day: 12 },
  { event: "activated", people: 120, per_day: 6 },
];

/** What its SQL returns. */
const QUERY_RESULTS: NonNullable<SeedProject["query_results"]> = [
  {
    query: SQL,
    columns: ["week", "plan", "events", "events_per_user"],
    types: [
      ["week", "Date"],
      ["plan", "Nullable(String)"],
      ["events", "UInt64"],
      ["events_per_user", "Float64"],
    ],
    results: [
      ["2026-11-16", "free", 320, 3.1],
      ["2026-11-16", "pro", 84, 3.3],
      ["2026-11-09", "free", 313, 3],
      ["2026-11-09", "pro", 77, 3.2],
    ],
  },
];

/** Two projects' worth of batch exports: all types of destinations that deployed servers have, with their secrets. */
const DESTINATIONS: readonly JsonObject[] = [
  {
    type: "S3",
    config: {
      bucket_name: "acme-events",
      region: "eu-central-1",
      prefix: "events/",
      aws_access_key_id: "AKIA-hush",
      aws_secret_access_key: "hush-s3",
    },
  },
  {
    type: "BigQuery",
    config: {
      project_id: "wh",
      dataset_id: "d",
      private_key: "-----BEGIN hush",
      private_key_id: "hush-k1",
      token_uri: "https://token.example",
      client_email: "robot@acme.com",
    },
  },
  {
    type: "Snowflake",
    config: {
      account: "acme",
      user: "loader",
      password: "hush-snow",
      database: "raw",
      warehouse: "xs",
      schema: "public",
      // A setting that the interface does not show.
      table_kind: "transient",
    },
  },
  {
    type: "Postgres",
    config: { user: "loader", password: "hush-pg", host: "db.acme.com", database: "raw", port: 5432 },
  },
  { type: "Redshift", config: { user: "loader", password: "hush-red", host: "rs.acme.com", database: "raw" } },
  { type: "HTTP", config: { url: "https://sink.acme.com/batch", token: "hush-token" } },
];

const CERTIFICATE = "-----BEGIN CERTIFICATE-----\nMIIC\nabc\n-----END CERTIFICATE-----\n";

/** An id that every emulator gives, so that exported files stay true when another one is started. */
function uuid(number: number): string {
  return `0190aa11-0000-4000-8000-${number.toString(16).padStart(12, "0")}`;
}

/**
 * Three projects with 60 insights (equal names, names in other scripts, on dashboards) and six types of batch exports,
 * sixteen people, domains, and a plugin.
 */
export function messyOrganization(): Seed {
  const users = Array.from({ length: 12 }, (_, index) => ({ email: `user${String(index)}@acme.com`, level: 1 }));
  return {
    organizations: [
      {
        id: uuid(0x01),
        name: "Acme Inc",
        enforce_2fa: false,
        members: [
          { email: "ada@acme.com", level: 15, first_name: "Ada" },
          { email: "Bob.Müller@acme.com", level: 8 },
          ...users,
        ],
        invites: [
          { id: uuid(0x20), target_email: "carol@acme.com", level: 1, first_name: "Carol" },
          { id: uuid(0x21), target_email: "dave@partner.example", level: 8 },
        ],
        domains: [
          {
            id: uuid(0x10),
            domain: "acme.com",
            is_verified: true,
            jit_provisioning_enabled: true,
            sso_enforcement: "saml",
            saml_entity_id: "https://idp.example/acme",
            saml_acs_url: "https://idp.example/acs",
            saml_x509_cert: CERTIFICATE,
          },
          { id: uuid(0x11), domain: "acme.de" },
          { id: uuid(0x03), domain: "shop.acme.com" },
        ],
        pipeline_destinations: [{ name: "Webhook sink", plugin_type: "source" }],
        projects: ["Web (Prod)", "Web (Staging)", "📱 Mobile"].map((name, index) => project(index + 2, name)),
      },
    ],
  };
}

function project(id: number, name: string): SeedProject {
  const first = (id - 2) * 2;
  return {
    id,
    name,
    dashboards: [1, 2, 3],
    ...(id === 2 ? { event_series: EVENT_SERIES, query_results: QUERY_RESULTS } : {}),
    insights: NAMES.map((insight, index) => ({
      name: insight,
      description: ["Line one.\nLine two: do not trust, ask @data.\n", "", "Used in the board deck"][index % 3] ?? "",
      tags: index % 3 === 0 ? ["growth", "Board"] : [],
      saved: true,
      favorited: index === 3,
      dashboards: index % 2 === 1 ? [1] : [],
      ...analysis(index),
    })),
    batch_exports: DESTINATIONS.slice(first, first + 2).map((destination, index) => ({
      id: uuid(0x30 + first + index),
      name: ["Nightly", "To the warehouse"][index] ?? "",
      interval: ["day", "hour"][index] ?? "",
      paused: index === 1,
      destination,
    })),
  };
}

/** What an insight analyses: SQL, a trend, or filters in the older notation. */
function analysis(index: number): JsonObject {
  if (index % 10 === 0) return { query: { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: SQL } } };
  if (index % 10 === 9)
    return { filters: { insight: "TRENDS", events: [{ id: "$pageview", order: 0 }], interval: "week" } };
  const source = index % 10 === 8 ? funnel() : trend(index);
  return { query: { kind: "InsightVizNode", source } };
}

function trend(index: number): JsonObject {
  const browser = { key: "$browser", type: "event", operator: "exact", value: ["Chrome", "Firefox", "Safari"] };
  const plan = { key: "plan", type: "person", operator: "is_not", value: ["free"] };
  const event = `event_${String(index)}`;
  return {
    kind: "TrendsQuery",
    interval: ["day", "week", "month"][index % 3] ?? "day",
    dateRange: { date_from: "-30d" },
    filterTestAccounts: true,
    properties: { type: "AND", values: [{ type: "AND", values: [browser, plan] }] },
    series: [
      { kind: "EventsNode", event, name: event, math: "dau", properties: [browser] },
      { kind: "EventsNode", event: "$pageview", name: "$pageview", math: "total" },
    ],
    breakdownFilter: { breakdown_type: "event", breakdown: "$os" },
    trendsFilter: { display: "ActionsLineGraph", showLegend: true },
  };
}

function funnel(): JsonObject {
  return {
    kind: "FunnelsQuery",
    series: ["signed_up", "activated"].map((event) => ({ kind: "EventsNode", event, name: event })),
    funnelsFilter: { funnelVizType: "steps", layout: "horizontal" },
  };
}
