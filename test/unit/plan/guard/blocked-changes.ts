/** One change for each rule of the guard, as the planner itself makes it. */
import type { Blocked, Change } from "../../../../src/model/change.ts";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { listKey, type LiveList, type LiveWorld } from "../../../../src/model/live.ts";
import type { Plan } from "../../../../src/model/plan.ts";
import type { Check } from "../../../../src/kinds/check.ts";
import { destroyedAlerts } from "../../../../src/kinds/insight/destroyed-alerts.ts";
import { lockOut } from "../../../../src/kinds/organization/lock-out.ts";
import {
  type Read,
  readKey,
  type RowsAnswer,
  unansweredReads,
  type World,
  worldOf,
} from "../../../../src/kinds/world.ts";
import { expiredInvite } from "../../../../src/kinds/people/left-invites.ts";
import { resentInvite } from "../../../../src/kinds/people/resend.ts";
import { exampleOf } from "../rows.ts";
import { ACME, checked, declare, live, plan, seen } from "../world.ts";

const WEB = "acme/projects/web/insights";
const ABSENT = { lifecycle: { state: "absent" } } as const;
const DOMAIN = { id: "d-1", domain: "d.com", is_verified: false, verification_challenge: "abc", sso_enforcement: "" };
const EXPORT = { id: "e-1", name: "E", interval: "hour", paused: false, schema: null };
const HTTP = { type: "HTTP", config: { url: "https://acme.com" } };
const NO_OP = { type: "NoOp", config: {} };
const INSIGHT = { id: 7, short_id: "abcdefgh", name: "Signups", query: { kind: "TrendsQuery" } };
const OWNERS = [exampleOf("ada", 15), exampleOf("bob", 15)];
const DEPLOYED = { "organizations.list": [{ ...ACME, member_count: 1 }] };

const exports = (...rows: readonly JsonObject[]) => live({ "batch_exports.list": rows });
const members = (...rows: readonly JsonObject[]) => live({ "members.list": rows, "invites.list": [] });
const insights = (...rows: readonly JsonObject[]) => live({}, { "insights.list": rows });

/** The only blocked change of a plan, or the one of a rule. */
function blockedBy(rule: Blocked["rule"], made: Plan): Change {
  const found = made.changes.find(({ blocked }) => blocked?.rule === rule);
  if (found === undefined) throw new Error(`the plan has no change that ${rule} blocks`);
  return found;
}

function destroyingDelete(): Change {
  const listed = insights(INSIGHT);
  const made = plan([declare(`${WEB}/s`, { name: "Signups" }, ABSENT)], listed);
  const row = { ...INSIGHT, alerts: [{ id: 1 }, { id: 2 }], dashboards: [9] };
  return blockedBy("destroys_more", checkedWith(made, destroyedAlerts, listed, [[row]]));
}

function lockingUpdate(): Change {
  const acme = declare("acme", { name: "Acme Inc", enforce_verified_domains: true });
  const member = (name: string, level: number) => ({ level, user: { uuid: name, email: `${name}@else.com` } });
  const rows = [[member("ada", 15), member("bob", 1)], []];
  return blockedBy("lock_out", checkedWith(plan([acme], live({ "domains.list": [] })), lockOut, live(), rows));
}

/** The plan with a check whose reads have these answers, in their order. Lists are empty. */
function checkedWith(made: Plan, check: Check, listed: LiveWorld, rows: readonly (readonly JsonObject[])[]): Plan {
  const left = [...rows];
  let world = worldOf(listed);
  for (;;) {
    const found = checked(made, [check], world);
    const missing = unansweredReads(world, found.needs);
    if (missing.length === 0) return found.plan;
    world = { ...world, answers: { ...world.answers, ...answered(world, missing, left) } };
  }
}

function answered({ answers }: World, reads: readonly Read[], left: (readonly JsonObject[])[]) {
  const lists = reads
    .filter(({ what }) => what === "objects")
    .map((read): [string, LiveList] => [readKey(read), { status: "known", objects: [] }]);
  const rows = reads
    .filter(({ what }) => what !== "objects")
    .map((read): [string, RowsAnswer] => [readKey(read), { status: "known", rows: left.shift() ?? [] }]);
  return { lists: new Map([...answers.lists, ...lists]), rows: new Map([...answers.rows, ...rows]) };
}

/** The compiler asks for the change of a new rule. */
export const BLOCKED_CHANGES: Readonly<Record<Blocked["rule"], () => Change>> = {
  protect: () => {
    const lifecycle = { state: "absent", protect: true } as const;
    const domain = declare("acme/domains/d", { domain: "d.com" }, { lifecycle });
    return blockedBy("protect", plan([domain], live({ "domains.list": [DOMAIN] })));
  },
  prune: () => {
    const exclusive = [{ scope: "acme", kind: "domain" }] as const;
    return blockedBy("prune", plan([], live({ "domains.list": [DOMAIN] }), {}, { exclusive }));
  },
  delegated: () => {
    const exclusive = [{ scope: "acme", kind: "invite" }] as const;
    const rows = [{ id: "i-1", target_email: "setup@acme.com", level: 8, is_expired: false }];
    const root = { "organizations.list": [{ ...ACME, enforce_verified_domains: false }] };
    const listed = live({ "invites.list": rows, "members.list": [] }, {}, root);
    return blockedBy("delegated", plan([], listed, { prune: true }, { exclusive }));
  },
  delete_limit: () => {
    const exclusive = [{ scope: "acme", kind: "domain" }] as const;
    const rows = Array.from({ length: 6 }, (_, index) => ({ ...DOMAIN, id: `d-${index}`, domain: `d${index}.com` }));
    return blockedBy("delete_limit", plan([], live({ "domains.list": rows }), { prune: true }, { exclusive }));
  },
  confirm_organization: () =>
    blockedBy("confirm_organization", plan([declare("acme", { name: "Acme Inc" }, ABSENT)], live())),
  organization_create: () => blockedBy("organization_create", plan([declare("beta", { name: "Acme Inq" })], live())),
  forgotten_rename: () => {
    const query = { kind: "TrendsQuery" };
    const renamed = declare(`${WEB}/s`, { name: "Sign-ups", query });
    return blockedBy("forgotten_rename", plan([renamed], insights({ ...INSIGHT, query })));
  },
  last_owner: () => {
    // The key is an admin's, so the owner is not its user.
    const root = { "organizations.list": [{ ...ACME, membership_level: 8 }] };
    const listed = live({ "members.list": [exampleOf("ada", 15)] }, {}, root);
    return blockedBy("last_owner", plan([declare("acme/members/ada@acme.com", { level: 1 })], listed));
  },
  lock_out: lockingUpdate,
  own_user: () => blockedBy("own_user", plan([declare("acme/members/ada@acme.com", { level: 8 })], members(...OWNERS))),
  replace_loses: () => {
    const replaced = declare("acme/batch_exports/e", { name: "E", interval: "hour", destination: HTTP });
    const row = {
      ...EXPORT,
      destination: { type: "S3", config: { aws_access_key_id: "********" } },
      extra: "********",
    };
    return blockedBy("replace_loses", plan([replaced], exports(row)));
  },
  destroys_more: destroyingDelete,
  replacement_exists: () => {
    const values = { name: "E", interval: "hour", paused: false, destination: HTTP };
    const replaced = declare("acme/batch_exports/e", values, { pin: { field: "id", value: "e-1" } });
    const listed = exports({ ...EXPORT, destination: NO_OP }, { ...EXPORT, id: "e-2", destination: HTTP });
    return blockedBy("replacement_exists", plan([replaced], listed));
  },
  pin_missing: () => {
    const domain = declare("acme/domains/d", { domain: "d.com" }, { pin: { field: "id", value: "d-2" } });
    return blockedBy("pin_missing", plan([domain], live({ "domains.list": [] })));
  },
  pinned_elsewhere: () => {
    const insight = declare("acme/projects/app/insights/s", { name: "Signups" }, { pin: { field: "id", value: "7" } });
    const { scopes, lists } = insights(INSIGHT);
    const app = { status: "known", path: { project_id: "3" } } as const;
    const listed = {
      scopes: new Map([...scopes, ["acme/projects/app", app] as const]),
      lists: new Map([...lists, [listKey("acme/projects/app", "insight"), { status: "known", objects: [] }] as const]),
    };
    return blockedBy("pinned_elsewhere", plan([insight], listed));
  },
  not_there: () =>
    blockedBy("not_there", plan([declare("acme/members/eve@acme.com", { level: 1 })], members(...OWNERS))),
  incomplete: () => {
    const replaced = declare("acme/batch_exports/e", { destination: HTTP }, { pin: { field: "id", value: "e-1" } });
    return blockedBy("incomplete", plan([replaced], exports({ id: "e-1", destination: NO_OP, schema: null })));
  },
  verification_required: () => {
    const domain = declare("acme/domains/d", { domain: "d.com", sso_enforcement: "saml" });
    return blockedBy("verification_required", plan([domain], live({ "domains.list": [DOMAIN] }, {}, DEPLOYED)));
  },
  resend: () => {
    const listed = live({
      "members.list": [],
      "invites.list": [{ id: "i", target_email: "eve@acme.com", level: 1, created_at: "2026-01-01T00:00:00Z" }],
    });
    const made = plan([declare("acme/memberships/eve@acme.com", { level: 8 })], listed);
    const memory = { now: Date.parse("2026-01-01T12:00:00Z"), ignoredByService: new Set<string>() };
    return blockedBy("resend", checked(made, [resentInvite], worldOf(listed), { memory }).plan);
  },
  edited_as_query: () => {
    const row = { ...INSIGHT, filters: {}, query: { kind: "HogQLQuery", query: "select 1" } };
    const insight = declare(`${WEB}/s`, { name: INSIGHT.name, filters: { insight: "FUNNELS" } });
    return blockedBy("edited_as_query", plan([insight], seen(insights(row))));
  },
  query_required: () => {
    const insight = declare(`${WEB}/s`, { name: "Visits", filters: { insight: "FUNNELS" } });
    return blockedBy("query_required", plan([insight], seen(insights(INSIGHT))));
  },
  service_refuses: () => {
    const values = { name: "New", interval: "hour", destination: { type: "S3", config: {} } };
    const today = { ...EXPORT, destination: NO_OP, primary_key: null };
    return blockedBy("service_refuses", plan([declare("acme/batch_exports/new", values)], seen(exports(today))));
  },
  expired: () => {
    const invite = { id: "i", target_email: "eve@acme.com", level: 1, is_expired: true };
    const listed = live({ "members.list": OWNERS, "invites.list": [invite] });
    const made = plan([declare("acme/memberships/eve@acme.com", { level: 1 })], listed);
    return blockedBy("expired", checked(made, [expiredInvite], worldOf(listed)).plan);
  },
  parent: () => {
    const { scopes, lists } = live();
    const listed = { scopes: new Map([...scopes, ["beta", { status: "absent" }] as const]), lists };
    const beta = declare("beta", { name: "Acme Inq" });
    return blockedBy("parent", plan([beta, declare("beta/domains/d", { domain: "d.com" })], listed));
  },
};

/** How a rule blocks its change. */
export function blockOf(rule: Blocked["rule"]): Blocked {
  const { blocked } = BLOCKED_CHANGES[rule]();
  if (blocked === null) throw new Error(`the rule ${rule} does not block its change`);
  return blocked;
}
