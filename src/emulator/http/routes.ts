import { USUAL_RULES } from "./route.ts";
import type { ServedRoute } from "./route.ts";
import type { Service } from "../service.ts";

/** Lists the routes of a service in its dialect. If two of them match a request, the first one answers. */
export function routesOf({ resources, dialect }: Service): readonly ServedRoute[] {
  return resources.flatMap(({ routes = [], requests }) =>
    routes
      .filter((route) => route.dialect === undefined || route.dialect === dialect)
      .map((route) => ({ ...route, rules: { ...USUAL_RULES, ...requests } })),
  );
}
