/** The small world of the model: a fixed number of slots for resources. Each may be declared in several ways. */
import type { EmulatedKind, StoredObject } from "../../src/emulator/index.ts";
import { ACME } from "../soak/resources.ts";

export const SECRET = "hush-hush-4711";
export const ENV = { HUSH: SECRET };
const EMAIL = { pending: "eve@acme.com", joined: "ada@acme.com", invited: "ivy@acme.com" } as const;

/** The initial live objects. */
export const LIVE = {
  organizations: [
    {
      id: ACME,
      name: "Acme Inc",
      projects: [{ id: 2, name: "Web" }],
      members: [
        { email: EMAIL.joined, level: 1 },
        { email: "zoe@acme.com", level: 8 },
      ],
    },
  ],
};

/** The number of ways to declare a slot. */
export const VARIANTS = 3;

/** A slot for one resource. */
export interface Slot {
  readonly address: string;
  readonly stored: readonly EmulatedKind[];
  /** Returns its declaration. `renamed` selects its other name, if it has one. */
  readonly values: (variant: number, renamed: boolean) => Readonly<Record<string, unknown>>;
  /** Reports whether a live object is the declared one, under either name. */
  readonly is: (object: StoredObject) => boolean;
  /** Both names, if the natural key can change. */
  readonly names?: readonly [string, string];
  /** A field that another user may change, and that may be ignored. */
  readonly field?: string;
  /** Whether a change may be made by replacing the object. */
  readonly replaced?: boolean;
  /** Available only in the `document` dialect. */
  readonly documentOnly?: boolean;
  /** It is never declared absent, because that needs its name on the command line. */
  readonly keeps?: boolean;
}

const LEVELS = ["member", "admin", "owner"] as const;
const DESTINATIONS = [
  { type: "NoOp", config: {} },
  { type: "HTTP", config: { url: "https://sink.acme.com", token: "${secret:HUSH}" } },
  { type: "S3", config: { bucket_name: "b", region: "eu", prefix: "p", aws_secret_access_key: "${secret:HUSH}" } },
] as const;
const emailOf = (object: StoredObject): string =>
  String(object["target_email"] ?? (object["user"] as { readonly email?: string } | undefined)?.email).toLowerCase();
const isAlive = (object: StoredObject): boolean => object["deleted"] !== true;

function domain(name: string, organization = "acme"): Slot {
  return {
    address: `${organization}/domains/${name.replaceAll(".", "-")}`,
    stored: ["domain"],
    values: (variant) => ({ domain: name, ...(variant === 0 ? {} : { jit_provisioning_enabled: variant === 1 }) }),
    is: (object) => object["domain"] === name,
    field: "jit_provisioning_enabled",
  };
}

function named(address: string, name: string, stored: EmulatedKind, more: Partial<Slot> & Pick<Slot, "values">): Slot {
  const names = [name, `${name} again`] as const;
  const { values } = more;
  return {
    address,
    stored: [stored],
    names,
    is: (object) => isAlive(object) && names.some((one) => one === object["name"]),
    ...more,
    values: (variant, renamed) => ({ name: names[renamed ? 1 : 0], ...values(variant, renamed) }),
  };
}

const plugin = (group: string, name: string): Slot =>
  named(`acme/${group}s/${name}`, name, group as EmulatedKind, {
    values: (variant) => ({ plugin_type: "source", ...(variant === 0 ? {} : { description: `d${String(variant)}` }) }),
    field: "description",
  });
const insight = (name: string): Slot =>
  named(`acme/projects/web/insights/${name}`, name, "insight", {
    values: (variant) => ({ description: `d${String(variant)}`, ...(variant === 1 ? { tags: ["a", "b"] } : {}) }),
    field: "description",
  });
const batchExport = (scope: string, name: string, more: Partial<Slot> = {}): Slot =>
  named(`${scope}/batch_exports/${name}`, name, "batch_export", {
    values: (variant) => ({ interval: "hour", destination: DESTINATIONS[variant] }),
    field: "interval",
    replaced: true,
    ...more,
  });
const person = (address: string, email: string, more: Partial<Slot> = {}): Slot => ({
  address,
  stored: ["invite"],
  values: (variant) => ({ level: LEVELS[variant] }),
  is: (object) => emailOf(object) === email,
  replaced: true,
  ...more,
});

/** An organization comes before its children. */
export const SLOTS: readonly Slot[] = [
  {
    address: "beta",
    stored: ["organization"],
    values: (variant) => ({ name: "Beta", ...(variant === 0 ? {} : { is_member_join_email_enabled: variant === 1 }) }),
    is: (object) => object["name"] === "Beta",
    keeps: true,
  },
  domain("beta.com", "beta"),
  domain("a.acme.com"),
  domain("b.acme.com"),
  person("acme/invites/ivy", EMAIL.invited, {
    values: (variant) => ({ target_email: EMAIL.invited, level: LEVELS[variant] }),
  }),
  person(`acme/memberships/${EMAIL.pending}`, EMAIL.pending),
  person(`acme/memberships/${EMAIL.joined}`, EMAIL.joined, { stored: ["member", "invite"] }),
  batchExport("acme", "Own", { documentOnly: true }),
  batchExport("acme/projects/web", "Events"),
  batchExport("acme/projects/web", "Persons"),
  plugin("pipeline_destination", "Sink"),
  plugin("pipeline_destination", "Drain"),
  plugin("pipeline_frontend_app", "Front"),
  plugin("pipeline_import_app", "Import"),
  insight("Signups"),
  insight("Churn"),
  insight("Funnel"),
];

/** The collections that may be exclusive, and their slots. */
export const EXCLUSIVE = [
  { scope: "acme", collection: "domains", stored: "domain" },
  { scope: "acme", collection: "pipeline_destinations", stored: "pipeline_destination" },
  { scope: "web", collection: "insights", stored: "insight" },
  { scope: "web", collection: "batch_exports", stored: "batch_export" },
] as const;
