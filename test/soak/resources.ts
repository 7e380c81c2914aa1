/** Resources of every kind that can be created, and the number of objects that each one has become. */
import type { BareEmulator } from "../../src/emulator/emulator.ts";
import type { Dialect, EmulatedKind, StoredObject } from "../../src/emulator/index.ts";

export const ACME = "0190aa11-0000-4000-8000-00000000000a";
export const SEED = { organizations: [{ id: ACME, name: "Acme Inc", projects: [{ id: 2, name: "Web" }] }] };

/** One kind on one route. */
export interface Made {
  /** The path of its creates and lists. */
  readonly path: RegExp;
  readonly stored: readonly EmulatedKind[];
  /** Address of the n-th one. */
  readonly address: (n: number) => string;
  /** Its declaration. */
  readonly declare: (n: number) => object;
  /** Whether an object is the n-th one. */
  readonly is: (object: StoredObject, n: number) => boolean;
  /** Whether deployed servers refuse creates on this route. */
  readonly documentOnly?: boolean;
}

const EXPORT = { interval: "hour", destination: { type: "NoOp", config: {} } };
const inWeb = (object: StoredObject): boolean => object["project_id"] === 2;

function plugin(group: string): Made {
  return {
    path: new RegExp(`/${group}/?$`),
    stored: ["pipeline_destination", "pipeline_frontend_app", "pipeline_import_app"],
    address: (n) => `acme/${group}/r${String(n)}`,
    declare: (n) => ({ name: `${group} ${String(n)}`, plugin_type: "source" }),
    is: ({ name }, n) => name === `${group} ${String(n)}`,
  };
}

/** Every kind that is created, batch exports on both routes. */
export const MADE: readonly Made[] = [
  {
    path: /\/organizations\/?$/,
    stored: ["organization"],
    address: (n) => `o${String(n)}`,
    declare: (n) => ({ name: `Org ${String(n)}`, lifecycle: { create: true } }),
    is: ({ name }, n) => name === `Org ${String(n)}`,
  },
  {
    path: /\/domains\/?$/,
    stored: ["domain"],
    address: (n) => `acme/domains/r${String(n)}`,
    declare: (n) => ({ domain: `r${String(n)}.acme.com` }),
    is: ({ domain }, n) => domain === `r${String(n)}.acme.com`,
  },
  {
    path: /\/invites\/?$/,
    stored: ["invite"],
    address: (n) => `acme/invites/r${String(n)}`,
    declare: (n) => ({ target_email: `Invited${String(n)}@acme.com`, level: "admin" }),
    is: ({ target_email }, n) => String(target_email).toLowerCase() === `invited${String(n)}@acme.com`,
  },
  {
    path: /\/invites\/?$/,
    stored: ["invite"],
    address: (n) => `acme/memberships/member${String(n)}@acme.com`,
    declare: () => ({ level: "member" }),
    is: ({ target_email }, n) => target_email === `member${String(n)}@acme.com`,
  },
  {
    path: /\/organizations\/[^/]+\/batch_exports\/?$/,
    stored: ["batch_export"],
    address: (n) => `acme/batch_exports/r${String(n)}`,
    // The names are those of the exports of the project: both are in the organization's list.
    declare: (n) => ({ name: `Export ${String(n)}`, ...EXPORT }),
    is: (object, n) => object["name"] === `Export ${String(n)}` && !inWeb(object),
    documentOnly: true,
  },
  {
    path: /\/projects\/2\/batch_exports\/?$/,
    stored: ["batch_export"],
    address: (n) => `acme/projects/web/batch_exports/r${String(n)}`,
    declare: (n) => ({ name: `Export ${String(n)}`, ...EXPORT }),
    is: (object, n) => object["name"] === `Export ${String(n)}` && inWeb(object),
  },
  plugin("pipeline_destinations"),
  plugin("pipeline_frontend_apps"),
  plugin("pipeline_import_apps"),
  {
    path: /\/insights\/?$/,
    stored: ["insight"],
    address: (n) => `acme/projects/web/insights/r${String(n)}`,
    declare: (n) => ({ name: `Insight ${String(n)}`, tags: ["t"], description: `d${String(n)}` }),
    is: (object, n) => object["name"] === `Insight ${String(n)}` && object["deleted"] !== true,
  },
];

/** Lists the kinds that a service of the dialect can create. */
export function creatable(dialect: Dialect): readonly Made[] {
  return MADE.filter(({ documentOnly }) => dialect === "document" || documentOnly !== true);
}

/** A configuration with `each` resources of each kind. */
export function configurationOf(kinds: readonly Made[], each: number): object {
  const tree: Record<string, unknown> = { acme: { id: ACME, projects: { web: { id: "2" } } } };
  for (const { address, declare } of kinds) {
    for (let n = 0; n < each; n += 1) place(tree, address(n).split("/"), declare(n));
  }
  return { driftline: 1, organizations: tree };
}

function place(tree: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: object): void {
  if (rest.length === 0) tree[name] = value;
  else place((tree[name] ??= {}) as Record<string, unknown>, rest, value);
}

/** Lists the objects of the n-th resource of a kind. */
export function objectsOf(emulator: BareEmulator, { stored, is }: Made, n: number): readonly StoredObject[] {
  const found = stored.flatMap((kind) => emulator.find(kind, (object) => is(object, n)));
  // Deployed servers show a plugin in every group that its capabilities name.
  return [...new Map(found.map((object) => [object.id, object])).values()];
}
