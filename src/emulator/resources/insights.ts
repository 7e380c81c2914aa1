import { INSIGHT_FIELDS, renderFor } from "./insight-fields.ts";
import { invalid, notFound } from "../http/errors.ts";
import { makeInsight } from "../records/insight.ts";
import { deployedOrder } from "../deployed/insight-order.ts";
import { deployedValues } from "../deployed/insight-values.ts";
import { objectBody } from "../http/body.ts";
import { page } from "../http/page.ts";
import { projectRoute } from "../http/route.ts";
import { readFields } from "../http/fields.ts";
import { stamp } from "../store/time.ts";
import type { Answer, Authenticated } from "../http/call.ts";
import type { Insight } from "../records/insight.ts";
import type { Route } from "../http/route.ts";
import type { Team } from "../records/team.ts";

const READ = "insight:read";
const WRITE = "insight:write";

/** The routes of a project's insights. */
export const insightRoutes: readonly Route[] = [
  projectRoute("insights", "insights", { GET: { scope: READ, run: list }, POST: { scope: WRITE, run: create } }),
  projectRoute("insights/:id", "insights", {
    GET: { scope: READ, run: (call, team) => show(call, present(call, team)) },
    PUT: { scope: WRITE, run: update },
    PATCH: { scope: WRITE, run: update },
    // Refused whatever the id, without a body: an insight is deleted by a flag.
    DELETE: { scope: WRITE, run: () => ({ status: 405 }) },
  }),
];

function list(call: Authenticated, team: Team): Answer {
  const { service, query } = call;
  const shortId = query.get("short_id");
  const author = query.get("created_by");
  if (service.deployed) checkFormat(query.get("format"));
  if (service.deployed && author !== null) checkAuthor(call, author);
  const rows = service.store.insights
    .within(team.id)
    .filter(
      (row) =>
        !row.deleted &&
        (shortId === null || row.short_id === shortId) &&
        (author === null || String(row.created_by?.id) === author),
    );
  const ordered = service.deployed ? deployedOrder(rows, query.get("order"), call.serial) : rows;
  return page(call, ordered, (row) => renderFor(call, row));
}

/** A form of answer that the server does not have is an address that does not exist. */
function checkFormat(format: string | null): void {
  if (format !== null && !["csv", "json"].includes(format)) throw notFound();
}

function checkAuthor({ service }: Authenticated, author: string): void {
  const known = service.store.users.all().some((user) => String(user.id) === author);
  const detail = "Select a valid choice. That choice is not one of the available choices.";
  if (!known) throw invalid("invalid_choice", detail, "created_by");
}

function create(call: Authenticated, team: Team): Answer {
  const { service, user } = call;
  const read = readFields(objectBody(call, "insights"), INSIGHT_FIELDS, { lenient: service.deployed, partial: false });
  const values = service.deployed ? deployedValues(read, undefined, team) : read;
  return show(call, makeInsight(service, team.id, { ...values, created_by: user }), 201);
}

function update(call: Authenticated, team: Team): Answer {
  const { service, user } = call;
  const row = target(call, team);
  const body = objectBody(call, "insights");
  // A deleted insight is not there, unless the call brings it back.
  if (row.deleted && body["deleted"] !== false) throw notFound();
  const read = readFields(body, INSIGHT_FIELDS, { lenient: service.deployed, partial: true });
  const values = service.deployed ? deployedValues(read, row, team) : read;
  const at = stamp(service.now());
  const touched = ["name", "description", "filters", "query"].some((field) => field in values);
  const modified = touched || !service.deployed ? { last_modified_at: at, last_modified_by: user } : {};
  const updated = service.store.insights.put({ ...row, ...values, ...modified, updated_at: at });
  return show(call, updated);
}

function show(call: Authenticated, row: Insight, status = 200): Answer {
  return { status, body: renderFor(call, row) };
}

function present(call: Authenticated, team: Team): Insight {
  const row = target(call, team);
  if (row.deleted) throw notFound();
  return row;
}

function target({ service, params }: Authenticated, team: Team): Insight {
  const id = params["id"] ?? "";
  const row = /^\d+$/.test(id) ? service.store.insights.get(Number(id)) : undefined;
  if (row === undefined || row.team_id !== team.id) throw notFound();
  return row;
}
