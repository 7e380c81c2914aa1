import type { LoadedConfig } from "../../config/index.ts";
import { readAccess, type OrganizationAccess } from "../../engine/access.ts";
import { redacted } from "../../engine/redact.ts";
import { version } from "../../generated/version.ts";
import { commitsOfLines } from "../../git/line-commits.ts";
import { declaredPeople, type DeclaredPerson, peopleWithAccess, type AccessRows } from "../../kinds/access.ts";
import { formerPeople } from "../../kinds/removed-lines.ts";
import type { AccessDocument } from "../../model/access.ts";
import { publicUrlOf } from "../../api/http/service-url.ts";
import { renderAccess, type AccessFormat } from "../../report/access-formats.ts";
import { exitCodeOf, exitCodesOfDiagnostics, worst, type ExitCode } from "../exit-codes.ts";
import { Failure } from "../failure.ts";
import { sinceWhen, type ConfigOptions, type ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { loadConfigurationIfAny } from "../steps/config.ts";
import { withConnection } from "../steps/connect.ts";
import { NOTHING_REMOVED, type RemovedLines, removedLines } from "../steps/removed-lines.ts";
import { printResult, reportDiagnostics } from "../terminal/output.ts";

export interface AccessCommandOptions extends ConfigOptions, ServiceOptions {
  readonly format: AccessFormat;
  readonly organization?: string;
  readonly since?: string;
}

/** `driftline access`: who has access to an organization. Sends GET only. */
export async function accessCommand(
  runtime: Runtime,
  paths: readonly string[],
  options: AccessCommandOptions,
): Promise<ExitCode> {
  const config = await loadConfigurationIfAny(runtime, paths, options);
  const settings = { configured: config?.graph.service, mode: "read" } as const;
  const [access, url] = await withConnection(runtime, options, settings, async ({ client }) => [
    await readAccess(client, config?.graph, options.organization),
    publicUrlOf(client.url),
  ]);
  const { rows } = access;
  // What the files do not say, because one of them is not read, would look like people whom nobody declares.
  const diagnostics = [...(config?.diagnostics ?? []), ...access.diagnostics];
  if (rows === undefined) throw new Failure(worst(exitCodesOfDiagnostics(diagnostics)), diagnostics);
  const removed = config && (await removedLines(runtime, config, paths, options).catch(() => NOTHING_REMOVED));
  const takenOut = takenOutOf(access.address, removed);
  const document = await documentOf(runtime, config, { ...access, rows, diagnostics, url, takenOut }, options.since);
  reportDiagnostics(runtime, diagnostics, options);
  const view = { color: runtime.color.stdout, width: runtime.columns };
  const text = renderAccess(redacted(document, runtime.redactor), options.format, view);
  printResult(runtime, options.format, text);
  return exitCodeOf(runtime, exitCodesOfDiagnostics(diagnostics));
}

/** The commits that took people of an organization out of the files, by e-mail address. */
function takenOutOf(
  scope: string | undefined,
  { former }: RemovedLines = NOTHING_REMOVED,
): ReadonlyMap<string, string> {
  return new Map(
    former
      .filter(({ resource }) => resource.scope === scope)
      .flatMap(({ resource, commit }) =>
        formerPeople(resource).map((email) => [email, commit ?? "not committed"] as const),
      ),
  );
}

async function documentOf(
  { cwd, env, clock }: Runtime,
  config: LoadedConfig | undefined,
  {
    id,
    name,
    address,
    rows,
    diagnostics,
    url,
    takenOut,
  }: OrganizationAccess & {
    readonly rows: AccessRows;
    readonly url: string;
    readonly takenOut: ReadonlyMap<string, string>;
  },
  since: string | undefined,
): Promise<AccessDocument> {
  const isDeclared = config !== undefined && address !== undefined;
  const people = isDeclared ? declaredPeople(config.graph, address) : new Map<string, DeclaredPerson>();
  const declared = config === undefined ? undefined : people;
  const positions = [...people.values()].map(({ position }) => position);
  const now = clock.now();
  const from = since === undefined ? undefined : sinceWhen(since, now);
  const commitOf = await commitsOfLines(cwd, env, positions);
  return {
    type: "driftline.access",
    schema_version: 1,
    tool_version: version,
    url,
    made_at: new Date(now).toISOString(),
    since: from === undefined ? null : new Date(from).toISOString(),
    organization: { id, name },
    configured: config !== undefined,
    people: peopleWithAccess(rows, { declared, takenOut, commitOf, since: from }),
    diagnostics,
  };
}
