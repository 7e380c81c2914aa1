import { defineConfig } from "driftline";
import { insights } from "../../shared/growth/insights.ts";

export default defineConfig({
  driftline: 1,
  organizations: { acme: { name: "Acme Inc", projects: { web: { name: "Web", insights } } } },
});
