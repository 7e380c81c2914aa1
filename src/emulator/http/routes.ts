import { batchExportRoutes } from "../resources/batch-exports.ts";
import { domainRoutes } from "../resources/domains.ts";
import { insightRoutes } from "../resources/insights.ts";
import { inviteRoutes } from "../resources/invites.ts";
import { memberRoutes } from "../resources/members.ts";
import { organizationRoutes } from "../resources/organizations.ts";
import { pluginRoutes } from "../resources/plugins.ts";
import type { Route } from "./route.ts";

/** Every path of the service. Where two fit a request, the first one answers. */
export const ROUTES: readonly Route[] = [
  ...organizationRoutes,
  ...domainRoutes,
  ...inviteRoutes,
  ...memberRoutes,
  ...batchExportRoutes,
  ...pluginRoutes,
  ...insightRoutes,
];
