/**
 * What anybody changes in an exported organization, in a declared field or in one that the export leaves out, is seen by drift, accepted
 * into the file, and put back from there.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { parseDocument } from "yaml";
import type { EmulatedKind, StoredObject } from "../../../src/emulator/index.ts";
import { isObject, type Json, type JsonObject } from "../../../src/emulator/json.ts";
import { invalidFields } from "../../../src/export/invalid-fields.ts";
import { declarableFields, type FieldSchema, kindSchema, schemaAt, typesOf } from "../../../src/kinds/fields.ts";
import { kinds } from "../../../src/kinds/registry.ts";
import { readOnlyFields } from "../../../src/kinds/varying-fields.ts";
import type { KindName } from "../../../src/model/kind-name.ts";
import type { ShownChange } from "../../../src/model/plan.ts";
import { isSecretName } from "../../../src/model/secret-values.ts";
import { budget } from "../../support/budget.ts";
import { ALL_DIALECTS, describeDialects } from "../../support/dialects.ts";
import { messyOrganization } from "../../support/messy.ts";
import { changedAt, pathsIn } from "../../support/queries.ts";
import { workspace, type Workspace } from "../../support/workspace.ts";

/** What the emulator calls the objects of a kind. An invite is never edited, only made anew. */
const EMULATED: Readonly<Partial<Record<KindName, EmulatedKind>>> = {
  organization: "organization",
  domain: "domain",
  membership: "member",
  batch_export: "batch_export",
  insight: "insight",
  pipeline_destination: "pipeline_destination",
  pipeline_frontend_app: "pipeline_frontend_app",
  identity_provider_config: "identity_provider_config",
};

/** Fields that are no edit: numbers of other objects, what only slow reads show, what makes another object, what has another notation,
 * and what locks the run's own key out or is kept from being put back by a guard. */
const LEFT_OUT = new Set([
  "dashboards",
  "order",
  "domain",
  "organization_domain_ids",
  "model",
  "filters",
  "hogql_query",
  "sso_enforcement",
  "enforce_verified_domains",
]);

interface Target {
  readonly change: ShownChange;
  readonly kind: EmulatedKind;
  readonly field: string;
}

interface Edit {
  readonly target: Target;
  readonly id: StoredObject["id"];
  readonly old: Json;
  readonly value: Json;
}

/**
 * What today's service does not show of a domain, because identity provider configurations have it, and what it refuses to change in
 * an export that has credentials of its own. Current service 174.
 */
const NOT_OF_TODAY: Readonly<Partial<Record<KindName, readonly string[]>>> = {
  domain: ["saml_entity_id", "saml_acs_url", "saml_x509_cert", "scim_enabled"],
  batch_export: ["destination"],
};

/** Everything that can be edited, as the lists show it. */
function targetsIn(space: Workspace, changes: readonly ShownChange[], dialect: string): readonly Target[] {
  return changes.flatMap((change) => {
    const emulated = EMULATED[change.kind];
    const row = rowOf(space, change);
    // Services refuse to change the rules of a domain that is not verified.
    if (emulated === undefined || row === undefined || row["is_verified"] === false) return [];
    const { comparison, exportRules } = kinds[change.kind];
    const uncounted = new Set([
      ...LEFT_OUT,
      ...(comparison?.setByService ?? []),
      ...Object.entries(exportRules?.fields ?? {}).flatMap(([field, rule]) => (rule === "never" ? [field] : [])),
      ...readOnlyFields({ kind: change.kind, values: row as never }),
    ]);
    // What cannot be changed makes another object.
    const isChangeable = (field: string): boolean =>
      kindSchema(change.kind).properties[field]?.["x-immutable"] !== true;
    const isOfToday = (field: string): boolean =>
      dialect !== "current" || NOT_OF_TODAY[change.kind]?.includes(field) !== true;
    const fields = declarableFields(change.kind).filter(
      (field) => Object.hasOwn(row, field) && !uncounted.has(field) && isChangeable(field) && isOfToday(field),
    );
    return fields.map((field) => ({ change, kind: emulated, field }));
  });
}

function rowOf(space: Workspace, { kind, id }: Pick<ShownChange, "kind" | "id">): StoredObject | undefined {
  const emulated = EMULATED[kind];
  return emulated && space.emulator.find(emulated).find((row) => String(row.id) === id);
}

/** What changes a field; nothing if no other value is known that the service takes. */
function editOf(space: Workspace, target: Target | undefined, choice: number): readonly Edit[] {
  const before = target && rowOf(space, target.change);
  if (target === undefined || before === undefined) return [];
  const { change, field } = target;
  const old = (before[field] ?? null) as Json;
  const isWriteOnly = (path: readonly (string | number)[]): boolean =>
    schemaAt(change.kind, { ...before, [field]: old } as never, [field, ...path.map(String)])?.writeOnly === true;
  const value = otherValue(kindSchema(change.kind).properties[field], old, { choice, isWriteOnly });
  if (value === undefined || show(value) === show(old)) return [];
  return invalidFields(change.kind, { [field]: value }).size > 0 ? [] : [{ target, id: before.id, old, value }];
}

const show = (value: Json): string => JSON.stringify(value);

/** What chooses another value, and which parts of a field no service shows. */
interface Choice {
  readonly choice: number;
  readonly isWriteOnly: (path: readonly (string | number)[]) => boolean;
}

/** Another value of a field that the service takes; undefined if the test knows none. */
function otherValue(schema: FieldSchema | undefined, old: Json, options: Choice): Json | undefined {
  const { choice } = options;
  const values = schema?.enum ?? Object.values(schema?.["x-names"] ?? {});
  const others = (values as readonly Json[]).filter((one) => one !== old && one !== null && one !== "" && one !== 15);
  if (values.length > 0) return others[choice % others.length];
  const types = typesOf(schema);
  if (typeof old === "boolean" || types.includes("boolean")) return old !== true;
  if (isObject(old)) return otherObject(old, options);
  if (Array.isArray(old)) return schema?.items?.type === "string" ? [...old, "z-added"] : undefined;
  if (typeof old === "string" && old !== "" && schema?.format === undefined) return `${old}x`;
  return types.includes("string") && schema?.format === undefined ? "added" : undefined;
}

/** The object with one of its texts changed. A type, a secret, what no service shows, and a setting that its type does not have stay. */
function otherObject(old: JsonObject, { choice, isWriteOnly }: Choice): JsonObject | undefined {
  const texts = pathsIn(old).filter(
    (path) =>
      typeof path.reduce<Json>((at, key) => (at as Readonly<Record<string | number, Json>>)[key] ?? null, old) ===
        "string" &&
      !isWriteOnly(path) &&
      !path.some((key) => ["kind", "type", "version", "table_kind"].includes(String(key)) || isSecretName(String(key))),
  );
  const path = texts[choice % Math.max(1, texts.length)];
  return path === undefined ? undefined : (changedAt(old, path, (text) => `${String(text)}x`) as JsonObject);
}

/** A value for each secret of a configuration. */
function secretsIn(text: string): Readonly<Record<string, string>> {
  const names = [...text.matchAll(/\$\{secret:(\w+)\}/gu)].map(([, name = ""]) => name);
  return Object.fromEntries(names.map((name) => [name, `secret-of-${name}`]));
}

/** The keys from the top of the file to a field. */
function keysOf({ change: { address }, field }: Target): readonly string[] {
  return ["organizations", ...address.split("/"), field];
}

describeDialects(
  "any edit of an exported organization",
  (dialect) => {
    it("is seen, accepted and put back", async () => {
      const [organization] = messyOrganization().organizations ?? [];
      const identity_provider_configs = [{ name: "Okta", scim_enabled: true }];
      const seed = { organizations: [{ ...organization, name: "Acme Inc", identity_provider_configs }] };
      const space = await workspace({ seed });
      const file = join(space.folder, "driftline.yaml");
      const { stdout: text } = await space.run(["export"]);
      await space.configure(text);
      const document = await space.plan();
      expect((await space.drift()).document.summary).toEqual(document.summary);
      const targets = targetsIn(space, document.changes, dialect);
      const seen = new Set<string>();
      const edit = fc.record({ which: fc.nat(targets.length - 1), choice: fc.nat() });
      await fc.assert(
        fc.asyncProperty(fc.array(edit, { minLength: 6, maxLength: 12 }), async (choices) => {
          const edits = choices.flatMap(({ which, choice }) => editOf(space, targets[which], choice));
          // One edit of each object.
          const made = [...new Map(edits.map((one) => [one.target.change.address, one])).values()];
          fc.pre(made.length > 0);
          for (const { target, id, value } of made) {
            seen.add(`${target.change.kind}.${target.field}`);
            space.emulator.edit(target.kind, id, { [target.field]: value });
          }
          const addresses = made.map(({ target }) => target.change.address);
          const edited = made
            .map(
              ({ target: { change, field }, old, value }) =>
                `${change.address} ${field}: ${show(old)} to ${show(value)}`,
            )
            .join("\n");
          const only = addresses.flatMap((address) => ["--only", address]);
          const found = await space.drift(...only);
          const drifted = found.document.changes.flatMap(({ action, address }) =>
            action === "no_op" ? [] : [address],
          );
          expect([found.code, drifted.toSorted()], `seen: ${edited}`).toEqual([2, addresses.toSorted()]);
          const accepted = await space.run(["drift", "--accept", "--yes", ...only]);
          expect([accepted.code, accepted.stderr], `accepted: ${edited}`).toEqual([
            0,
            expect.not.stringContaining("not accepted"),
          ]);
          expect((await space.drift(...only)).code, `nothing is left of ${edited}`).toBe(0);
          const undone = parseDocument(await readFile(file, "utf8"));
          for (const { target, old } of made) {
            const keys = keysOf(target);
            const declared = parseDocument(text).getIn(keys, true);
            undone.setIn(keys, declared ?? old);
          }
          await space.configure(undone.toString());
          const { code, stdout } = await space.run(["apply", "--yes", ...only], { env: secretsIn(text) });
          expect(code, `put back: ${edited}\n${stdout}`).toBe(0);
          await space.configure(text);
          expect((await space.drift(...only)).code, `as before: ${edited}`).toBe(0);
        }),
        { numRuns: budget(12), endOnFailure: true },
      );
      expect(seen.size).toBeGreaterThan(0);
    }, 1_800_000);
  },
  ALL_DIALECTS,
);
