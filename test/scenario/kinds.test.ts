import { afterAll, describe, expect, it } from "vitest";
import type { Emulator, EmulatedKind, StoredObject } from "../../src/emulator/index.ts";
import { declarableFields } from "../../src/kinds/fields.ts";
import type { KindName } from "../../src/model/kind-name.ts";
import { SEED, workspace, type Workspace } from "../support/workspace.ts";

const ACME = SEED.organizations[0]?.id ?? "";

/** The life of one resource: what is declared, how each writable field is changed, what others do to it. */
interface Life {
  readonly kind: KindName;
  readonly stored: EmulatedKind;
  /** Where it is declared: keys below `organizations`. */
  readonly at: readonly string[];
  readonly create: Readonly<Record<string, unknown>>;
  /** The next value of each writable field, one after the other. */
  readonly changes: Readonly<Record<string, unknown>>;
  /** Fields whose change is not one PATCH with that key alone, and what it is instead. */
  readonly instead?: Readonly<Record<string, "replace" | "transition" | "overlay">>;
  /** Fields that cannot be changed on this resource, with the reason. */
  readonly not?: Readonly<Record<string, string>>;
  readonly edit: { readonly field: string; readonly value: unknown };
  readonly find: (object: StoredObject) => boolean;
  /** How a declared value is stored, where that is not as it is. */
  readonly asStored?: (field: string, value: unknown) => unknown;
  readonly applyArgs?: readonly string[];
  readonly adopted?: boolean;
  /** What a deployed server does not let happen, and why. */
  readonly deployed?: { readonly skip?: string; readonly without?: Readonly<Record<string, string>> };
}

const LEVELS: Readonly<Record<string, number>> = { member: 1, admin: 8, owner: 15 };
const levelAsStored = (field: string, value: unknown): unknown => (field === "level" ? LEVELS[String(value)] : value);
const byName =
  (...names: readonly string[]) =>
  (object: StoredObject) =>
    names.includes(String(object["name"]));
const invited = (object: StoredObject) => /^eve2?@acme.com$/.test(String(object["target_email"]));

const exportLife = (at: readonly string[]): Life => ({
  kind: "batch_export",
  stored: "batch_export",
  at: [...at, "batch_exports", "events"],
  create: {
    name: "Events",
    interval: "hour",
    destination: {
      type: "S3",
      config: { bucket_name: "b", region: "eu", prefix: "e/", aws_secret_access_key: "${secret:AWS}" },
    },
  },
  changes: {
    name: "Events 2",
    model: "persons",
    interval: "day",
    paused: true,
    last_paused_at: "2024-01-02T03:04:05Z",
    start_at: "2024-01-01T00:00:00Z",
    end_at: "2025-01-01T00:00:00Z",
    hogql_query: "select 1",
    destination: {
      type: "S3",
      config: { bucket_name: "b", region: "us", prefix: "e/", aws_secret_access_key: "${secret:AWS}" },
    },
  },
  instead: { paused: "transition", destination: "overlay" },
  edit: { field: "interval", value: "week" },
  find: byName("Events", "Events 2"),
  deployed: at.includes("projects")
    ? { without: { hogql_query: "write-only: it is sent on create and with --rotate" } }
    : { skip: "deployed servers answer 500 to writes on the organization's route" },
  asStored: (_field, value) => JSON.parse(JSON.stringify(value).replaceAll("${secret:AWS}", "hush-hush-42")) as unknown,
});

const pluginLife = (kind: "pipeline_destination" | "pipeline_frontend_app" | "pipeline_import_app"): Life => ({
  kind,
  stored: kind,
  at: ["acme", `${kind}s`, "sink"],
  create: { name: "Sink", plugin_type: "source" },
  changes: {
    name: "Sink 2",
    plugin_type: "custom",
    description: "where things go",
    icon: "https://icons.example/sink.png",
    config_schema: [{ key: "host", type: "string" }],
    tag: "1.2.3",
    is_global: true,
    capabilities: { methods: ["onEvent"] },
    metrics: { sent: "sum" },
    public_jobs: { flush: {} },
  },
  not: { url: "immutable: another url is another plugin" },
  edit: { field: "description", value: "edited" },
  find: byName("Sink", "Sink 2"),
  deployed: { without: { is_global: "a global plugin cannot be deleted", capabilities: "moves it to another group" } },
});

const lives: readonly Life[] = [
  {
    kind: "organization",
    stored: "organization",
    at: ["beta"],
    create: { name: "Beta" },
    changes: { name: "Beta Corp", is_member_join_email_enabled: false, enforce_2fa: true },
    edit: { field: "enforce_2fa", value: null },
    find: byName("Beta", "Beta Corp"),
    applyArgs: ["--confirm-organization", "Beta Corp"],
  },
  {
    kind: "domain",
    stored: "domain",
    at: ["acme", "domains", "corp"],
    create: { domain: "acme.com" },
    changes: {
      domain: "acme.org",
      jit_provisioning_enabled: true,
      sso_enforcement: "saml",
      saml_entity_id: "urn:acme",
      saml_acs_url: "https://acme.com/acs",
      saml_x509_cert: "MIIB",
    },
    edit: { field: "saml_entity_id", value: "urn:other" },
    find: () => true,
    deployed: {
      without: { jit_provisioning_enabled: "needs a verified domain", sso_enforcement: "needs a verified domain" },
    },
  },
  {
    kind: "invite",
    stored: "invite",
    at: ["acme", "invites", "eve"],
    create: { target_email: "eve@acme.com" },
    changes: { target_email: "eve2@acme.com", first_name: "Eve", level: "admin", message: "Welcome" },
    instead: { target_email: "replace", first_name: "replace", level: "replace", message: "replace" },
    edit: { field: "level", value: 1 },
    find: invited,
    asStored: levelAsStored,
  },
  {
    kind: "member",
    stored: "member",
    at: ["acme", "members", "bob@acme.com"],
    create: { level: "member" },
    changes: { level: "admin" },
    edit: { field: "level", value: 1 },
    find: (object) => JSON.stringify(object).includes("bob@acme.com"),
    asStored: levelAsStored,
    adopted: true,
  },
  {
    kind: "membership",
    stored: "invite",
    at: ["acme", "memberships", "eve@acme.com"],
    create: { level: "member" },
    changes: { level: "admin" },
    instead: { level: "replace" },
    edit: { field: "level", value: 1 },
    find: invited,
    asStored: levelAsStored,
  },
  exportLife(["acme"]),
  exportLife(["acme", "projects", "web"]),
  pluginLife("pipeline_destination"),
  pluginLife("pipeline_frontend_app"),
  pluginLife("pipeline_import_app"),
  {
    kind: "insight",
    stored: "insight",
    at: ["acme", "projects", "web", "insights", "signups"],
    create: { name: "Signups" },
    changes: {
      name: "Sign-ups",
      derived_name: "derived",
      filters: { events: [{ id: "a" }] },
      query: { kind: "TrendsQuery", series: [{ event: "a" }] },
      order: 3,
      dashboards: [7],
      description: "New accounts",
      tags: ["growth"],
      favorited: true,
      saved: true,
    },
    instead: { filters: "overlay", query: "overlay" },
    edit: { field: "description", value: "edited" },
    find: (object) => /^Sign-?ups$/i.test(String(object["name"])) && object["deleted"] !== true,
  },
];

/** The configuration that declares `values` at a place below `organizations`. */
function configAt(at: readonly string[], values: object, lifecycle: object): object {
  const leaf = Object.keys(lifecycle).length === 0 ? values : { ...values, lifecycle };
  const tree = at.reduceRight<object>((inner, key) => ({ [key]: inner }), leaf);
  const [organization = ""] = at;
  const fields = organization === "acme" ? { id: ACME } : {};
  const inner = (tree as Readonly<Record<string, { readonly projects?: { readonly web?: object } }>>)[organization];
  const projects = at.includes("projects") ? { projects: { web: { id: "2", ...projectOf(inner) } } } : {};
  return { driftline: 1, organizations: { [organization]: { ...fields, ...inner, ...projects } } };
}

function projectOf(organization: { readonly projects?: { readonly web?: object } } | undefined): object {
  return organization?.projects?.web ?? {};
}

function writes(emulator: Emulator): readonly { readonly method: string; readonly body: unknown }[] {
  return emulator.requests.filter(({ method }) => method !== "GET").map(({ method, body }) => ({ method, body }));
}

async function expectEmpty({ plan }: Workspace): Promise<void> {
  const document = await plan();
  expect(document.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(document.changes.filter(({ action }) => action !== "no_op")).toEqual([]);
}

const steps: string[][] = [];

const cases = (["document", "deployed"] as const).flatMap((dialect) =>
  lives
    .filter((life) => dialect === "document" || life.deployed?.skip === undefined)
    .map((life) => [life.at.join("/"), dialect, life] as const),
);

describe.each(cases)("the life of %s on a server that speaks %s", (_name, dialect, life) => {
  it("is created, changed field by field, edited by others, put right, and removed", { timeout: 120_000 }, async () => {
    const space = await workspace({ dialect });
    const { emulator, configure, drift } = space;
    const env = { AWS: "hush-hush-42" };
    const applied = async (args: readonly string[] = []) => {
      emulator.clearRequests();
      const result = await space.run(["apply", "--yes", "--format", "json", ...args], { env });
      expect(result.stderr + String(result.code)).toMatch(/0$/);
      return result;
    };
    const stored = (): StoredObject => {
      const [found, more] = emulator.find(life.stored, life.find);
      expect(more).toBeUndefined();
      if (found === undefined) throw new Error("it is not there");
      return found;
    };
    const asStored = life.asStored ?? ((_field, value) => value);
    const founding = life.kind === "organization" ? { create: true } : {};

    let values = { ...life.create };
    if (life.adopted !== true) expect(emulator.find(life.stored, life.find)).toEqual([]);
    await configure(configAt(life.at, values, founding));
    await applied();
    for (const [field, value] of Object.entries(values))
      expect(stored()).toMatchObject({ [field]: asStored(field, value) });
    await expectEmpty(space);

    const without = dialect === "deployed" ? (life.deployed?.without ?? {}) : {};
    for (const [field, value] of Object.entries(life.changes)) {
      if (field in without) continue;
      const before = String(values["name"] ?? "");
      values = { ...values, [field]: value };
      const key = field === "name" || field === "domain" || field === "target_email";
      const from = key && life.kind !== "invite" ? { renamed_from: String(life.create[field] ?? before) } : {};
      // Type and name make one key: both together are what it was before.
      if (field === "plugin_type") Object.assign(from, { renamed_from: `source ${before}` });
      await configure(configAt(life.at, values, { ...founding, ...from }));
      if (life.kind === "invite" && key)
        emulator.find("invite", invited).forEach(({ id }) => emulator.remove("invite", String(id)));
      await applied();
      // Services add to free-form values: what was declared is in there.
      expect(stored()).toMatchObject({ [field]: asStored(field, value) });
      const how = life.instead?.[field];
      const sent = writes(emulator);
      if (how === undefined) expect(sent).toEqual([{ method: "PATCH", body: { [field]: asStored(field, value) } }]);
      if (how === "overlay")
        expect(sent.map(({ method, body }) => [method, Object.keys(body as object)])).toEqual([["PATCH", [field]]]);
      if (how === "transition") expect(sent.map(({ method }) => method)).toEqual(["POST"]);
      if (how === "replace") expect(sent.at(-1)?.method).toBe("POST");
      await configure(configAt(life.at, values, founding));
      await expectEmpty(space);
    }
    const fields = declarableFields(life.kind).filter((field) => !["id", "short_id"].includes(field));
    expect([...Object.keys(life.changes), ...Object.keys(life.not ?? {})].toSorted()).toEqual(fields.toSorted());

    emulator.edit(life.stored, stored()["id"], { [life.edit.field]: life.edit.value } as never);
    const seen = await drift();
    expect(seen.code).toBe(2);
    const drifted = seen.document.changes.filter(({ action }) => action !== "no_op");
    expect(drifted.flatMap((change) => change.fields.map(({ path }) => path))).toEqual([`/${life.edit.field}`]);
    await applied();
    expect(stored()[life.edit.field]).toEqual(asStored(life.edit.field, values[life.edit.field]));
    await expectEmpty(space);

    await configure(
      configAt(life.at, life.kind === "organization" ? { name: values["name"] } : values, { state: "absent" }),
    );
    await applied(life.applyArgs);
    expect(emulator.find(life.stored, life.find)).toEqual([]);
    await expectEmpty(space);
    expect(emulator.requests.filter(({ status }) => (status ?? 0) >= 400 && status !== 404)).toEqual([]);
    steps.push([
      dialect,
      life.kind,
      life.at.join("/"),
      life.adopted === true ? "adopted" : "created",
      `${String(Object.keys(life.changes).length - Object.keys(without).length)} fields changed`,
      "drift put right",
      "removed",
    ]);
  });
});

afterAll(() => {
  const widths = (steps[0] ?? []).map((_cell, column) => Math.max(...steps.map((row) => row[column]?.length ?? 0)));
  console.log(steps.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  ")).join("\n"));
});
