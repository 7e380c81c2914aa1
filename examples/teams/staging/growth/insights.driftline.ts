import { defineConfig } from "driftline";
import { insights } from "../../shared/growth/insights.ts";

/** What is tried out here first. */
const experiments = {
  "activation-by-plan": {
    name: "Activation by plan",
    tags: ["growth", "experiment"],
    query: {
      kind: "InsightVizNode",
      source: {
        kind: "TrendsQuery",
        series: [{ kind: "EventsNode", event: "activated" }],
        breakdownFilter: { breakdown_type: "event", breakdown: "plan" },
      },
    },
  },
};

export default defineConfig({
  driftline: 1,
  organizations: {
    acme: { name: "Acme Staging", projects: { web: { name: "Web", insights: { ...insights, ...experiments } } } },
  },
});
