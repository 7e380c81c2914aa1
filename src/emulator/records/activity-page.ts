import { renderActivity, renderCurrentActivity, type Activity } from "./activity.ts";
import type { Answer, Authenticated } from "../http/call.ts";

const DEFAULT_SIZE = 10;

/** Renders a page of an activity list like deployed servers: numbered pages of ten, the newest entry first. */
export function activityPage(call: Authenticated, rows: readonly Activity[]): Answer {
  const size = positiveInteger(call.query.get("limit"), DEFAULT_SIZE);
  const number = positiveInteger(call.query.get("page"), 1);
  const start = (number - 1) * size;
  return {
    status: 200,
    body: {
      results: rows
        .toReversed()
        .slice(start, start + size)
        .map(call.service.current ? renderCurrentActivity : renderActivity),
      next: start + size < rows.length ? link(call, number + 1) : null,
      previous: number > 1 ? link(call, number - 1) : null,
      total_count: rows.length,
    },
  };
}

function positiveInteger(text: string | null, fallback: number): number {
  return text !== null && /^[1-9]\d*$/.test(text) ? Number(text) : fallback;
}

function link(call: Authenticated, number: number): string {
  const query = new URLSearchParams(call.query);
  query.set("page", String(number));
  query.sort();
  return `${call.origin}${call.path}?${query.toString()}`;
}
