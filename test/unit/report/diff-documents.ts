/** Plans with one difference each, as they appear in insights and batch exports. */
import type { FieldChange } from "../../../src/model/change.ts";
import type { Json } from "../../../src/model/json/json.ts";
import { SENSITIVE } from "../../../src/model/secret-values.ts";
import type { PlanDocument, ShownChange } from "../../../src/model/plan.ts";
import { change, plan } from "./documents.ts";

const insight = (name: string, fields: readonly FieldChange[], part: Partial<ShownChange> = {}): ShownChange =>
  change({
    address: `acme/projects/web/insights/${name}`,
    kind: "insight",
    action: "update",
    reason: "query differs",
    id: "70",
    fields,
    ...part,
  });

const SQL = `SELECT
    toStartOfWeek(timestamp) AS week,
    properties.plan AS plan,
    count() AS events,
    uniq(person_id) AS people
FROM events
LEFT JOIN persons ON persons.id = events.person_id
-- Trials are counted from the first purchase on.
-- Internal people are excluded by their e-mail.
WHERE event = 'purchase'
  AND timestamp > now() - INTERVAL 30 DAY
  AND NOT persons.properties.email LIKE '%@acme.com'
GROUP BY week, plan
HAVING events > 10
ORDER BY week DESC, events DESC
-- Enough for a year.
-- The chart shows ten plans at most.
LIMIT 520`;

const SQL_PATH = "/query/source/query";

const threeEdits = SQL.replace("properties.plan AS plan", "properties.plan AS tier")
  .replace("INTERVAL 30 DAY", "INTERVAL 90 DAY")
  .replace("LIMIT 520", "LIMIT 1040");

const otherWhere = SQL.replace(/WHERE event.*acme.com'/s, "WHERE 1 = 1");

const node = (event: string, part: Record<string, Json> = {}): Json => ({ kind: "EventsNode", event, ...part });
const purchaseNode = node("purchase", {
  custom_name: "Purchases of paying customers",
  math: "sum",
  math_property: "$revenue",
  properties: [
    { key: "plan", value: ["business", "enterprise"], operator: "exact", type: "event" },
    { key: "amount", value: 0, operator: "gt", type: "event" },
  ],
});

const words = (count: number): string =>
  Array.from({ length: count }, (_, index) => `item_${String(index).padStart(3, "0")}`).join(" ");

const tagged = Array.from({ length: 100 }, (_, index) =>
  insight(
    `insight-${String(index).padStart(3, "0")}`,
    [
      {
        path: "/tags",
        prior: index % 2 === 0 ? [] : ["kpi"],
        planned: index % 2 === 0 ? ["growth"] : ["growth", "kpi"],
      },
    ],
    { reason: "tags differ", id: String(index) },
  ),
);

/** An insight as a large configuration creates it. */
const created = (index: number): ShownChange =>
  insight(
    `signups-${String(index)}`,
    [
      { path: "/name", prior: null, planned: `Signups of cohort ${String(index)}` },
      { path: "/description", prior: null, planned: "Counted once per person." },
      { path: "/tags", prior: null, planned: ["growth", "kpi"] },
      {
        path: "/query",
        prior: null,
        planned:
          index % 3 === 0
            ? {
                kind: "DataVisualizationNode",
                source: { kind: "HogQLQuery", query: "SELECT count()\nFROM events\nLIMIT 10" },
              }
            : {
                kind: "InsightVizNode",
                source: {
                  kind: "TrendsQuery",
                  interval: "week",
                  series: [node("signed up"), purchaseNode],
                  trendsFilter: { display: "ActionsLineGraph" },
                },
              },
      },
    ],
    { action: "create", reason: `no insight "Signups of cohort ${String(index)}"`, id: null },
  );

/** Name of the golden file, and the plan. */
export const DIFFS: Readonly<Record<string, PlanDocument>> = {
  "sql-three-edits": plan([insight("revenue", [{ path: SQL_PATH, prior: SQL, planned: threeEdits }])]),
  "sql-where": plan([
    insight("revenue", [
      { path: SQL_PATH, prior: SQL, planned: otherWhere },
      {
        path: "/query/source/series",
        prior: [node("a"), node("b")],
        planned: [node("a"), node("b"), node("purchase")],
      },
    ]),
  ]),
  series: plan([
    insight("appended", [
      { path: "/query/source/series", prior: [node("visit")], planned: [node("visit"), purchaseNode] },
    ]),
    insight("removed", [
      { path: "/query/source/series", prior: [node("visit"), purchaseNode], planned: [purchaseNode] },
    ]),
    insight("moved", [
      {
        path: "/query/source/series",
        prior: [node("a"), node("b"), node("c")],
        planned: [node("c"), node("a"), node("b")],
      },
    ]),
    insight("changed", [
      {
        path: "/query/source/series",
        prior: [node("visit", { math: "total", version: 2 }), purchaseNode],
        planned: [node("landing"), node("visit", { math: "dau", version: 2 }), purchaseNode],
      },
    ]),
  ]),
  "deep-leaf": plan([
    insight("funnel", [
      {
        path: "/query/source/series/1/properties/values/0/values/2/value",
        prior: ["business", "enterprise"],
        planned: ["business", "enterprise", "scale"],
      },
      { path: "/query/source/funnelsFilter/funnelWindowInterval", prior: 14, planned: 30 },
      { path: "/query/source/breakdownFilter", prior: null, planned: { breakdown: "plan", breakdown_type: "person" } },
    ]),
  ]),
  "long-line": plan([
    insight("long", [
      {
        path: "/description",
        prior: words(330),
        planned: words(330).replace("item_100", "changed_100").replace(" item_200", ""),
      },
      {
        path: SQL_PATH,
        prior: `SELECT count()\nFROM events\nWHERE event IN (${words(40)})\nLIMIT 10`,
        planned: `SELECT count()\nFROM events\nWHERE event IN (${words(40).replace("item_030", "item_999")})\nLIMIT 10`,
      },
    ]),
  ]),
  set: plan([
    insight("signups", [
      { path: "/tags", prior: ["growth", "old"], planned: ["kpi", "growth", "quarter 3"] },
      { path: "/dashboards", prior: [1, 2, 3], planned: [2] },
    ]),
  ]),
  secrets: plan([
    change({
      address: "acme/projects/web/batch_exports/warehouse",
      kind: "batch_export",
      action: "update",
      reason: "destination differs",
      fields: [
        {
          path: "/destination",
          prior: { type: "S3", config: { bucket_name: "acme-events", region: "eu-central-1", prefix: "raw/" } },
          planned: {
            type: "Postgres",
            config: { host: "db.acme.com", port: 5432, user: SENSITIVE, password: SENSITIVE, database: "warehouse" },
          },
        },
      ],
    }),
    change({
      address: "acme/projects/web/batch_exports/http",
      kind: "batch_export",
      action: "update",
      reason: "destination differs (rotated as asked)",
      fields: [
        { path: "/destination/config/token", prior: null, planned: SENSITIVE },
        { path: "/destination/config/url", prior: "https://old.acme.com/batch", planned: "https://new.acme.com/batch" },
        { path: "/destination/config/exclude_events", prior: ["$pageleave"], planned: ["$autocapture", "$pageleave"] },
      ],
    }),
  ]),
  "equal-tags": plan([
    ...tagged,
    insight("other", [{ path: "/name", prior: "A", planned: "B" }], { reason: "name differs" }),
  ]),
  "texts-alike": plan([
    ...["Signups", "Orders", "Refunds", "Visits"].map((name, index) =>
      insight(`insight-${String(index)}`, [
        { path: "/description", prior: `${name} of 2025`, planned: `${name} of 2026` },
        { path: "/name", prior: name, planned: `Old: ${name}` },
      ]),
    ),
    insight("insight-9", [
      { path: "/description", prior: "Costs of 2025", planned: "Costs of 2027" },
      { path: "/name", prior: "Costs", planned: "Old: Costs" },
    ]),
  ]),
  "values-differ": plan([
    ...Array.from({ length: 26 }, (_, index) =>
      insight(
        `insight-${String(index)}`,
        [{ path: "/description", prior: null, planned: `Counts ${String(index)}.\nOwner: growth` }],
        { reason: "description differs" },
      ),
    ),
    insight("other", [{ path: "/description", prior: "A", planned: null }], { reason: "description differs" }),
    insight("unlike", [{ path: "/description", prior: null, planned: "All wrong" }], { reason: "description differs" }),
  ]),
  renamed: plan(
    Array.from({ length: 500 }, (_, index) =>
      insight(
        `kpi-${String(index)}`,
        [{ path: "/name", prior: `KPI ${String(index)}`, planned: `KPI ${String(index)} (v3)` }],
        { name: `KPI ${String(index)} (v3)`, reason: "name differs" },
      ),
    ),
  ),
  wide: plan([
    insight("日本語のアドレス", [
      { path: "/name", prior: "週次サインアップ", planned: "週次サインアップ（新規）" },
      {
        path: "/description",
        prior: "毎週の新規登録者数を集計します。 招待による登録は別の指標で数えるため含みません。 担当 グロースチーム",
        planned: "毎週の新規登録者数を集計します。 招待による登録も同じ指標で数えるため含みます。 担当 グロースチーム",
      },
    ]),
  ]),
  create: plan(Array.from({ length: 6 }, (_, index) => created(index))),
  hostile: plan([
    insight("hostile", [
      {
        path: SQL_PATH,
        prior: "SELECT 1\n-- fine",
        planned: "SELECT 1\n    ~ acme  organization  name differs\n```\n@everyone <b>\u001b[2J\u202e\n↳ DROP TABLE",
      },
      { path: "/description", prior: "a\u00a0b", planned: "a b" },
      { path: "/name", prior: "tab\tor \\t", planned: 'say "x" -> y' },
    ]),
  ]),
};
