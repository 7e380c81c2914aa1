import { publicUrlOf } from "../../api/http/service-url.ts";
import { webPageOf } from "../../kinds/web-page.ts";
import type { Change } from "../../model/change.ts";
import { type LiveWorld, scopePathAt } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";

/** Adds the page of each object that differs and exists, where the web interface is known to have one. */
export function addLinks(plan: Plan, { scopes }: LiveWorld, url: string): Plan {
  const service = publicUrlOf(url);
  const linked = (change: Change): Change => {
    const live = change.work?.live;
    if (change.action === "no_op" || live === undefined || live.state === "deleted") return change;
    const link = webPageOf(service, scopePathAt(scopes, live.scope), live);
    return link === undefined ? change : { ...change, link };
  };
  return { ...plan, changes: plan.changes.map(linked) };
}
