import { mkdir, writeFile } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Client } from "../../api/client.ts";
import { exportConfiguration, type ExportOrganization } from "../../export/index.ts";
import { teamsOf } from "../../kinds/organization.ts";
import { allKinds } from "../../kinds/registry.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { KindName } from "../../model/kind-name.ts";
import { listKey, type LiveObject, type LiveScope } from "../../model/live.ts";
import { renderDiagnostics } from "../../report/index.ts";
import { readOrganizations, takeSnapshot, type Listing, type Reading } from "../../snapshot/snapshot.ts";
import { EXIT, ofDiagnostics, worst, type ExitCode } from "../exit-codes.ts";
import { Failure, failure } from "../failure.ts";
import type { ServiceOptions } from "../options.ts";
import type { Runtime } from "../runtime.ts";
import { connect } from "../service.ts";

export interface ExportCommandOptions extends ServiceOptions {
  readonly organization?: readonly string[];
  readonly project?: readonly string[];
  readonly out?: string;
  readonly ids: boolean;
}

/** `driftline export`: a configuration out of what is live. Sends GET only. */
export async function exportCommand(runtime: Runtime, options: ExportCommandOptions): Promise<ExitCode> {
  const { client, progress } = connect(runtime, options, undefined, "read");
  try {
    const { organizations, diagnostics } = await readAll(client, options);
    if (runtime.signal.aborted) return EXIT.interrupted;
    const result = exportConfiguration(organizations, { ids: options.ids });
    const all = [...diagnostics, ...result.diagnostics];
    runtime.err(renderDiagnostics(all, { color: runtime.color.stderr }));
    if (organizations.length > 0) await write(runtime, options.out, result.files);
    return worst(ofDiagnostics(all));
  } finally {
    progress.done();
    await client.close();
  }
}

interface Everything {
  readonly organizations: readonly ExportOrganization[];
  readonly diagnostics: readonly Diagnostic[];
}

async function readAll(client: Client, options: ExportCommandOptions): Promise<Everything> {
  const root = await readOrganizations(client, options.organization ?? []);
  const list = root.lists.get(listKey("", "organization"));
  const wanted = (list?.objects ?? []).filter(
    ({ id }) => options.organization === undefined || options.organization.includes(id),
  );
  if (list?.status === "unknown" && wanted.length === 0) return { organizations: [], diagnostics: root.diagnostics };
  const missing = options.organization?.filter((id) => !wanted.some((live) => live.id === id)) ?? [];
  if (missing.length > 0)
    throw failure(
      EXIT.error,
      "not_found",
      `the key sees no organization with the id ${missing.join(", ")}`,
      "Without --organization everything that the key sees is exported.",
    );
  const scopes = new Map(wanted.flatMap((organization) => scopesOf(organization, options.project)));
  const reading = await takeSnapshot(
    client,
    scopes,
    [...scopes].flatMap(([scope, found]) => listingsOf(scope, found)),
  );
  return {
    organizations: wanted.map((organization) => assemble(organization, scopes, reading)),
    diagnostics: [...root.diagnostics, ...reading.diagnostics],
  };
}

/** Scopes by id, since nothing has a logical name yet. */
function scopesOf(
  organization: LiveObject,
  projects: readonly string[] | undefined,
): readonly (readonly [string, LiveScope])[] {
  const ids = (teamsOf(organization.values) ?? [])
    .map(({ id }) => id)
    .filter((id) => projects === undefined || projects.includes(id));
  return [
    [organization.id, { status: "known", path: { organization_id: organization.id } }],
    ...ids.map((id): [string, LiveScope] => [
      `${organization.id}/${id}`,
      { status: "known", path: { project_id: id } },
    ]),
  ];
}

/** Every kind that is exported in its own right. */
function listingsOf(scope: string, found: LiveScope): readonly Listing[] {
  const type = found.status === "known" && "project_id" in found.path ? "project" : "organization";
  return allKinds.flatMap((kind) =>
    kind.scopes.includes(type) && kind.composite !== true ? [{ scope, kind: kind.name, full: true }] : [],
  );
}

function assemble(
  organization: LiveObject,
  scopes: ReadonlyMap<string, LiveScope>,
  reading: Reading,
): ExportOrganization {
  const projects = (teamsOf(organization.values) ?? []).filter(({ id }) => scopes.has(`${organization.id}/${id}`));
  return {
    organization,
    lists: listsOf(organization.id, reading),
    projects: projects.map(({ id, name }) => ({ id, name, lists: listsOf(`${organization.id}/${id}`, reading) })),
  };
}

function listsOf(scope: string, reading: Reading): Readonly<Partial<Record<KindName, readonly LiveObject[]>>> {
  return Object.fromEntries(allKinds.map(({ name }) => [name, reading.lists.get(listKey(scope, name))?.objects ?? []]));
}

/** To stdout, or to files that are not there yet: a configuration with comments is not for a tool to overwrite. */
async function write(
  runtime: Runtime,
  out: string | undefined,
  files: readonly { readonly name: string; readonly text: string }[],
): Promise<void> {
  if (out === undefined) return files.forEach(({ text }, index) => runtime.out((index === 0 ? "" : "---\n") + text));
  const folder = resolve(runtime.cwd, out);
  const taken = files.map(({ name }) => join(folder, name)).filter((file) => existsSync(file));
  if (taken.length > 0) {
    throw new Failure(
      EXIT.invalid,
      taken.map((file) => ({
        severity: "error",
        code: "file_exists",
        message: `${relative(runtime.cwd, file)} is there already`,
        hint: "Export into an empty folder.",
      })),
    );
  }
  await mkdir(folder, { recursive: true });
  for (const { name, text } of files) {
    await writeFile(join(folder, name), text, { flag: "wx" });
    runtime.out(`${relative(runtime.cwd, join(folder, name))}\n`);
  }
}
