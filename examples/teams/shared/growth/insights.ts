/** The insights that every environment has. */
export const insights = Object.fromEntries(
  ["signed_up", "checkout_completed"].map((event) => [
    `${event.replaceAll("_", "-")}-weekly`,
    {
      name: `${event}: weekly`,
      tags: ["growth"],
      query: {
        kind: "InsightVizNode",
        source: { kind: "TrendsQuery", interval: "week", series: [{ kind: "EventsNode", event, math: "dau" }] },
      },
    },
  ]),
);
