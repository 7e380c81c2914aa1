import { batchExportRoutes } from "../resources/batch-exports.ts";
import { calculationRoutes } from "../resources/calculations.ts";
import { domainRoutes } from "../resources/domains.ts";
import { insightActionRoutes } from "../resources/insight-actions.ts";
import { insightRoutes } from "../resources/insights.ts";
import { inviteRoutes } from "../resources/invites.ts";
import { memberRoutes } from "../resources/members.ts";
import { organizationRoutes } from "../resources/organizations.ts";
import { pluginActionRoutes } from "../resources/plugin-actions.ts";
import { pluginRoutes } from "../resources/plugins.ts";
import { projectRoutes } from "../resources/projects.ts";
import type { Route } from "./route.ts";

/** Every path of the service. Where two fit a request, the first one answers. */
export const ROUTES: readonly Route[] = [
  ...organizationRoutes,
  ...projectRoutes,
  ...domainRoutes,
  ...inviteRoutes,
  ...memberRoutes,
  ...batchExportRoutes,
  ...pluginActionRoutes,
  ...pluginRoutes,
  ...calculationRoutes,
  ...insightActionRoutes,
  ...insightRoutes,
];
