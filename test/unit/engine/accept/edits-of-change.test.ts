/** Which parts of a difference get into a file. */
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../src/model/json/json.ts";
import { acceptOne, insight, type Row } from "./support.ts";

const INVITE = { id: "i", target_email: "ada@acme.com", level: 8, first_name: "Ada", is_expired: false };

const exported = (name: string, declared: string, live: JsonObject, text: string): Row => [
  name,
  "batch_export",
  `{ name: E, interval: hour, ${declared} }`,
  { id: "b", name: "E", interval: "hour", paused: false, ...live },
  `{ name: E, interval: hour, ${text} }`,
];

const http = (config: JsonObject): JsonObject => ({ destination: { type: "HTTP", config } });
const S3 = { bucket_name: "b", region: "r", prefix: "p" };
/** A service that refuses a change of the model in place. */
const TODAY = { model: "events", primary_key: null, timezone: "UTC", offset_day: null, offset_hour: null };

const rows: readonly Row[] = [
  insight(
    "a query that hides declared filters takes their place",
    "filters: { insight: TRENDS, a: 1 }",
    { filters: {}, query: { kind: "T" } },
    "query: { kind: T }",
  ),
  insight(
    "and the fields beside them are accepted as well",
    "description: a, filters: { insight: TRENDS, a: 1 }",
    { description: "b", filters: {}, query: { kind: "T" } },
    "description: b, query: { kind: T }",
  ),
  insight(
    "a field without a name of ours goes if the service has it no more",
    "extra_fields: { color: red, size: 1 }",
    { color: "blue" },
    "extra_fields: { color: blue }",
  ),
  insight(
    "a live key that others added below a declared field stays theirs",
    "filters: { a: 1 }",
    { filters: { a: 2, b: 3 } },
    "filters: { a: 2 }",
  ),
  exported(
    "a default that the file does not have becomes a line of it, where an export writes it",
    "destination: { type: HTTP, config: { url: u } }",
    { ...http({ url: "u" }), paused: true },
    "paused: true, destination: { type: HTTP, config: { url: u } }",
  ),
  exported(
    "a secret that no read shows stays beside a setting that differs",
    'destination: { type: HTTP, config: { url: u, token: "${secret:TOKEN}" } }',
    http({ url: "v" }),
    'destination: { type: HTTP, config: { url: v, token: "${secret:TOKEN}" } }',
  ),
  exported(
    "a secret that no read shows stays where a new object would get it",
    'model: persons, destination: { type: HTTP, config: { url: u, token: "${secret:TOKEN}" } }',
    { ...http({ url: "u" }), ...TODAY },
    'model: events, destination: { type: HTTP, config: { url: u, token: "${secret:TOKEN}" } }',
  ),
  exported(
    "a destination of another type takes its settings along",
    "destination: { type: HTTP, config: { url: u } }",
    { destination: { type: "Postgres", config: { user: "u", host: "h" } } },
    "destination: { type: Postgres, config: { host: h, user: u } }",
  ),
  exported(
    "what the service has converted is declared in its new form, though nothing else differs",
    'destination: { type: S3, config: { bucket_name: b, region: r, prefix: p, endpoint_url: "https://a.example" } }',
    { destination: { type: "AwsS3", config: S3 } },
    "destination: { type: AwsS3, config: { bucket_name: b, region: r, prefix: p } }",
  ),
  exported(
    "and with what differs",
    'destination: { type: S3, config: { bucket_name: b, region: r, prefix: p, endpoint_url: "https://a.example" } }',
    { destination: { type: "AwsS3", config: { ...S3, region: "q" }, integration: 7 } },
    "destination: { type: AwsS3, config: { bucket_name: b, region: q, prefix: p }, integration: 7 }",
  ),
  exported(
    "what the service sets itself is left out of a replaced object",
    "model: persons, destination: { type: HTTP, config: { url: u } }",
    { ...http({ url: "u" }), ...TODAY, last_paused_at: "2026-01-01T00:00:00Z" },
    "model: events, destination: { type: HTTP, config: { url: u } }",
  ),
  [
    "undeclared values that a replaced object keeps are left out",
    "invite",
    "{ target_email: ada@acme.com, level: member }",
    INVITE,
    "{ target_email: ada@acme.com, level: admin }",
  ],
];

const undeclared: readonly Row[] = [
  exported(
    "a setting that somebody added has the type of its schema",
    "destination: { type: S3, config: { bucket_name: b } }",
    { destination: { type: "S3", config: { bucket_name: "b", use_virtual_style_addressing: "True" } } },
    "destination: { type: S3, config: { bucket_name: b, use_virtual_style_addressing: true } }",
  ),
  exported(
    "a setting that somebody added is declared, and none with the name of a secret",
    "destination: { type: Postgres, config: { database: d } }",
    { destination: { type: "Postgres", config: { database: "d", schema: "s", password: "t" } } },
    "destination: { type: Postgres, config: { database: d, schema: s } }",
  ),
];

describe("of a difference", () => {
  it.each(rows)("%s", async (_name, kind, declared, live, text) => {
    const accepted = await acceptOne({ kind, declared, live: [live] });
    expect([accepted.text.replaceAll(/\s+/gu, " "), accepted.diagnostics]).toEqual([text, []]);
  });
});

it.each(undeclared)("of undeclared values: %s", async (_name, kind, declared, live, text) => {
  const accepted = await acceptOne({ kind, declared, live: [live], top: "undeclared: report\n" });
  expect([accepted.text.replaceAll(/\s+/gu, " "), accepted.diagnostics]).toEqual([text, []]);
});
