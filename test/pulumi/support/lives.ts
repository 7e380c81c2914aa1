import type { EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import type { JsonObject } from "../../../src/emulator/json.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import { ACME, allAsStored, changesOf, isOf } from "../../support/interface/declare.ts";
import { allSpecimens, specimens } from "../../support/interface/index.ts";
import { text, type Field, type Specimen } from "../../support/interface/specimen.ts";

export { ACME };

/** The life of one resource of a stack: its declaration, a change of each field, and an edit by somebody else. */
export interface Life {
  readonly kind: KindName;
  readonly type: string;
  readonly stored: EmulatedKind;
  readonly create: JsonObject;
  /** The next value of each field, one after the other. */
  readonly changes: JsonObject;
  /** Fields whose change replaces the object. */
  readonly replaces?: readonly string[];
  /** Fields that the test does not change, with the reason. */
  readonly not?: JsonObject;
  readonly edit: { readonly field: string; readonly property: string; readonly value: unknown };
  readonly find: (object: StoredObject) => boolean;
  /** What today's service has to hold before, by id. */
  readonly integrations: Readonly<Record<string, string>>;
}

const camelCase = (words: string): string => words.replaceAll(/_(.)/g, (_all, first: string) => first.toUpperCase());

/** Values as a program gives them: by property, with secrets in clear. */
const asProperties = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(allAsStored(values)).map(([field, value]) => [camelCase(field), value]));

const fieldsWhere = (fields: Specimen["fields"], isWanted: (field: Field) => boolean): readonly string[] =>
  Object.entries(fields).flatMap(([field, facts]) => (isWanted(facts) ? [camelCase(field)] : []));

/** @param more the scope of the resource, and its e-mail if that identifies it */
function lifeOf(kind: KindName, specimen: Specimen, more: JsonObject): Life {
  const { create, created, edit, fields, keyedByEmail } = specimen;
  return {
    kind,
    type: camelCase(`_${kind}`),
    stored: created,
    create: { ...more, ...asProperties(create) },
    changes: asProperties(changesOf(specimen)),
    // The provider replaces memberships itself, without a new resource.
    replaces: fieldsWhere(fields, ({ instead }) => instead === "replace" && keyedByEmail !== true),
    not: Object.fromEntries(fieldsWhere(fields, ({ fixed }) => fixed !== undefined).map((field) => [field, "fixed"])),
    edit: { ...edit, property: camelCase(edit.field) },
    find: isOf(specimen),
    integrations: specimen.current?.integrations ?? {},
  };
}

/** The specimen in its second scope, with a name of its own. */
function secondOf(specimen: Specimen): Specimen {
  const { create, fields, second } = specimen;
  if (second === undefined) return specimen;
  const { key, name } = second;
  return { ...specimen, key, create: { ...create, name }, fields: { ...fields, name: text(`${name} 2`) } };
}

function placeIn(kind: KindName, scope: Specimen["scopes"][number]): JsonObject {
  if (scope === "service") return {};
  if (scope === "project") return { projectId: 2 };
  // The domain is in an organization that the same program creates.
  return { organizationId: kind === "domain" ? "${beta.id}" : ACME };
}

/** One resource of every kind that each dialect has, by its name in the program. */
export const lives = livesOf(allSpecimens.filter(([, { dialect }]) => dialect === undefined));

/** One of every kind that only today's service has. */
export const currentLives = livesOf(allSpecimens.filter(([, { dialect }]) => dialect === "current"));

function livesOf(all: typeof allSpecimens): Readonly<Record<string, Life>> {
  return Object.fromEntries(
    all.flatMap(([kind, specimen]) =>
      specimen.scopes.map((scope, index) => {
        const own = index === 0 ? specimen : secondOf(specimen);
        const email = own.keyedByEmail === true ? { email: own.key } : {};
        return [own.key.split("@")[0], lifeOf(kind, own, { ...placeIn(kind, scope), ...email })] as const;
      }),
    ),
  );
}

/**
 * The same on a deployed server: exports are written on the route of their project, domains are verified before some of their fields can
 * be set, and the capabilities of a plugin decide on its group. On today's service what such a server refuses has another form.
 */
export function livesOn(dialect: "deployed" | "current"): Readonly<Record<string, Life>> {
  const these = allSpecimens
    .filter(([, specimen]) => specimen.dialect === undefined)
    .map(([kind, specimen]) => {
      const {
        integrations: _integrations,
        afterCreate: _after,
        ...own
      } = (dialect === "current" && specimen.current) || {};
      return [kind, { ...specimen, ...own }] as const;
    });
  return Object.fromEntries(
    Object.entries(livesOf(these)).flatMap(([name, life]) => {
      const { notDeployedIn, seed }: Specimen = specimens[life.kind];
      if (notDeployedIn === "organization" && "organizationId" in life.create) return [];
      const capabilities = seed?.["capabilities"];
      if (capabilities === undefined) return [[name, life]];
      const { create, changes } = life;
      return [[name, { ...life, create: { ...create, capabilities }, changes: { ...changes, capabilities } }]];
    }),
  );
}
