import * as fc from "fast-check";
import type { ExportOrganization } from "../../../src/export/types.ts";
import type { Json, JsonObject } from "../../../src/model/json/json.ts";
import { isSecretName } from "../../../src/model/secret-values.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import type { LiveObject } from "../../../src/model/live.ts";
import { acme, live, member, plugin, uuid } from "./helpers.ts";

/** Texts that YAML, editors or the substitution could misread. */
const AWKWARD = [
  "",
  " ",
  "~",
  "null",
  "yes",
  "No",
  "on",
  "true",
  "1e3",
  "0x1f",
  "0o7",
  "1_000",
  "12:30:45",
  "2024-01-01",
  "2024-01-01T00:00:00Z",
  ".inf",
  "-",
  "---",
  "...",
  "<<",
  "=",
  "# c",
  "a: b",
  "a #b",
  "- x",
  "[x]",
  "{x}",
  "!tag",
  "&a",
  "*a",
  "|",
  ">",
  "%x",
  "@x",
  "`x",
  "'",
  '"',
  "\\",
  "${",
  "$${",
  "$$${x}",
  "${secret:X}",
  "${var:x",
  "$",
  "a$",
  "$${env:HOME}",
  " lead",
  "trail ",
  "tab\tx",
  "\t",
  "\n",
  "\n\n",
  "a\n",
  "a\nb",
  " \n x\n\n",
  "a\r\nb",
  "\r",
  "a\n  b\n c\n",
  "# x\n# y",
  "\u0000",
  "\u0007",
  "\u007f",
  "\u0085",
  "\u00a0",
  "\u2028",
  "\u2029",
  "\ufeff",
  "\ud83d\ude00",
  "日本語",
  "__proto__",
  "constructor",
  "a".repeat(200),
  `${"long words ".repeat(20)}\n${"x".repeat(100)}`,
  "***",
  "k".repeat(1100),
] as const;

const text = fc.oneof(
  fc.constantFrom(...AWKWARD),
  fc.string(),
  fc.string({ unit: "binary" }),
  fc.string({ unit: fc.constantFrom("$", "{", "}", "a", ":", "\n", " ", "#", "-") }),
);
const number = fc.oneof(
  fc.integer(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(2 ** 53, -(2 ** 60), 1e21, 1e300, 5e-324, 0.1),
);
const key = text.filter((name) => !isSecretName(name));

/** Any JSON, without keys that are named like secrets. */
export const json = fc.letrec<{ value: Json; object: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    number.map((value) => value + 0),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(key, tie("value"), { maxKeys: 5, noNullPrototype: true }),
}));

const name = fc
  .oneof(fc.constantFrom("Web", "web", "Events to S3", "日本", "2024", "yes", "${x}"), text)
  .filter((value) => value.trim() !== "" && value.length < 400);
const email = fc.constantFrom("ada@acme.com", "Bob@acme.com", "carol@acme.com", "dan.d+x@acme.co.uk", "root@localhost");
const level = fc.constantFrom(1, 8, 15);

/** An array of objects with unique ids. */
function many<T>(
  arbitrary: fc.Arbitrary<T>,
  toObject: (value: T, index: number) => LiveObject,
): fc.Arbitrary<readonly LiveObject[]> {
  return fc.array(arbitrary, { maxLength: 4 }).map((values) => values.map(toObject));
}

const domains = many(
  fc.record({
    domain: fc.constantFrom("acme.com", "a-b.io", "Upper.com"),
    jit_provisioning_enabled: fc.boolean(),
    sso_enforcement: fc.constantFrom("", "saml"),
    saml_entity_id: fc.constantFrom(null, "", "e"),
  }),
  (values, index) => live("domain", uuid(100 + index), values),
);

const members = many(fc.tuple(email, level), ([address, memberLevel], index) =>
  member(200 + index, address, memberLevel),
);

const invites = many(
  fc.record({
    target_email: email,
    level,
    first_name: fc.constantFrom("", "C"),
    message: fc.oneof(fc.constant(null), text),
    expired: fc.boolean(),
  }),
  ({ expired, ...values }, index) =>
    live("invite", uuid(300 + index), values, { ...(expired ? { state: "expired" } : {}), onDifference: "replace" }),
);

/** A secret that the service returns in clear. Tests search for it. */
export const SHOWN = "pa55w0rd-shown";

const settings = fc.record(
  {
    user: text,
    password: fc.constantFrom(SHOWN, "********"),
    host: fc.constant("db.acme.com"),
    port: fc.constantFrom("5432", "x", 5432, null),
    has_self_signed_cert: fc.constantFrom("True", "false", true, null),
    extra: json.value,
  },
  { requiredKeys: ["host"] },
);

const destination = fc.oneof(
  settings.map((config) => ({ type: "Postgres", config, integration: 4 })),
  json.object.map((config) => ({ type: "Newest", config })),
);

function batchExports(first: number): fc.Arbitrary<readonly LiveObject[]> {
  return many(
    fc.record({
      name,
      model: fc.constantFrom("events", "persons", null, "newest"),
      destination,
      interval: fc.constantFrom("hour", "every 5 minutes"),
      paused: fc.boolean(),
      start_at: fc.constantFrom(null, "2024-01-01T00:00:00Z"),
      last_paused_at: fc.constant(null),
    }),
    (values, index) => live("batch_export", uuid(first + index), values),
  );
}

function insights(first: number): fc.Arbitrary<readonly LiveObject[]> {
  return many(
    fc.record({
      name: fc.oneof(name, fc.constantFrom(null, "")),
      derived_name: fc.oneof(fc.constant(null), name),
      description: fc.oneof(fc.constant(null), text),
      filters: json.object,
      query: fc.oneof(fc.constant(null), json.object),
      order: fc.constantFrom(null, 3),
      deleted: fc.constant(false),
      dashboards: fc.constantFrom([], [10, 9]),
      tags: fc.constantFrom([], ["b", "a"]),
      favorited: fc.boolean(),
      saved: fc.boolean(),
    }),
    (values, index) =>
      live("insight", String(first + index), values, {
        pins: { id: String(first + index), short_id: `short${first + index}` },
      }),
  );
}

/** Plugins. The ids of the three groups may be the same. */
function plugins(kind: KindName): fc.Arbitrary<readonly LiveObject[]> {
  return many(
    fc.record({
      plugin_type: fc.constantFrom("source", "custom", null),
      name: fc.oneof(name, fc.constant(null)),
      url: fc.constantFrom(null, null, "https://a.b/c?x=1"),
      config_schema: fc.oneof(json.value),
      is_global: fc.boolean(),
    }),
    (values, index) =>
      plugin(kind, String(index + 1), kind === "pipeline_import_app" ? { ...values, url: null } : values),
  );
}

/** A complete organization. Its own list of batch exports includes those of its projects, as on a real service. */
export const organization: fc.Arbitrary<ExportOrganization> = fc
  .record({
    domain: domains,
    member: members,
    invite: invites,
    own: batchExports(400),
    batch_export: batchExports(500),
    insight: insights(1),
    others: insights(50),
    pipeline_destination: plugins("pipeline_destination"),
    pipeline_import_app: plugins("pipeline_import_app"),
    projectNames: fc.tuple(name, name),
    enforce_2fa: fc.constantFrom(null, true, false),
  })
  .map(({ own, batch_export, insight, others, projectNames: [first, second], enforce_2fa, ...lists }) =>
    acme(
      { ...lists, batch_export: [...own, ...batch_export] },
      [
        { id: "2", name: first, lists: { batch_export, insight } },
        { id: "3", name: second, lists: { insight: others } },
      ],
      { enforce_2fa },
    ),
  );
