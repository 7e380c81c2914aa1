import { describe, expect, it } from "vitest";
import { createRedactor } from "../../../src/api/redact/redact.ts";
import { registerResourceSecrets } from "../../../src/engine/required-secrets.ts";
import type { JsonObject } from "../../../src/model/json/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";

const s3 = (config: JsonObject): JsonObject => ({ destination: { type: "S3", config } });

const rows: readonly (readonly [string, KindName, JsonObject, secrets: readonly string[]])[] = [
  ["a field that is secret by its schema", "batch_export", s3({ aws_secret_access_key: "hush-hush" }), ["hush-hush"]],
  ["a short secret", "batch_export", s3({ aws_secret_access_key: "hush" }), ["hush"]],
  ["a secret that looks like a mask", "batch_export", s3({ aws_secret_access_key: "pa***word" }), ["pa***word"]],
  ["a secret that is secret only in one type of destination", "batch_export", typed("Snowflake"), ["key-text"]],
  ["a secret by its name in a free-form field", "insight", { filters: { deep: { api_key: "k-1234" } } }, ["k-1234"]],
  [
    "a list under the name of a secret",
    "insight",
    { filters: { tokens: 1, password: ["one-1", "two-2"] } },
    ["one-1", "two-2"],
  ],
  ["an object in a list", "insight", { query: { series: [{ access_token: "t-1234" }] } }, ["t-1234"]],
  ["everything below the name of a secret", "insight", { filters: { credential: { user: "u-1234" } } }, ["u-1234"]],
  ["a number under the name of a secret", "insight", { filters: { password: 12_345 } }, ["12345"]],
  ["no other text", "insight", { name: "Signups", filters: { events: ["signed up"], key: "plain" } }, []],
  ["no flag and no null", "insight", { filters: { password: true, api_key: null } }, []],
];

function typed(type: string): JsonObject {
  return { destination: { type, config: { account: "acme", private_key: "key-text" } } };
}

describe("the secrets of one resource", () => {
  it.each(rows)("are %s", (_name, kind, values, secrets) => {
    const added: string[] = [];
    const redactor = { ...createRedactor(), add: (secret: string) => void added.push(secret) };
    const resource = { address: "one", kind, scope: "acme", name: "one", values, lifecycle: {}, position: {} };
    registerResourceSecrets(redactor, resource);
    expect(added).toEqual(secrets);
  });
});
