import { describe, expect, it } from "vitest";
import { validators } from "../../../src/generated/validators.ts";

const UUID = "0190aa11-0000-0000-0000-000000000001";
const destination = (type: string, config: object): object => ({ destination: { type, config } });

type Name = keyof typeof validators;

const ACCEPTED: readonly (readonly [string, Name, object])[] = [
  ["nothing at all", "organization", {}],
  ["a pinned organization", "organization", { id: UUID }],
  ["a third state", "organization", { enforce_2fa: null }],
  ["64 characters, not UTF-16 units", "organization", { name: "\u{1f994}".repeat(64) }],
  ["a domain", "domain", { domain: "sub.acme-corp.com", sso_enforcement: "saml", jit_provisioning_enabled: true }],
  ["a cleared text", "domain", { saml_entity_id: null }],
  ["a level by number", "membership", { level: 8 }],
  ["a level by name", "membership", { level: "admin" }],
  ["an invite", "invite", { target_email: "carol.o'neil+test@acme.co.uk", level: 15, message: null }],
  ["an address in upper case", "invite", { target_email: "Carol@ACME.com" }],
  ["UTC", "batch_export", { start_at: "2026-02-01T00:00:00Z" }],
  ["an offset and a fraction", "batch_export", { start_at: "2026-02-01T00:00:00.123456+02:00" }],
  ["no zone", "batch_export", { end_at: "2026-02-28T23:59:59" }],
  ["minutes", "batch_export", { interval: "every 15 minutes" }],
  ["no model", "batch_export", { model: null }],
  ["settings beyond the known ones", "batch_export", destination("S3", { bucket_name: "b", spell: { deep: [1] } })],
  ["settings that are not complete", "batch_export", destination("BigQuery", {})],
  [
    "settings as read back, in text",
    "batch_export",
    destination("Postgres", { port: "5432", has_self_signed_cert: "False" }),
  ],
  ["a type that is not known here", "batch_export", destination("Carrier pigeon", { coop: 7 })],
  ["an empty plugin type", "pipeline_destination", { plugin_type: "", config_schema: [], url: "https://a.example" }],
  ["a pin as number", "pipeline_import_app", { id: 12 }],
  ["a pin as text", "pipeline_frontend_app", { id: "12" }],
  ["a free-form query", "insight", { short_id: "aB3dE6gH", query: { kind: "x", any: [{ depth: null }] }, tags: [] }],
  [
    "every lifecycle key",
    "lifecycle",
    { state: "absent", create: true, protect: false, ignore: ["name"], renamed_from: "Old", renew: true, forget: true },
  ],
];

const REFUSED: readonly (readonly [string, Name, object, string])[] = [
  ["an unknown key", "organization", { nmae: "Acme" }, " additionalProperties"],
  ["a read-only field", "organization", { slug: "acme" }, " additionalProperties"],
  ["65 characters", "organization", { name: "a".repeat(65) }, "/name maxLength"],
  ["a blank name", "organization", { name: "  " }, "/name pattern"],
  ["an id that is no UUID", "organization", { id: "acme" }, "/id format"],
  ["text for a boolean", "organization", { enforce_2fa: "yes" }, "/enforce_2fa type"],
  ["a domain in upper case", "domain", { domain: "Acme.com" }, "/domain pattern"],
  ["a domain without a dot", "domain", { domain: "localhost" }, "/domain pattern"],
  ["null where there is none", "domain", { sso_enforcement: null }, "/sso_enforcement type"],
  ["a level by another name", "membership", { level: "boss" }, "/level enum"],
  ["a level that does not exist", "member", { level: 3 }, "/level enum"],
  ["an e-mail in a membership", "membership", { email: "a@acme.com" }, " additionalProperties"],
  ["an address without a host", "invite", { target_email: "carol" }, "/target_email format"],
  ["an address with a space", "invite", { target_email: "ca rol@acme.com" }, "/target_email format"],
  ["a month too many", "batch_export", { start_at: "2026-13-01T00:00:00Z" }, "/start_at format"],
  ["30 February", "batch_export", { start_at: "2026-02-30T00:00:00Z" }, "/start_at format"],
  ["hour 24", "batch_export", { end_at: "2026-02-01T24:00:00Z" }, "/end_at format"],
  ["a date alone", "batch_export", { end_at: "2026-02-01" }, "/end_at format"],
  ["an unknown interval", "batch_export", { interval: "minute" }, "/interval pattern"],
  ["an unknown model", "batch_export", { model: "people" }, "/model enum"],
  ["a destination without a type", "batch_export", { destination: { config: {} } }, "/destination required"],
  ["a destination without config", "batch_export", { destination: { type: "S3" } }, "/destination required"],
  ["a blank type", "batch_export", destination(" ", {}), "/destination/type pattern"],
  [
    "a destination with more",
    "batch_export",
    { destination: { type: "S3", config: {}, bucket: "" } },
    "/destination additionalProperties",
  ],
  [
    "a wrong setting",
    "batch_export",
    destination("S3", { region: 3 }),
    "/destination/config/region type, /destination if",
  ],
  [
    "text for a port",
    "batch_export",
    destination("Redshift", { port: "http" }),
    "/destination/config/port pattern, /destination if",
  ],
  ["an unknown plugin type", "pipeline_import_app", { plugin_type: "weird" }, "/plugin_type enum"],
  ["a pin that is no number", "pipeline_destination", { id: "twelve" }, "/id pattern"],
  ["the soft-delete flag", "insight", { deleted: true }, " additionalProperties"],
  ["a name of 401", "insight", { name: "a".repeat(401) }, "/name maxLength"],
  ["a tag that is no text", "insight", { tags: ["a", 1] }, "/tags/1 type"],
  ["filters as a list", "insight", { filters: [] }, "/filters type"],
  ["two faults at once", "insight", { saved: 1, order: "first" }, "/order type, /saved type"],
  ["another state", "lifecycle", { state: "present" }, "/state enum"],
  ["an unknown lifecycle key", "lifecycle", { prevent_destroy: true }, " additionalProperties"],
];

describe("validators", () => {
  it.each(ACCEPTED)("accept %s (%s)", (_, name, value) => {
    const validate = validators[name];
    expect(validate(value) ? [] : validate.errors).toEqual([]);
  });

  it.each(REFUSED)("refuse %s (%s)", (_, name, value, expected) => {
    const validate = validators[name];
    expect(validate(value)).toBe(false);
    const found = (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`);
    expect(found.join(", ")).toBe(expected);
  });
});
