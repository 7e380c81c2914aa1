/** Every writable field of today's service is declared once, and arrives. */
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { isObject, type JsonObject } from "../../src/emulator/json.ts";
import {
  CURRENT_DECLARATIONS,
  DECLARED_SETTINGS,
  INTEGRATION_KINDS,
  LOGO,
  NOT_DECLARED,
  SEEDED_DOMAIN,
  SETTINGS_NOT_DECLARED,
} from "../support/current-fields.ts";
import { outcomesOf } from "../support/cli.ts";
import { workspace } from "../support/workspace.ts";

const ACME = "0190aa11-0000-4000-8000-00000000000a";
/** Outside the project: no part of it may be committed. */
const FIELDS = new URL("../../../shared/interface/current-fields.json", import.meta.url);
const fields = await readFile(FIELDS, "utf8").then(
  (text) => (JSON.parse(text) as { families: Record<string, Record<string, JsonObject>> }).families,
  () => undefined,
);

/** All declarations in one configuration. */
function configuration(): object {
  const organization: Record<string, unknown> = {};
  const project: Record<string, unknown> = { id: 2 };
  for (const { at, inProject, values } of CURRENT_DECLARATIONS) {
    if (at === undefined) {
      Object.assign(organization, values);
      continue;
    }
    const [collection, key] = at;
    const around = inProject === true ? project : organization;
    around[collection] = { ...(around[collection] as object | undefined), [key]: values };
  }
  return { driftline: 1, organizations: { acme: { id: ACME, ...organization, projects: { web: project } } } };
}

it("every writable field is declared once, and converges", async () => {
  const { emulator, configure, run, drift } = await workspace({ dialect: "current" });
  for (const [id, kind] of Object.entries(INTEGRATION_KINDS))
    emulator.insert("integration", { project: 2 }, { id: Number(id), kind });
  emulator.insert("media", { organization: ACME }, { id: LOGO });
  emulator.insert("domain", { organization: ACME }, SEEDED_DOMAIN);
  await configure(configuration());
  const result = await run(["apply", "--yes", "--format", "json"], { env: { TOKEN: "hush-hush-42" } });
  const { changes } = outcomesOf(result);
  expect(changes.filter(({ status }) => status !== "applied" && status !== "unchanged")).toEqual([]);
  expect(changes.filter(({ action }) => action !== "no_op")).toHaveLength(CURRENT_DECLARATIONS.length);
  const { code, document } = await drift();
  expect(document.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
  // An admin is declared, and the others who have rights are not.
  expect([code, [...new Set(document.diagnostics.map((one) => one.code))]]).toEqual([2, ["undeclared_rights"]]);
  const stored = emulator.find("invite", (one) => one["target_email"] === "carol@acme.com");
  expect(stored).toMatchObject([{ private_project_access: [{ id: 2, level: "member" }] }]);
});

it.skipIf(fields === undefined)("the declarations have every writable field of the interface", () => {
  const writable = Object.entries(fields ?? {}).flatMap(([family, { create = {}, update = {} }]) =>
    Object.entries({ ...create, ...update }).flatMap(([name, field]) =>
      isObject(field) && field["readOnly"] !== true ? [`${family}.${name}`] : [],
    ),
  );
  const declared = CURRENT_DECLARATIONS.flatMap(({ family, values }) =>
    Object.keys(values).map((name) => `${family}.${name}`),
  );
  expect([...new Set([...declared, ...NOT_DECLARED])].toSorted()).toEqual(writable.toSorted());
});

/** What can be declared of any type. What else the service tolerates there is its own. */
const OF_ANY_TYPE = new Set(["exclude_events", "include_events"]);

it.skipIf(fields === undefined)("the declarations have every setting of every destination, or say why not", () => {
  const { anyType: { tolerated = [] } = {}, ...types } = (fields?.["batch_export"]?.["config"] ?? {}) as Record<
    string,
    SettingsOfType
  >;
  const known = Object.entries(types).flatMap(([type, { required = [], optional = {} }]) =>
    type in SETTINGS_NOT_DECLARED ? [type] : [...required, ...Object.keys(optional)].map((key) => `${type}.${key}`),
  );
  const ofAll = tolerated.filter((key) => OF_ANY_TYPE.has(key));
  expect([...DECLARED_SETTINGS, ...Object.keys(SETTINGS_NOT_DECLARED)].toSorted()).toEqual(
    [...known, ...ofAll].toSorted(),
  );
});

interface SettingsOfType {
  readonly required?: readonly string[];
  readonly optional?: JsonObject;
  readonly tolerated?: readonly string[];
}
