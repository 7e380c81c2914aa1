/**
 * Random organizations: as seeds of the emulator, and as configurations.
 *
 * Terms: a seed is portable where an export without ids can say everything about it. Left out of portable seeds: addresses
 * that cannot be declared, projects and plugins that only their ids tell apart, and values that a create does not take.
 */
import * as fc from "fast-check";
import type { Seed, SeedOrganization, SeedProject } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/model/json.ts";

/** What YAML, substitution, or a table might take for something else. */
export const AWKWARD = [
  "~", "null", "yes", "No", "true", "1e3", "0o7", "1_000", "12:30:45", "2024-01-01", ".inf", "---", "...", "<<", "=",
  "# c", "a: b", "a #b", "- x", "[x]", "{x}", "!tag", "&a", "*a", "|", ">", "%x", "@x", "`x", "'", '"', "\\", "${", "$${",
  "${secret:X}", "${var:x", "$", "a$", "$${env:HOME}", "$$${x}", " lead", "trail ", "tab\tx", "a\nb", "a\n", " \n x\n\n",
  "a\r\nb", "\r", "# x\n# y", "\u0000", "\u0007", "\u007f", "\u0085x", "\u00a0x", "\u2028", "\ufeffx", "\u{1f600}",
  "日本語", "Zoë", "Zoe\u0308", "__proto__", "constructor", "toString", "a/b~1c~0d", "hidden", "<b>",
] as const; // prettier-ignore

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

/** Now and then the name of another one. */
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
const plainKey = fc.oneof(fc.constantFrom("version", "kind", "a/b", "~", "0"), textUpTo(20)).filter((key) => !SECRETISH.test(key));

/** Any JSON whose keys promise no secrets. */
export const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, textUpTo(40), numbers, fc.boolean(), fc.constant(null), fc.array(tie("value"), { maxLength: 3 }), tie("object")),
  object: fc.dictionary(plainKey, tie("value"), { maxKeys: 4, noNullPrototype: true }),
}));

/** What services show in place of secrets. */
export const MASK = "********";
const secretText = fc.constantFrom("hush-hush-1", "hush-hush-2 with blanks", MASK);
const secretMember = fc.tuple(fc.constantFrom(...SECRET_KEYS), secretText).map(([key, value]): JsonObject => ({ [key]: value }));

/** Free-form settings: any JSON, with a secret in some. */
export const freeForm: fc.Arbitrary<JsonObject> = fc
  .tuple(json.object, fc.oneof({ weight: 4, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: secretMember }))
  .map(([object, secret]) => ({ ...object, ...secret }));

const nullable = <T>(inner: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.oneof(fc.constant(null), inner);
const moment = nullable(fc.constantFrom("2024-01-01T00:00:00Z", "2025-12-31T23:59:59Z", "2024-02-29T12:00:00.123000Z"));
const level = fc.constantFrom(1, 8, 15);

function settings(type: string, known: Readonly<Record<string, fc.Arbitrary<Json>>>, required: readonly string[]): fc.Arbitrary<JsonObject> {
  const config = fc.record(known, { requiredKeys: [...required], noNullPrototype: true });
  const stray = fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, { weight: 1, arbitrary: freeForm });
  return fc.tuple(config, stray).map(([own, more]) => ({ type, config: { ...more, ...own } }));
}

const word = textUpTo(20).filter((value) => value.trim() !== "");
const S3 = { bucket_name: word, region: word, prefix: textUpTo(20), aws_access_key_id: secretText, aws_secret_access_key: secretText };
const POSTGRES = { host: word, database: word, user: secretText, password: secretText, port: fc.integer({ min: 1, max: 65_535 }), has_self_signed_cert: fc.boolean() };

/** Destinations of types that the schemas know, of one they do not, with settings nobody knows. */
export const destination: fc.Arbitrary<JsonObject> = fc.oneof(
  settings("S3", S3, ["bucket_name", "region", "prefix"]),
  settings("Postgres", POSTGRES, ["host", "database"]),
  settings("NoOp", {}, []),
  settings("HTTP", { url: fc.constant("https://sink.acme.com/${x}"), token: secretText }, ["url"]),
  freeForm.map((config): JsonObject => ({ type: "Newest", config })),
);

/** The writable fields of each kind as a service may hold them; what tells objects apart is in there too. */
export const fieldsOf = {
  domain: fc.record({
    domain: fc.constantFrom("acme.com", "a-b.io", "b-c-d.example", "sub.acme.co.uk", "1.acme.com"),
    jit_provisioning_enabled: fc.boolean(),
    sso_enforcement: fc.oneof(fc.constantFrom("", "saml", "google-oauth2"), textUpTo(28)),
    saml_entity_id: nullable(textUpTo(60)),
    saml_acs_url: nullable(textUpTo(60)),
    saml_x509_cert: nullable(fc.oneof(fc.constant("-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n"), textUpTo(60))),
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
    capabilities: fc.oneof(json.object, fc.constant({ methods: ["onEvent"] })),
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
    tags: fc.uniqueArray(fc.oneof(fc.constantFrom("growth", "Team A"), textUpTo(30).filter((tag) => tag !== "")), { maxLength: 3 }),
    favorited: fc.boolean(),
    saved: fc.boolean(),
  }),
} as const;

/** Addresses that are told apart by more than their case. */
export const EMAILS = ["ada@acme.com", "Bob@Acme.com", "o'neil+x@acme.co.uk", "dan.d@sub.acme.com", "eve_1@xn--bcher.example", "f@a-b.io"] as const;
const GROUPS = ["pipeline_destinations", "pipeline_frontend_apps", "pipeline_import_apps"] as const;

const many = <T>(inner: fc.Arbitrary<T>, maxLength = 3): fc.Arbitrary<T[]> => fc.array(inner, { maxLength });

const invite = fc
  .tuple(fc.constantFrom(...EMAILS), fieldsOf.person, fc.boolean())
  .map(([target_email, person, expired]): JsonObject => ({ target_email, ...person, ...(expired ? { created_at: "2020-01-01T00:00:00Z" } : {}) }));

const seededInsight = fc
  .tuple(fieldsOf.insight, fc.boolean())
  .map(([fields, deleted]): JsonObject => ({ ...fields, deleted: deleted && fields.favorited }));

function seedProject(name: fc.Arbitrary<string>): fc.Arbitrary<SeedProject> {
  return fc.record({ name, batch_exports: many(fieldsOf.batch_export), insights: many(seededInsight, 5) });
}

type Plugin = { readonly group: (typeof GROUPS)[number]; readonly fields: JsonObject };

const seededPlugins = (isPortable: boolean): fc.Arbitrary<readonly Plugin[]> => {
  const one = fc.record({ group: fc.constantFrom(...GROUPS), fields: fieldsOf.plugin as fc.Arbitrary<JsonObject> });
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
      ...Object.fromEntries(GROUPS.map((group) => [group, plugins.filter((one) => one.group === group).map(({ fields }) => fields)])),
    })) as fc.Arbitrary<SeedOrganization>;
}

/** One organization, or two of which nothing but the id may differ, and somebody else's. */
export const seeds: fc.Arbitrary<Seed> = fc
  .tuple(organizationSeed(false), fc.boolean())
  .map(([one, twice]) => ({
    organizations: [one, ...(twice ? [{ name: one.name, projects: [{ name: "Web" }] }] : []), { name: one.name, foreign: true }],
  }));

/** One portable organization. */
export const portableSeeds: fc.Arbitrary<Seed> = organizationSeed(true).map((one) => ({ organizations: [one] }));

/** Stands for a secret in {@link Declared.values}; everything else that looks like a substitution is meant literally. */
export const SECRET = "${secret:HUSH}";
export const SECRET_ENV = { HUSH: "hush-hush-42" };

/** A resource of a configuration: values as the service is to hold them. */
export interface Declared {
  /** Key of a project, or "" for the organization. */
  readonly scope: "" | "web" | "shop";
  readonly collection: string;
  readonly name: string;
  readonly values: JsonObject;
}

/** What is declared of {@link CONFIGURED}. */
export interface Configuration {
  readonly own: JsonObject;
  readonly resources: readonly Declared[];
}

/** The service that configurations are made for. */
export const CONFIGURED: Seed = {
  organizations: [
    {
      id: "0190aa11-0000-4000-8000-00000000000a",
      name: "Acme Inc",
      projects: [{ id: 2, name: "Web" }, { id: 3, name: "Shop" }],
      members: [{ email: "ada@acme.com", level: 8 }, { email: "Bob@Acme.com", level: 1 }, { email: "f@a-b.io", level: 8 }],
    },
  ],
};
const MEMBERS: ReadonlySet<string> = new Set(["ada@acme.com", "Bob@Acme.com", "f@a-b.io"]);

/** Any part of the fields, those that are `needed` always. */
function someOf(fields: fc.Arbitrary<JsonObject>, needed: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc.tuple(fields, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 })).map(([values, keep]) =>
    Object.fromEntries(Object.entries(values).filter(([field], index) => keep[index] === true || needed.includes(field))),
  );
}

/** Values that a configuration takes: secrets by name, no integer that may not be exact. */
function declarable(value: Json): Json {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 0.5;
  if (Array.isArray(value)) return value.map((item: Json) => declarable(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, SECRET_SETTINGS.has(key) ? SECRET : declarable(item)]));
}

const asResource = (scope: Declared["scope"], collection: string) => (values: JsonObject, index: number): Declared => ({
  scope,
  collection,
  name: `${["r", "日本-", "a.b_"][index % 3] ?? ""}${String(index)}`,
  values: declarable(values) as JsonObject,
});

function named(fields: fc.Arbitrary<JsonObject>, needed: readonly string[], key: string): fc.Arbitrary<JsonObject[]> {
  const usable = someOf(fields, needed).filter((values) => typeof values[key] === "string" && values[key].trim() !== "");
  return fc.uniqueArray(usable, { maxLength: 3, selector: (values) => String(values[key]).trim() });
}

/** Pausing sets `last_paused_at` anew: declared together they would never come to rest. */
const batchExports = named(fieldsOf.batch_export, ["name", "destination", "interval"], "name").map((all) =>
  all.map(({ last_paused_at, ...values }) => (values["paused"] === true || last_paused_at === undefined ? values : { ...values, last_paused_at })),
);

const people: fc.Arbitrary<Declared[]> = fc
  .tuple(...EMAILS.map((email) => fc.tuple(fc.constant(email), fc.nat({ max: 3 }), fieldsOf.person, fc.boolean())))
  .map((all) =>
    all.flatMap(([email, role, { level: number, ...person }, isWord], index): Declared[] => {
      const word = isWord ? (number === 1 ? "member" : number === 8 ? "admin" : "owner") : number;
      if (role === 1) return [{ scope: "", collection: "memberships", name: email, values: { level: word } }];
      if (role === 2 && MEMBERS.has(email)) return [{ scope: "", collection: "members", name: email, values: { level: word } }];
      if (role === 2) return [asResource("", "invites")({ target_email: email, level: word, ...person }, index)];
      return [];
    }),
  );

const plugins = fc
  .tuple(named(fieldsOf.plugin.map(({ url: _url, ...fields }) => fields), ["name"], "name"), fc.tuple(...GROUPS.map(() => fc.constantFrom(...GROUPS))))
  .map(([all, groups]) => all.map((values, index) => asResource("", groups[index] ?? GROUPS[0])(values, index)));

/** Configurations of {@link CONFIGURED}, in which every kind comes up. */
export const configurations: fc.Arbitrary<Configuration> = fc
  .record({
    own: someOf(fc.record({ enforce_2fa: fc.constantFrom(null, true, false), is_member_join_email_enabled: fc.boolean() }), []),
    domains: fc.uniqueArray(someOf(fieldsOf.domain, ["domain"]), { maxLength: 3, selector: ({ domain }) => domain }),
    people,
    plugins,
    exports: fc.tuple(batchExports, batchExports, batchExports),
    insights: fc.tuple(named(fieldsOf.insight, ["name"], "name"), named(fieldsOf.insight, ["name"], "name")),
  })
  .map(({ own, domains, people: persons, plugins: apps, exports: [ofAcme, ofWeb, ofShop], insights: [inWeb, inShop] }) => ({
    own,
    resources: [
      ...domains.map(asResource("", "domains")),
      ...persons,
      ...apps,
      ...ofAcme.map(asResource("", "batch_exports")),
      ...ofWeb.map(asResource("web", "batch_exports")),
      ...ofShop.map(asResource("shop", "batch_exports")),
      ...inWeb.map(asResource("web", "insights")),
      ...inShop.map(asResource("shop", "insights")),
    ],
  }));

/** A part of a configuration as the text of a file: JSON in ASCII, which is YAML that nothing can be lost in. */
export function fileOf(own: JsonObject, resources: readonly Declared[]): string {
  const collections = (scope: Declared["scope"]): JsonObject => {
    const here = resources.filter((one) => one.scope === scope);
    return Object.fromEntries(
      [...new Set(here.map(({ collection }) => collection))].map((collection) => [
        collection,
        Object.fromEntries(here.filter((one) => one.collection === collection).map(({ name, values }) => [name, literal(values)])),
      ]),
    );
  };
  const projects = { web: { id: "2", ...collections("web") }, shop: { name: "Shop", ...collections("shop") } };
  const acme = { name: "Acme Inc", ...own, ...collections(""), projects };
  return asciiJson({ driftline: 1, service: { self: "owner@example.com" }, organizations: { acme } });
}

export function asciiJson(value: Json): string {
  return JSON.stringify(value, null, 1).replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** Values in which nothing is substituted but {@link SECRET}. */
function literal(value: Json): Json {
  if (typeof value === "string") return value === SECRET ? value : value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map((item: Json) => literal(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
}
