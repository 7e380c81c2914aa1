import { defineConfig } from "driftline";
import { products } from "./products.ts";

const insights = Object.fromEntries(
  products.map(({ key, title, event }) => [
    `${key}-weekly`,
    {
      name: `${title}: weekly use`,
      description: `How often ${event} happened, by week`,
      tags: ["generated", key],
      query: {
        kind: "InsightVizNode",
        source: { kind: "TrendsQuery", interval: "week", series: [{ kind: "EventsNode", event, math: "total" }] },
      },
    },
  ]),
);

export default defineConfig({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", projects: { web: { name: "Web", insights } } } },
});
