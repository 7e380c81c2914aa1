import { USUAL_RULES } from "./route.ts";
import type { ServedRoute } from "./route.ts";
import type { Service } from "../service.ts";

/** Every path that a service has in its dialect. Where two of them fit a request, the first one answers. */
export function routesOf({ resources, dialect }: Service): readonly ServedRoute[] {
  return resources.flatMap(({ routes = [], requests }) =>
    routes
      .filter((route) => route.dialect === undefined || route.dialect === dialect)
      .map((route) => ({ ...route, rules: { ...USUAL_RULES, ...requests } })),
  );
}
