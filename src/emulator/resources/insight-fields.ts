import { flag, free, integer, list, nullable, text } from "../http/fields.ts";
import { renderDeployedInsight } from "../deployed/insight-render.ts";
import { renderInsight } from "../records/insight.ts";
import type { Authenticated } from "../http/call.ts";
import type { Fields } from "../http/fields.ts";
import type { Insight } from "../records/insight.ts";

/** The writable fields of an insight. */
export const INSIGHT_FIELDS = {
  name: nullable(text({ max: 400, blank: true })),
  derived_name: nullable(text({ max: 400, blank: true })),
  filters: free(),
  query: free(),
  order: nullable(integer()),
  deleted: flag(),
  dashboards: list(integer()),
  description: nullable(text({ max: 400, blank: true })),
  tags: list(free()),
  favorited: flag(),
  saved: flag(),
} satisfies Fields;

/** An insight as the dialect shows it to this call. */
export function renderFor(call: Authenticated, row: Insight): object {
  if (!call.service.deployed) return renderInsight(row);
  return renderDeployedInsight(row, call.query.get("basic") === "true", call.serial);
}
