import { publicUrlOf } from "../../api/http/service-url.ts";
import { webPageOf } from "../../kinds/web-page.ts";
import type { Change } from "../../model/change.ts";
import { knownPathAt, type LiveSnapshot } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";

/** Adds the page of each object that differs and exists, where the web interface is known to have one. */
export function addLinks(plan: Plan, { scopes }: LiveSnapshot, url: string): Plan {
  const service = publicUrlOf(url);
  const linked = (change: Change): Change => {
    const live = change.work?.live;
    const path = knownPathAt(scopes, live?.scope ?? "");
    if (change.action === "no_op" || live === undefined || live.state === "deleted" || path === undefined)
      return change;
    const link = webPageOf(service, path, live);
    return link === undefined ? change : { ...change, link };
  };
  return { ...plan, changes: plan.changes.map(linked) };
}
