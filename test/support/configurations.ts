/** Random configurations of one service and their text. */
import * as fc from "fast-check";
import type { Seed } from "../../src/emulator/index.ts";
import type { Json, JsonObject } from "../../src/model/json/json.ts";
import { EMAILS, fieldsOf, GROUPS, SECRET_SETTINGS } from "./organizations.ts";

/**
 * Stands for a secret in {@link Declared.values}; everything else that looks like a substitution is literal text.
 */
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

/** The declarations for {@link CONFIGURED}. */
export interface Configuration {
  readonly own: JsonObject;
  readonly resources: readonly Declared[];
}

/** The service that the configurations describe. */
export const CONFIGURED: Seed = {
  organizations: [
    {
      id: "0190aa11-0000-4000-8000-00000000000a",
      name: "Acme Inc",
      projects: [
        { id: 2, name: "Web" },
        { id: 3, name: "Shop" },
      ],
      members: [
        { email: "ada@acme.com", level: 8 },
        { email: "Bob@Acme.com", level: 1 },
        { email: "f@a-b.io", level: 8 },
      ],
    },
  ],
};
const MEMBERS: ReadonlySet<string> = new Set(["ada@acme.com", "Bob@Acme.com", "f@a-b.io"]);

/** Any subset of the fields that includes the `needed` ones. */
function someOf(fields: fc.Arbitrary<JsonObject>, needed: readonly string[]): fc.Arbitrary<JsonObject> {
  return fc
    .tuple(fields, fc.array(fc.boolean(), { minLength: 16, maxLength: 16 }))
    .map(([values, keep]) =>
      Object.fromEntries(
        Object.entries(values).filter(([field], index) => keep[index] === true || needed.includes(field)),
      ),
    );
}

/** Values that a configuration takes: secrets by name, no integer that may not be exact. */
function declarable(value: Json): Json {
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return 0.5;
  if (Array.isArray(value)) return value.map((item: Json) => declarable(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, SECRET_SETTINGS.has(key) ? SECRET : declarable(item)]),
  );
}

const asResource =
  (scope: Declared["scope"], collection: string) =>
  (values: JsonObject, index: number): Declared => ({
    scope,
    collection,
    name: `${["r", "日本-", "a.b_"][index % 3] ?? ""}${String(index)}`,
    values: declarable(values) as JsonObject,
  });

function named(fields: fc.Arbitrary<JsonObject>, needed: readonly string[], key: string): fc.Arbitrary<JsonObject[]> {
  const usable = someOf(fields, needed).filter(
    (values) => typeof values[key] === "string" && values[key].trim() !== "",
  );
  return fc.uniqueArray(usable, { maxLength: 3, selector: (values) => String(values[key]).trim() });
}

/** Pausing sets `last_paused_at` anew: declared together they would never come to rest. */
const batchExports = named(fieldsOf.batch_export, ["name", "destination", "interval"], "name").map((all) =>
  all.map(({ last_paused_at, ...values }) =>
    values["paused"] === true || last_paused_at === undefined ? values : { ...values, last_paused_at },
  ),
);

const people: fc.Arbitrary<Declared[]> = fc
  .tuple(...EMAILS.map((email) => fc.tuple(fc.constant(email), fc.nat({ max: 3 }), fieldsOf.person, fc.boolean())))
  .map((all) =>
    all.flatMap(([email, role, { level: number, ...person }, isWord], index): Declared[] => {
      const word = isWord ? (number === 1 ? "member" : number === 8 ? "admin" : "owner") : number;
      if (role === 1) return [{ scope: "", collection: "memberships", name: email, values: { level: word } }];
      if (role === 2 && MEMBERS.has(email))
        return [{ scope: "", collection: "members", name: email, values: { level: word } }];
      if (role === 2) return [asResource("", "invites")({ target_email: email, level: word, ...person }, index)];
      return [];
    }),
  );

const plugins = fc
  .tuple(
    named(
      fieldsOf.plugin.map(({ url: _url, ...fields }) => fields),
      ["name"],
      "name",
    ),
    fc.tuple(...GROUPS.map(() => fc.constantFrom(...GROUPS))),
  )
  .map(([all, groups]) => all.map((values, index) => asResource("", groups[index] ?? GROUPS[0])(values, index)));

/** Configurations of {@link CONFIGURED}, in which every kind comes up. */
export const configurations: fc.Arbitrary<Configuration> = fc
  .record({
    own: someOf(
      fc.record({ enforce_2fa: fc.constantFrom(null, true, false), is_member_join_email_enabled: fc.boolean() }),
      [],
    ),
    domains: fc.uniqueArray(someOf(fieldsOf.domain, ["domain"]), { maxLength: 3, selector: ({ domain }) => domain }),
    people,
    plugins,
    exports: fc.tuple(batchExports, batchExports, batchExports),
    insights: fc.tuple(named(fieldsOf.insight, ["name"], "name"), named(fieldsOf.insight, ["name"], "name")),
  })
  .map(
    ({
      own,
      domains,
      people: persons,
      plugins: apps,
      exports: [ofAcme, ofWeb, ofShop],
      insights: [inWeb, inShop],
    }) => ({
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
    }),
  );

/** A part of a configuration as the text of a file: JSON in ASCII, which is YAML that nothing can be lost in. */
export function fileOf(own: JsonObject, resources: readonly Declared[]): string {
  const collections = (scope: Declared["scope"]): JsonObject => {
    const here = resources.filter((one) => one.scope === scope);
    return Object.fromEntries(
      [...new Set(here.map(({ collection }) => collection))].map((collection) => [
        collection,
        Object.fromEntries(
          here.filter((one) => one.collection === collection).map(({ name, values }) => [name, literal(values)]),
        ),
      ]),
    );
  };
  const projects = { web: { id: "2", ...collections("web") }, shop: { name: "Shop", ...collections("shop") } };
  const acme = { name: "Acme Inc", ...own, ...collections(""), projects };
  return asciiJson({ driftline: 1, service: { self: "owner@example.com" }, organizations: { acme } });
}

export function asciiJson(value: Json): string {
  return JSON.stringify(value, null, 1).replaceAll(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Values in which nothing is substituted but {@link SECRET}. */
function literal(value: Json): Json {
  if (typeof value === "string") return value === SECRET ? value : value.replaceAll("${", () => "$${");
  if (Array.isArray(value)) return value.map((item: Json) => literal(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, literal(item)]));
}
