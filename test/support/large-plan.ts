import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Json } from "../../src/model/json/json.ts";
import type { PlanDocument, ShownChange } from "../../src/model/plan.ts";
import { change, EVERYTHING, plan } from "../unit/report/documents.ts";

const SQL = `SELECT
    toStartOfWeek(timestamp) AS week,
    properties.plan AS plan,
    count() AS events
FROM events
WHERE event = 'purchase'
  AND timestamp > now() - INTERVAL 30 DAY
  AND properties.country IN ('DE', 'FR', 'IT')
GROUP BY week, plan
ORDER BY week, plan
LIMIT 100`;

const PROJECTS = ["web", "app", "shop", "data"];
const TEAMS = ["growth", "payments", "core", "search", "support"];

function trend(...events: readonly string[]): Json {
  const series = events.map((event) => ({ kind: "EventsNode", event, math: "total", properties: [] }));
  return { kind: "InsightVizNode", source: { kind: "TrendsQuery", interval: "week", series } };
}

/** A change of an insight. Neighbours differ in action and in what they change. */
function insight(index: number): ShownChange {
  const project = PROJECTS[Math.floor(index / 5) % PROJECTS.length] ?? "";
  const team = TEAMS[index % TEAMS.length] ?? "";
  const base = change({
    address: `acme/projects/${project}/insights/${team}-${index}`,
    kind: "insight",
    id: `${1000 + index}`,
  });
  const source = {
    path: "/query/source/query",
    prior: SQL,
    planned: SQL.replace("AS plan", "AS tier").replace("30 DAY", "90 DAY"),
  };
  const updates = [
    [source, { path: "/tags", prior: ["core", "kpi"], planned: ["kpi", team] }],
    [{ path: "/query", prior: trend("signed up", "paid"), planned: trend("signed up", "trial started", "paid again") }],
    [
      { path: "/name", prior: `Revenue ${index}`, planned: `Revenue per plan ${index}` },
      { path: "/favorited", prior: false, planned: true },
    ],
    [
      {
        path: "/description",
        prior: `Weekly purchases by plan, without refunds. Owner: ${team}.`,
        planned: `Weekly purchases by plan, refunds subtracted. Owner: ${team} and finance.`,
      },
    ],
  ];
  const fields = updates[index % updates.length] ?? [];
  if (index % 10 === 9)
    return {
      ...base,
      action: "create",
      reason: `no insight "${team} ${index}"`,
      id: null,
      fields: [
        { path: "/name", prior: null, planned: `${team} ${index}` },
        { path: "/tags", prior: null, planned: [team] },
        {
          path: "/query",
          prior: null,
          planned: { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: SQL } },
        },
      ],
    };
  if (index % 25 === 7) return { ...base, action: "delete", reason: "declared absent" };
  if (index % 100 === 50)
    return {
      ...base,
      action: "delete",
      reason: `insight "${team} ${index}" is not declared, and its kind is exclusive`,
      blocked: { rule: "delete_limit", lift: "--approve HASH" },
    };
  return { ...base, action: "update", reason: `${fields.map(({ path }) => path.slice(1)).join(", ")} differs`, fields };
}

/** How many insights of {@link LARGE_PLAN} only get the same tag. */
export const EQUAL_CHANGES = 100;

function tagged(index: number): ShownChange {
  const address = `acme/projects/app/insights/kpi-${index}`;
  const fields = [{ path: "/tags", prior: ["kpi"], planned: ["kpi", "growth"] }];
  return change({ address, kind: "insight", id: `${2000 + index}`, action: "update", reason: "tags differ", fields });
}

const WARNINGS: readonly Diagnostic[] = [
  {
    severity: "warning",
    code: "members_without_2fa",
    message: "2 members have no two-factor authentication: ada@acme.com, carol@acme.com",
    hint: "Have them set it up first: until they do, they can only sign in to do that.",
    address: "acme",
  },
  {
    severity: "warning",
    code: "paid_feature",
    message: "sso_enforcement is ignored without the feature sso_enforcement of a paid plan",
    address: "acme/domains/corp",
    file: "acme/organization.yaml",
    line: 14,
    column: 9,
  },
  ...Array.from({ length: 10 }, (_, index) => ({
    severity: "warning" as const,
    code: "deprecated",
    message: '"dashboards" is deprecated',
    file: "acme/projects/web.yaml",
    line: 10 + index * 7,
    column: 5,
  })),
];

/** A plan with 500 changes like those of a real organization, and 13 warnings. */
export const LARGE_PLAN: PlanDocument = plan(
  [
    ...EVERYTHING.changes.slice(0, 12),
    ...Array.from({ length: 488 - EQUAL_CHANGES }, (_, index) => insight(index)),
    ...Array.from({ length: EQUAL_CHANGES }, (_, index) => tagged(index + 1)),
  ],
  { unmanaged: EVERYTHING.unmanaged, diagnostics: [...EVERYTHING.diagnostics, ...WARNINGS] },
);
