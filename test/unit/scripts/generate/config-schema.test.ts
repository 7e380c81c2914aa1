import { readFile } from "node:fs/promises";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { EDITOR_KEYWORDS, FORMATS } from "../../../../scripts/generate/formats.ts";
import type { Config } from "../../../../src/generated/types.ts";

const text = await readFile(new URL("../../../../schemas/config.schema.json", import.meta.url), "utf8");
const ajv = new Ajv({
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  formats: FORMATS,
  keywords: EDITOR_KEYWORDS,
});
const validate = ajv.compile(JSON.parse(text) as object);

const EXAMPLE = `
driftline: 1
x-defaults: &defaults { protect: true }
variables: { region: eu-central-1 }
service: { url: https://eu.posthog.com, self: robot@acme.com }
organizations:
  acme:
    id: 0190aa11-0000-0000-0000-000000000001
    name: Acme Inc
    enforce_2fa: true
    exclusive: [domains]
    domains:
      corp: { domain: acme.com, jit_provisioning_enabled: true, sso_enforcement: saml }
    memberships:
      ada@acme.com: { level: admin }
      bob@acme.com: { lifecycle: { state: absent } }
    invites:
      carol: { target_email: carol@acme.com, level: member, message: Welcome }
    members:
      dan@acme.com: { level: 15 }
    batch_exports:
      events-to-s3:
        name: Events to S3
        model: events
        interval: hour
        destination:
          type: S3
          config: { bucket_name: acme, region: "\${var:region}", prefix: e/, aws_secret_access_key: "\${secret:AWS_SECRET}" }
    pipeline_destinations:
      later:
    pipeline_frontend_apps: {}
    pipeline_import_apps:
    projects:
      "2":
      web:
        id: 2
        insights:
          signups:
            name: Signups per week
            query: { kind: InsightVizNode }
            tags: [growth]
            lifecycle: { <<: *defaults, ignore: [description], renamed_from: Signups }
          pinned: { short_id: aB3dE6gH, saved: "\${var:saved}", order: "\${var:order}" }
`;

// The same in TypeScript: that it compiles is the test.
const TYPED: Config = {
  driftline: 1,
  "x-defaults": { protect: true },
  organizations: {
    acme: {
      id: "0190aa11-0000-0000-0000-000000000001",
      memberships: { "ada@acme.com": { level: "admin" }, "bob@acme.com": { lifecycle: { state: "absent" } } },
      batch_exports: {
        events: {
          name: "Events",
          interval: "hour",
          destination: { type: "S3", config: { bucket_name: "b", region: "r", prefix: "p", extra: 1 } },
        },
      },
      projects: { web: { id: 2, insights: { pinned: { short_id: "aB3dE6gH", tags: ["growth"] } } } },
    },
  },
};

describe("config schema", () => {
  it("is complete in itself", () => {
    const targets = [...text.matchAll(/"\$ref": "([^"]+)"/g)].map((match) => match[1] ?? "");
    const { definitions } = JSON.parse(text) as { definitions: object };
    expect(targets.filter((target) => !(target.replace("#/definitions/", "") in definitions))).toEqual([]);
  });

  it("accepts the documented example", () => {
    validate(parse(EXAMPLE, { merge: true }));
    expect(validate.errors ?? []).toEqual([]);
  });

  it("accepts what the types accept", () => {
    expect(validate(TYPED)).toBe(true);
  });

  it.each([
    ["a destination without what no export can show", exportTo("Postgres", "host: h, database: d")],
    ["another one", exportTo("HTTP", "url: https://acme.com")],
    ["an organization whose lifecycle holds nothing", inAcme("lifecycle:")],
    ["a project whose id is no number", inAcme("projects: { web: { id: prj-1 } }")],
    ["a service without content", "driftline: 1\nservice:\n"],
    ["a resource whose lifecycle holds nothing", inAcme("domains: { corp: { domain: acme.com, lifecycle: } }")],
  ])("accepts %s", (_, yaml) => {
    validate(parse(yaml));
    expect(validate.errors ?? []).toEqual([]);
  });

  it.each([
    ["no version", "organizations: {}"],
    ["another version", "driftline: 2"],
    ["an unknown key at the top", "driftline: 1\norganisations: {}"],
    ["an organization that nothing names", "driftline: 1\norganizations: { acme: { enforce_2fa: true } }"],
    ["a domain without its domain", inAcme("domains: { corp: { sso_enforcement: saml } }")],
    ["a read-only field", inAcme("domains: { corp: { domain: acme.com, is_verified: true } }")],
    ["an unknown level", inAcme("memberships: { a@acme.com: { level: boss } }")],
    [
      "a destination without config",
      inAcme("batch_exports: { e: { name: E, interval: hour, destination: { type: S3 } } }"),
    ],
    ["a destination without what every export shows", exportTo("Postgres", "host: h, user: u, password: p")],
    ["deleted of an insight", inAcme("projects: { web: { insights: { i: { name: I, deleted: true } } } }")],
    ["an exclusive collection that does not exist", inAcme("exclusive: [insights]")],
    ["an unknown lifecycle key", inAcme("lifecycle: { keep: true }")],
  ])("refuses %s", (_, yaml) => {
    expect(validate(parse(yaml))).toBe(false);
  });
});

function exportTo(type: string, config: string): string {
  return inAcme(
    `batch_exports: { e: { name: E, interval: hour, destination: { type: ${type}, config: { ${config} } } } }`,
  );
}

function inAcme(line: string): string {
  return `driftline: 1\norganizations:\n  acme:\n    name: Acme\n    ${line}\n`;
}
