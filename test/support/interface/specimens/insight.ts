import { fieldsOf } from "../../organizations.ts";
import { blank, exact, once, type Field, type Specimen } from "../specimen.ts";

/** Services of today set `saved` in a PATCH that does not mention it: what is false is repeated. */
const afterUnsaved = ({ saved, ...fields }: Specimen["fields"]): Specimen["fields"] => ({
  ...(saved === undefined ? {} : { saved }),
  ...Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, { ...field, beside: ["saved"] }])),
});

const query: Field = {
  next: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ event: "a" }] } },
  value: { kind: "InsightVizNode", source: { kind: "TrendsQuery", series: [{ event: "A", math: 1 }], version: 1 } },
  same: [
    {
      version: 9,
      source: { version: 2, series: [{ math: 1, event: "A", version: 3 }], kind: "TrendsQuery", interval: null },
      kind: "InsightVizNode",
    },
  ],
  hides: ["ignore_version"],
  instead: "overlay",
};

const common: Specimen["fields"] = {
  name: blank("Sign-ups"),
  derived_name: blank("Derived"),
  query,
  order: exact(3),
  dashboards: {
    next: [7],
    value: [3, 1, 2],
    same: [
      [1, 2, 3],
      [2, 3, 1, 1],
    ],
    hides: ["unordered"],
  },
  description: blank("New accounts"),
  tags: {
    next: ["growth"],
    value: ["Growth", " web "],
    same: [
      ["web", "growth"],
      ["growth", "web", "growth"],
    ],
    hides: ["unordered", "trimmed", "lower_case"],
  },
  favorited: exact(true),
  saved: exact(false),
};

export const insight: Specimen = {
  scopes: ["project"],
  collection: "insights",
  created: "insight",
  stored: ["insight"],
  fields: {
    ...common,
    filters: {
      ...exact({ events: [{ id: "a" }] }, { insight: "TRENDS", events: [{ order: 0, id: "a" }] }),
      instead: "overlay",
    },
  },
  current: {
    integrations: {},
    create: {
      name: "Signups",
      query: { kind: "DataVisualizationNode", source: { kind: "HogQLQuery", query: "select 1" } },
    },
    fields: afterUnsaved(common),
    edit: { field: "description", value: "edited" },
  },
  later: { _create_in_folder: once("Unfiled/Insights") },
  undeclarable: ["deleted"],
  readOnly: `id short_id dashboard_tiles last_refresh cache_target_age next_allowed_client_refresh result columns
    created_at created_by updated_at last_modified_at last_modified_by is_sample effective_restriction_level
    effective_privilege_level timezone is_cached query_status`,
  arbitrary: fieldsOf.insight,
  key: "signups",
  create: { name: "Signups" },
  edit: { field: "description", value: "edited" },
  required: (name) => ({ name }),
  fresh: (name) => ({ name, description: `About ${name}`, tags: ["t"] }),
  live: { id: 5, description: "old", saved: true },
  watched: "description",
};
