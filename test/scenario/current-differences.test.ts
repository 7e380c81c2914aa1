/** Every row of the table of what old declarations do on today's service has a test, whose name begins with the row's first column. */
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";

/** Outside the project: no part of it may be committed. */
const TABLE = new URL("../../../shared/interface/current-differences.md", import.meta.url);
const table = await readFile(TABLE, "utf8").catch(() => undefined);

const HEADS = new Set(["declared or done", "old handling"]);

/** The first columns by section, and the file of their tests. */
const ROWS: readonly (readonly [section: string, file: string, rows: readonly string[]])[] = [
  [
    "Organizations",
    "organization",
    [
      "is_member_join_email_enabled",
      "enforce_2fa, changed, without the plan",
      "enforce_2fa, same value",
      "name",
      "create",
      "delete",
      "delete with an active subscription (Cloud)",
      "second delete",
      "any request while deactivated",
      "new: 14 further settings",
      "new: enforce_verified_domains true with declared people, invites outside the domains",
      "key of a user who is blocked",
      "key of a plain member, members_can_see_org_members false",
    ],
  ],
  [
    "Domains",
    "people",
    [
      "saml_entity_id, saml_acs_url, saml_x509_cert",
      "has_saml read",
      "jit_provisioning_enabled, sso_enforcement on create",
      "the same while unverified",
      "domain renamed",
      "create on Cloud without the feature",
      "delete of a verified domain under enforcement",
      "replace (delete, create)",
    ],
  ],
  [
    "Invites and members",
    "people",
    [
      "invite create",
      "upper-case address",
      "invite twice",
      "address with a plus sign",
      "address outside enforced domains",
      "delete with a plain member's key",
      "private_project_access on the live invite",
      "member level",
      "member order parameter other than joined_at",
      "a delegated setup invite in the list",
    ],
  ],
  [
    "Batch exports",
    "exports",
    [
      "destination type S3 with inline keys, create",
      "existing declaration with type S3",
      "inline keys in AwsS3, S3Compatible, Snowflake",
      "inline keys in Postgres, Redshift, BigQuery, create",
      "same, update of an old export",
      "endpoint_url on S3Compatible",
      "Databricks, AzureBlob",
      "HTTP",
      "NoOp",
      "type change",
      "model change (events to persons)",
      "model: null",
      "hogql_query with model events",
      "`schema` comparison for the query",
      "config numbers and booleans read as strings",
      "live config has legacy_parquet_extension",
      "live timezone, offset_day, offset_hour, filters, hogql_modifiers, primary_key, version_key, incremental_mode not declared",
      "PATCH of interval alone, week to day or hour",
      "PATCH with offsets only",
      "offset declared null, read 0",
      "removing a config key",
      "last_paused_at, start_at, end_at",
      "pause, unpause",
      "backfill action",
      "429 too_many_concurrent_backfills",
      "organization route",
      "runs",
    ],
  ],
  ["Plugins", "exports", ["list, get, patch, delete", "routes removed one day", "plugin:read in a key's needs"]],
  [
    "Insights",
    "insights",
    [
      "`filters` only, create or update",
      "`filters: {}` sent with something else",
      "filters beside query",
      "create without query (an empty insight)",
      "query: null or {}",
      "bare TrendsQuery, HogQLQuery and the like",
      "saved: false",
      "saved not declared",
      "dashboards",
      "dashboards not in the answer",
      "delete",
      "restore",
      "query to a kind without alerts",
      "replace of an insight",
      "list with created_by=5",
      "basic=true for reading",
      "path id short_id",
      "trend, funnel",
      ":id/viewed",
      "tags, favorited, name, description",
      "header x-posthog-client: mcp",
    ],
  ],
  [
    "Errors and the like",
    "errors",
    ["402 expected for plan limits", "403 = scope or rights", "429 = wait", "unknown live field = ignore"],
  ],
];

describe.each(ROWS)("%s", (_section, file, rows) => {
  it.each(rows)("%s: has a test", async (row) => {
    const tests = await readFile(new URL(`current-differences-${file}.test.ts`, import.meta.url), "utf8");
    expect([`"${row}"`, `"${row}: `].some((title) => tests.includes(title))).toBe(true);
  });
});

it.skipIf(table === undefined)("there is no other row", () => {
  const cells = (table ?? "").split("\n").flatMap((line) => /^\| (.+?) \|/u.exec(line)?.[1] ?? []);
  const rows = cells.filter((cell) => !HEADS.has(cell));
  const plain = rows.map((row) => row.replaceAll("**", "").replace(/ \(\d+\)$/u, ""));
  expect(plain).toEqual(ROWS.flatMap(([, , names]) => names));
});
