/**
 * Random organizations as seeds of the emulator; the fields of each kind serve configurations as well.
 *
 * Terms: a seed is portable where an export without ids can say everything about it. Left out of portable seeds:
 * addresses that cannot be declared, projects and plugins that differ only by id, and values that a create does
 * not take.
 */
import * as fc from "fast-check";
import type { Seed, SeedOrganization, SeedProject } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/emulator/json.ts";

const AWKWARD_LINES = [
  "# c",
  "a: b",
  "a #b",
  "- x",
  " lead",
  "trail ",
  "tab\tx",
  "a\nb",
  "a\n",
  " \n x\n\n",
  "a\r\nb",
  "\r",
  "# x\n# y",
  "\u00a0x",
  "\u2028",
  "\ufeffx",
];
/** What YAML, substitution, or a table might take for something else. */
export const AWKWARD: readonly string[] = [
  ..."~ null yes No true 1e3 0o7 1_000 12:30:45 2024-01-01 .inf --- ... << = [x] {x} !tag &a *a | > %x @x `x ' \"".split(
    " ",
  ),
  ..."\\ ${ $${ ${secret:X} ${var:x $ a$ $${env:HOME} $$${x} __proto__ constructor toString a/b~1c~0d hidden <b>".split(
    " ",
  ),
  ..."\u0000 \u0007 \u007f \u0085x \u{1f600} 日本語 Zoë Zoe\u0308".split(" "),
  ...AWKWARD_LINES,
];

/** Keys under which a service keeps secrets, by the words that people use for them. */
export const SECRET_KEYS = ["api_key", "auth_token", "webhook_secret", "password", "authToken"] as const;
/** Settings of destinations that are secrets by their schema, or by their name. */
export const SECRET_SETTINGS: ReadonlySet<string> = new Set([
  ...SECRET_KEYS,
  "user",
  "aws_access_key_id",
  "aws_secret_access_key",
  "private_key",
  "private_key_id",
  "token_uri",
  "client_email",
  "token",
]);

const anyText = fc.oneof(fc.constantFrom(...AWKWARD), fc.string(), fc.string({ unit: "binary" }), fc.constant(""));

/** Any text of at most `max` UTF-16 units. */
export function textUpTo(max: number): fc.Arbitrary<string> {
  return anyText.filter((value) => value.length <= max);
}

/** Sometimes the name of another object. */
export const nameText = fc
  .oneof(fc.constantFrom("Signups", "Events to S3", "日本", "2024", "signups", "${x}"), textUpTo(60))
  .filter((value) => value.trim() !== "");

const numbers = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  fc.constantFrom(2 ** 53, 1e21, 5e-324, 0.1),
);
const SECRETISH = /secret|pass|key|token|credential|authorization/i;
const plainKey = fc
  .oneof(fc.constantFrom("version", "kind", "a/b", "~", "0"), textUpTo(20))
  .filter((key) => !SECRETISH.test(key));

/** Any JSON without keys that look like secrets. */
export const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    textUpTo(40),
    numbers,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("object"),
  ),
  object: fc.dictionary(plainKey, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

/** The values that services show instead of secrets. */
export const MASK = "********";
const secretText = fc.constantFrom("hush-hush-1", "hush-hush-2 with blanks", MASK);
const secretMember = fc
  .tuple(fc.constantFrom(...SECRET_KEYS), secretText)
  .map(([key, value]): JsonObject => ({ [key]: value }));

/** Free-form settings: any JSON, with a secret in some. */
export const freeForm: fc.Arbitrary<JsonObject> = fc
  .tuple(json.object, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: secretMember }))
  .map(([object, secret]) => ({ ...object, ...secret }));

const nullable = <T>(inner: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.oneof(fc.constant(null), inner);
const moment = nullable(fc.constantFrom("2024-01-01T00:00:00Z", "2025-12-31T23:59:59Z", "2024-02-29T12:00:00.123000Z"));
const level = fc.constantFrom(1, 8, 15);

function settings(
  type: string,
  known: Readonly<Record<string, fc.Arbitrary<Json>>>,
  required: readonly string[],
): fc.Arbitrary<JsonObject> {
  const config = fc.record(known, { requiredKeys: [...required], noNullPrototype: true });
  const stray = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: freeForm });
  return fc.tuple(config, stray).map(([own, more]) => ({ type, config: { ...more, ...own } }));
}

const word = textUpTo(20).filter((value) => value.trim() !== "");
const S3 = {
  bucket_name: word,
  region: word,
  prefix: textUpTo(20),
  aws_access_key_id: secretText,
  aws_secret_access_key: secretText,
};
const POSTGRES = {
  host: word,
  database: word,
  user: secretText,
  password: secretText,
  port: fc.integer({ min: 1, max: 65_535 }),
  has_self_signed_cert: fc.boolean(),
};

/** Destinations of known types and of an unknown type, with unknown settings. */
export const destination: fc.Arbitrary<JsonObject> = fc.oneof(
  settings("S3", S3, ["bucket_name", "region", "prefix"]),
  settings("Postgres", POSTGRES, ["host", "database"]),
  settings("NoOp", {}, []),
  settings("HTTP", { url: fc.constant("https://sink.acme.com/${x}"), token: secretText }, ["url"]),
  freeForm.map((config): JsonObject => ({ type: "Newest", config })),
);

/** The writable fields of each kind as a service may hold them, including those that identify objects. */
export const fieldsOf = {
  domain: fc
    .record({
      domain: fc.constantFrom("acme.com", "a-b.io", "b-c-d.example", "sub.acme.co.uk", "1.acme.com"),
      jit_provisioning_enabled: fc.boolean(),
      sso_enforcement: fc.oneof(fc.constantFrom("", "saml", "google-oauth2"), textUpTo(28)),
      saml_entity_id: nullable(textUpTo(60)),
      saml_acs_url: nullable(textUpTo(60)),
      saml_x509_cert: nullable(
        fc.oneof(fc.constant("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"), textUpTo(60)),
      ),
    })
    // SAML without a provider would lock people out, so that no plan writes it.
    .map((row) =>
      row.sso_enforcement === "saml" && (!row.saml_entity_id || !row.saml_acs_url || !row.saml_x509_cert)
        ? { ...row, sso_enforcement: "" }
        : row,
    ),
  identity_provider_config: fc.record({
    name: nameText,
    domain_scope: fc.constantFrom("all", "selected", "", null),
    config_scope: fc.constantFrom("saml", "scim", "xaa", "", null),
    organization_domain_ids: fc.uniqueArray(fc.uuid(), { maxLength: 3 }),
    saml_entity_id: nullable(textUpTo(60)),
    saml_acs_url: nullable(fc.constantFrom("", "https://idp.acme.com/sso", "https://idp.acme.com/")),
    saml_x509_cert: nullable(textUpTo(60)),
    scim_enabled: fc.boolean(),
    id_jag_issuer_url: nullable(fc.constantFrom("https://idp.acme.com", "https://idp.acme.com/jag//")),
    id_jag_jwks_url: nullable(fc.constant("https://idp.acme.com/keys")),
    id_jag_allowed_clients: fc.uniqueArray(textUpTo(20), { maxLength: 3 }),
  }),
  person: fc.record({ level, first_name: textUpTo(30), message: nullable(textUpTo(100)) }),
  batch_export: fc.record({
    name: nameText,
    model: fc.constantFrom("events", "persons", null),
    destination,
    interval: fc.constantFrom("hour", "day", "week", "every 5 minutes"),
    paused: fc.boolean(),
    start_at: moment,
    end_at: moment,
    last_paused_at: moment,
    hogql_query: nullable(fc.constantFrom("select 1", "select '${x}'\nfrom events", "select 日本")),
  }),
  plugin: fc.record({
    plugin_type: fc.constantFrom("source", "custom", "inline", null, ""),
    name: nullable(nameText),
    description: nullable(textUpTo(60)),
    url: fc.constantFrom(null, null, "https://github.com/acme/plugin", "https://gitlab.com/a/b?private_token=hush"),
    icon: nullable(textUpTo(60)),
    config_schema: fc.oneof(freeForm, fc.array(freeForm, { maxLength: 2 })),
    tag: nullable(textUpTo(20)),
    is_global: fc.boolean(),
    capabilities: fc.oneof(json.object, fc.constantFrom({ methods: ["onEvent"] }, { methods: ["processEvent"] })),
    metrics: json.object,
    public_jobs: json.object,
  }),
  insight: fc.record({
    name: fc.oneof({ weight: 5, arbitrary: nameText }, { weight: 1, arbitrary: fc.constantFrom(null, "", " ") }),
    derived_name: nullable(textUpTo(60)),
    description: nullable(textUpTo(100)),
    filters: freeForm,
    query: nullable(freeForm),
    order: nullable(fc.integer({ min: 0, max: 1000 })),
    dashboards: fc.uniqueArray(fc.integer({ min: 1, max: 5 }), { maxLength: 3 }),
    tags: fc.uniqueArray(
      fc.oneof(
        fc.constantFrom("growth", "Team A"),
        textUpTo(30).filter((tag) => tag !== ""),
      ),
      { maxLength: 3 },
    ),
    favorited: fc.boolean(),
    saved: fc.boolean(),
  }),
} as const;

/** E-mail addresses that differ by more than case. */
export const EMAILS = [
  "ada@acme.com",
  "Bob@Acme.com",
  "o'neil+x@acme.co.uk",
  "dan.d@sub.acme.com",
  "eve_1@xn--bcher.example",
  "f@a-b.io",
] as const;
export const GROUPS = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"] as const;

const many = <T>(inner: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> => fc.array(inner, { maxLength });

const invite = fc
  .tuple(fc.constantFrom(...EMAILS), fieldsOf.person, fc.boolean())
  .map(([target_email, person, expired]): JsonObject => ({
    target_email,
    ...person,
    ...(expired ? { created_at: "2020-01-01T00:00:00Z" } : {}),
  }));

const seededInsight = fc
  .tuple(fieldsOf.insight, fc.boolean())
  .map(([fields, deleted]): JsonObject => ({ ...fields, deleted: deleted && fields.favorited }));

function seedProject(name: fc.Arbitrary<string>): fc.Arbitrary<SeedProject> {
  return fc.record({ name, batch_exports: many(fieldsOf.batch_export), insights: many(seededInsight, 5) });
}

type Plugin = { readonly group: (typeof GROUPS)[number]; readonly fields: JsonObject };

const seededPlugins = (isPortable: boolean): fc.Arbitrary<readonly Plugin[]> => {
  const one = fc.record({ group: fc.constantFrom(...GROUPS), fields: fieldsOf.plugin });
  if (!isPortable) return many(one, 5);
  const named = one.filter(({ fields }) => typeof fields["name"] === "string" && fields["url"] === null);
  return fc.uniqueArray(named, { maxLength: 4, selector: ({ fields }) => String(fields["name"]).trim() });
};

function organizationSeed(isPortable: boolean): fc.Arbitrary<SeedOrganization> {
  const names = isPortable ? fc.uniqueArray(nameText, { minLength: 2, maxLength: 2 }) : fc.tuple(nameText, nameText);
  const emails = isPortable ? fc.constantFrom(...EMAILS) : fc.constantFrom(...EMAILS, "root@localhost");
  return fc
    .record({
      name: nameText,
      enforce_2fa: fc.constantFrom(null, true, false),
      is_member_join_email_enabled: fc.boolean(),
      names,
      projects: fc.tuple(seedProject(fc.constant("")), seedProject(fc.constant(""))),
      members: fc.uniqueArray(fc.record({ email: emails, level }), { maxLength: 3, selector: ({ email }) => email }),
      invites: many(invite, 4),
      domains: fc.uniqueArray(fieldsOf.domain, { maxLength: 3, selector: ({ domain }) => domain }),
      batch_exports: many(fieldsOf.batch_export),
      plugins: seededPlugins(isPortable),
    })
    .map(({ names: [first = "", second = ""], projects, plugins, ...rest }) => ({
      ...rest,
      projects: projects.map((project, index) => ({ ...project, id: 20 + index, name: index === 0 ? first : second })),
      ...Object.fromEntries(
        GROUPS.map((group) => [group, plugins.filter((one) => one.group === group).map(({ fields }) => fields)]),
      ),
    }));
}

/** One organization, or two that may differ only by id, and one of another owner. */
export const seeds: fc.Arbitrary<Seed> = fc
  .tuple(organizationSeed(false), fc.boolean())
  .map(([one, twice]) => ({
    organizations: [
      one,
      ...(twice ? [{ name: one.name, projects: [{ name: "Web" }] }] : []),
      { name: one.name, foreign: true },
    ],
  }));

/** The settings of an organization that only today's service has. Verified domains are not enforced: that would lock out the key. */
const settingsOfToday = fc.record({
  members_can_invite: nullable(fc.boolean()),
  members_can_create_projects: nullable(fc.boolean()),
  members_can_see_org_members: fc.boolean(),
  allow_publicly_shared_resources: fc.boolean(),
  read_only_mcp_access: nullable(fc.boolean()),
  is_ai_training_opted_in: nullable(fc.boolean()),
  default_experiment_stats_method: fc.constantFrom("bayesian", "frequentist", "", null),
  default_anonymize_ips: fc.boolean(),
  default_role_id: nullable(fc.uuid()),
});

const INTEGRATION = { id: 7, kind: "aws-s3" };
const BUCKET = { bucket_name: word, region: word, prefix: word, legacy_parquet_extension: fc.boolean() };

/** An export with fields that only today's service has. */
const exportOfToday = fc
  .record({
    name: nameText,
    destination: settings("AwsS3", BUCKET, Object.keys(BUCKET)).map((one) => ({ ...one, integration: INTEGRATION.id })),
    interval: fc.constantFrom("week", "day"),
    timezone: fc.constantFrom("UTC", "Europe/Berlin"),
    offset_hour: nullable(fc.integer({ min: 0, max: 23 })),
    filters: nullable(fc.constant([{ key: "plan", type: "event", operator: "exact", value: ["pro"] }])),
  })
  .map((fields): JsonObject => ({ ...fields, offset_day: fields.interval === "week" ? 2 : null }));

/** The same with what only today's service has. */
export const seedsOfToday: fc.Arbitrary<Seed> = fc
  .record({
    seed: seeds,
    more: settingsOfToday,
    identity_provider_configs: many(fieldsOf.identity_provider_config),
    batch_exports: many(exportOfToday),
  })
  .map(({ seed: { organizations }, more, identity_provider_configs, batch_exports }) => {
    const [{ projects = [], ...first } = { name: "Acme" }, ...others] = organizations;
    const withExports = (project: SeedProject): SeedProject => ({
      ...project,
      integrations: [INTEGRATION],
      batch_exports: [...(project.batch_exports ?? []), ...batch_exports],
    });
    const held = projects.map((project, index) => (index === 0 ? withExports(project) : project));
    return { organizations: [{ ...first, ...more, identity_provider_configs, projects: held }, ...others] };
  });

/** One portable organization. */
export const portableSeeds: fc.Arbitrary<Seed> = organizationSeed(true).map((one) => ({ organizations: [one] }));
