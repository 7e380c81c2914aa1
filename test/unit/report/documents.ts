import { blockOf } from "../plan/guard/blocked-changes.ts";
import type { Change } from "../../../src/model/change.ts";
import type { Outcome, OutcomesDocument, Status } from "../../../src/model/outcome.ts";
import type { PlanDocument, ShownChange, Unmanaged } from "../../../src/model/plan.ts";

/** An unchanged domain with these fields replaced. */
export function change(part: Partial<ShownChange>): ShownChange {
  return {
    address: "acme/domains/corp",
    kind: "domain",
    action: "no_op",
    reason: "nothing differs",
    id: "0190aa11-0000-7000-8000-000000000002",
    blocked: null,
    fields: [],
    fingerprint: null,
    ...part,
  };
}

/** A plan with these changes and a matching summary. */
export function plan(changes: readonly ShownChange[], part: Partial<PlanDocument> = {}): PlanDocument {
  const count = (action: Change["action"]): number => changes.filter((one) => one.action === action).length;
  return {
    type: "driftline.plan",
    schema_version: 1,
    hash: `sha256:${"a1".repeat(32)}`,
    config_hash: `sha256:${"c0".repeat(32)}`,
    tool_version: "0.1.0",
    url: "https://eu.analytics.example",
    options: { prune: false, only: [], rotate: [] },
    changes,
    unmanaged: [],
    diagnostics: [],
    ...part,
    summary: {
      create: count("create"),
      update: count("update"),
      replace: count("replace"),
      delete: count("delete"),
      restore: count("restore"),
      no_op: count("no_op"),
      unknown: count("unknown"),
      blocked: changes.filter(({ blocked }) => blocked !== null).length,
      unmanaged: part.unmanaged?.length ?? 0,
    },
  };
}

/** The outcome of one change. */
export function outcome(part: Partial<Outcome>): Outcome {
  const ended = part.status === "skipped" ? {} : { ended_at: "2026-11-28T04:01:07.250Z" };
  const made = change((part.action ?? "no_op") === "no_op" ? part : { reason: "", ...part });
  return {
    ...made,
    status: made.action === "no_op" ? "unchanged" : "applied",
    error: null,
    requests: 1,
    ...ended,
    ...part,
  };
}

/** An outcomes document with these outcomes. */
export function outcomes(changes: readonly Outcome[], part: Partial<OutcomesDocument> = {}): OutcomesDocument {
  const count = (status: Status): number => changes.filter((one) => one.status === status).length;
  return {
    ...plan(changes),
    type: "driftline.outcomes",
    requests: 14,
    record: {
      started_at: "2026-11-28T04:00:12.000Z",
      ended_at: "2026-11-28T04:03:40.000Z",
      commit: "3f2a1b0 feat: two factors",
      key_hash_end: "a1b2",
      declared_user: "owner@acme.com",
    },
    statuses: {
      applied: count("applied"),
      unchanged: count("unchanged"),
      yielded: count("yielded"),
      failed: count("failed"),
      skipped: count("skipped"),
      unverified: count("unverified"),
      unknown: count("unknown"),
    },
    ...part,
    changes,
  };
}

const UNMANAGED: readonly Unmanaged[] = [
  { kind: "domain", scope: "acme", id: "0190aa11-0000-7000-8000-000000000009", key: "acme.example" },
  {
    kind: "membership",
    scope: "acme",
    id: "0190aa11-0000-7000-8000-000000000010",
    key: "mallory@evil.example",
    about: [
      { path: "/level", value: 15 },
      { path: "/is_2fa_enabled", value: false },
      { path: "/joined_at", value: "2026-11-28T03:59:12Z" },
    ],
  },
  { kind: "insight", scope: "acme/projects/web", id: "71", key: null },
];

/** A plan with a change of every type. */
export const EVERYTHING: PlanDocument = plan(
  [
    change({
      address: "acme",
      kind: "organization",
      action: "update",
      reason: "enforce_2fa, name differs",
      id: "0190aa11-0000-7000-8000-000000000001",
      fields: [
        { path: "/enforce_2fa", prior: false, planned: true },
        { path: "/name", prior: "Acme", planned: "Acme Inc" },
      ],
    }),
    change({
      action: "create",
      reason: 'no domain "acme.com"',
      id: null,
      fields: [
        { path: "/domain", prior: null, planned: "acme.com" },
        { path: "/jit_provisioning_enabled", prior: null, planned: true },
        { path: "/sso_enforcement", prior: null, planned: "saml" },
      ],
    }),
    change({ address: "acme/domains/old", action: "delete", reason: "declared absent" }),
    change({
      address: "acme/domains/id=0190aa11-0000-7000-8000-000000000007",
      action: "delete",
      name: "typo.example",
      reason: "not declared, and its kind is exclusive",
      blocked: blockOf("prune"),
    }),
    change({
      address: "acme/memberships/ada@acme.com",
      kind: "membership",
      action: "update",
      reason: "level differs",
      fields: [{ path: "/level", prior: 1, planned: 8 }],
    }),
    change({
      address: "acme/memberships/bob@acme.com",
      kind: "membership",
      action: "delete",
      reason: "declared absent",
      blocked: blockOf("own_user"),
    }),
    change({
      address: "acme/memberships/carol@acme.com",
      kind: "membership",
      action: "replace",
      reason: "level differs; sends an e-mail",
      fields: [{ path: "/level", prior: 8, planned: 15 }],
    }),
    change({
      address: "acme/batch_exports/events-to-s3",
      kind: "batch_export",
      action: "create",
      reason: 'no batch_export "Events to S3"',
      id: null,
      fields: [
        { path: "/name", prior: null, planned: "Events to S3" },
        { path: "/interval", prior: null, planned: "hour" },
        {
          path: "/destination",
          prior: null,
          planned: {
            type: "S3",
            config: {
              bucket_name: "acme",
              region: "eu-central-1",
              exclude_events: ["$feature_flag_called", "$autocapture"],
              aws_secret_access_key: { sensitive: true },
            },
          },
        },
      ],
    }),
    change({
      address: "acme/batch_exports/to-bigquery",
      kind: "batch_export",
      action: "update",
      reason: "destination differs (rotated as asked)",
      fields: [{ path: "/destination/config/private_key", prior: null, planned: { sensitive: true } }],
    }),
    change({
      address: "acme/projects/web/insights/signups",
      kind: "insight",
      name: "Sign-ups per week",
      action: "update",
      reason: "description, query, tags differ",
      id: "70",
      fields: [
        {
          path: "/description",
          prior:
            "Counted once per person.\nFrom the sign-up form only, not from invitations, because those are counted elsewhere.\nOwner: growth",
          planned:
            "Counted once per person.\nFrom the sign-up form and from invitations, because those are counted nowhere else.\nOwner: growth",
        },
        { path: "/query/source/series/0/event", prior: "signed up", planned: "user signed up" },
        { path: "/tags", prior: null, planned: ["growth"] },
      ],
    }),
    change({
      address: "acme/projects/web/insights/retention",
      kind: "insight",
      action: "restore",
      reason: "soft-deleted, or gone from every list: brought back under its id",
      id: "72",
    }),
    change({
      address: "acme/projects/app/insights/funnel",
      kind: "insight",
      action: "unknown",
      reason: "403 on GET /api/projects/3/insights/",
      id: null,
    }),
    change({ address: "acme/domains/lab" }),
    change({ address: "acme/memberships/dan@acme.com", kind: "membership", removable: "state" }),
  ],
  {
    unmanaged: UNMANAGED,
    diagnostics: [
      {
        severity: "error",
        code: "list_denied",
        message: "insights of acme/projects/app could not be listed: 403",
        hint: "give the key the scope insight:read",
        address: "acme/projects/app",
      },
      {
        severity: "warning",
        code: "deprecated",
        message: "dashboards is deprecated",
        file: "acme.yaml",
        line: 12,
        column: 9,
      },
    ],
  },
);

/** A drift report with several types of change. */
export const DRIFT: PlanDocument = plan(
  EVERYTHING.changes.filter(({ address }) => !address.includes("batch_exports") && !address.includes("projects/app")),
  { type: "driftline.drift", unmanaged: UNMANAGED },
);

/** A plan without differences. */
export const CLEAN: PlanDocument = plan(
  [
    change({ removable: "renamed_from" }),
    change({ address: "acme", kind: "organization" }),
    change({ address: "acme/domains/old", removable: "state" }),
    change({ address: "acme/projects/web/insights/old", kind: "insight", removable: "gone" }),
    change({ address: "acme/projects/web/insights/filed", kind: "insight", removable: "_create_in_folder" }),
  ],
  { unmanaged: UNMANAGED },
);

/** Outcomes with every status. */
export const OUTCOMES: OutcomesDocument = outcomes([
  outcome({ address: "acme", kind: "organization", action: "update" }),
  outcome({ action: "create", id: "0190aa11-0000-7000-8000-000000000003" }),
  outcome({
    address: "acme/domains/lab",
    action: "update",
    status: "unverified",
    error: {
      code: "verification_required",
      message: "PATCH /api/organizations/1/domains/2/: 400 verification_required",
      hint: 'Add the DNS record TXT _posthog-challenge.lab.example "x", and apply again.',
    },
  }),
  outcome({
    address: "acme/domains/old",
    action: "delete",
    status: "skipped",
    error: { code: "not_removed", message: "nothing is removed or replaced after a failure" },
  }),
  outcome({
    address: "acme/invites/eve",
    kind: "invite",
    action: "create",
    id: null,
    status: "failed",
    error: {
      code: "scope",
      message: "POST /api/organizations/1/invites/: 403",
      hint: "Give the key the scope organization_member:write.",
    },
  }),
  outcome({
    address: "acme/batch_exports/s3",
    kind: "batch_export",
    action: "create",
    id: null,
    status: "unknown",
    error: {
      code: "outcome_unknown",
      message: "two new objects have this name: ids 7, 8",
      hint: "Remove one of them.",
    },
  }),
  outcome({
    address: "acme/memberships/bob@acme.com",
    kind: "membership",
    action: "delete",
    status: "skipped",
    blocked: blockOf("last_owner"),
    error: { code: "last_owner", message: "refused by the rule last_owner" },
  }),
  outcome({ address: "acme/memberships/dan@acme.com", kind: "membership" }),
  outcome({
    address: "acme/projects/web/insights/mau",
    kind: "insight",
    action: "create",
    id: "70",
    status: "yielded",
    taken_back: "71",
  }),
]);

const LIMITED = { ...blockOf("delete_limit"), detail: "7 of 17 memberships; at most 5" };

/** More removals than are done without approval. */
export const REMOVALS: PlanDocument = plan([
  change({
    action: "update",
    reason: "sso_enforcement differs",
    fields: [{ path: "/sso_enforcement", prior: "", planned: "saml" }],
  }),
  ...["ada", "bob", "carol", "dan", "eve", "fay"].map((name, index) =>
    change({
      address: `acme/memberships/id=${String(index + 7)}`,
      kind: "membership",
      name: `${name}@acme.com`,
      action: "delete",
      reason: `${name === "eve" ? "not yet accepted; " : ""}not declared, and its kind is exclusive`,
      removes: [
        { path: "/level", value: name === "ada" ? 15 : 1 },
        ...(name === "eve"
          ? []
          : [
              { path: "/joined_at", value: `2024-05-0${String(index + 1)}T07:08:09Z` },
              { path: "/is_2fa_enabled", value: index > 2 },
            ]),
      ],
      blocked: LIMITED,
    }),
  ),
  change({
    address: "acme/memberships/greg@acme.com",
    kind: "membership",
    action: "replace",
    reason: "level differs; sends an e-mail",
    fields: [{ path: "/level", prior: 8, planned: 15 }],
    blocked: LIMITED,
  }),
  change({
    address: "acme/domains/kept",
    action: "delete",
    reason: "declared absent",
    removes: [
      { path: "/domain", value: "kept.example" },
      { path: "/jit_provisioning_enabled", value: true },
      { path: "/saml_x509_cert", value: "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----" },
      { path: "/scim_token", value: { sensitive: true } },
    ],
    blocked: blockOf("protect"),
  }),
]);
