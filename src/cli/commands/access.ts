import type { LoadedConfig } from "../../config/index.ts";
import { readAccess, type OrganizationAccess } from "../../engine/access.ts";
import { takenOutForSure } from "../../engine/history/taken-out.ts";
import { redacted } from "../../engine/redact.ts";
import { version } from "../../generated/version.ts";
import { commitsOfLines } from "../../git/line-commits.ts";
import {
  accessSettings,
  declaredDomains,
  declaredPeople,
  type DeclaredPerson,
  peopleWithAccess,
  undeclaredLookAlikes,
  type AccessRows,
} from "../../kinds/people/index.ts";
import { formerPeople } from "../../kinds/former-resource.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { AccessDocument } from "../../model/access.ts";
import { renderAccess, type AccessFormat } from "../../report/access-formats.ts";
import { exitCodeOf, exitCodesOfDiagnostics, type ExitCode } from "../exit-codes.ts";
import { EngineError } from "../../model/engine-error.ts";
import { sinceWhen, type ConfigOptions, type ServiceOptions } from "../program/options.ts";
import type { Runtime } from "../runtime.ts";
import { loadConfigurationIfAny } from "../steps/config.ts";
import { withConnection } from "../steps/connect.ts";
import { removedLines } from "../steps/removed-lines.ts";
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
  const now = runtime.clock.now();
  const since = options.since === undefined ? undefined : sinceWhen(options.since, now);
  const config = await loadConfigurationIfAny(runtime, paths, options);
  const settings = { configured: config?.graph.service, mode: "read" } as const;
  const [access, url] = await withConnection(runtime, options, settings, async ({ client }) => [
    await readAccess(client, config?.graph, options.organization),
    client.url,
  ]);
  const { rows } = access;
  // A file that is not read may declare people. They would seem undeclared, so its warning is shown.
  const problems = [...(config?.diagnostics ?? []), ...access.diagnostics];
  if (rows === undefined) throw new EngineError("failed", problems);
  const removed = config && (await peopleTakenOut(runtime, config, { paths, options, address: access.address, url }));
  const { takenOut = new Map<string, string>(), partly = [] } = removed ?? {};
  const reviewed = { ...access, rows, diagnostics: [...problems, ...partly], url, takenOut, now, since };
  const document = await documentOf(runtime, config, reviewed);
  reportDiagnostics(runtime, document.diagnostics, options);
  const view = { color: runtime.color.stdout, width: runtime.columns };
  const text = renderAccess(redacted(document, runtime.redactor), options.format, view);
  printResult(runtime, options.format, text);
  return exitCodeOf(runtime, exitCodesOfDiagnostics(document.diagnostics));
}

/** The command, and what it has found. */
interface Review extends Pick<OrganizationAccess, "address"> {
  readonly paths: readonly string[];
  readonly options: AccessCommandOptions;
  readonly url: string;
}

/** The people of an organization who were taken out of its files, with the commits; why that is not known, if only a part was given. */
async function peopleTakenOut(
  runtime: Runtime,
  config: LoadedConfig,
  { paths, options, address, url }: Review,
): Promise<{ readonly takenOut: ReadonlyMap<string, string>; readonly partly: readonly Diagnostic[] }> {
  const { former } = await removedLines(runtime, config, paths, options);
  const people = former.filter(({ resource }) => resource.scope === address && formerPeople(resource).length > 0);
  const { sure, partly } = takenOutForSure(config, { url, cwd: runtime.cwd }, people);
  const commits = sure.flatMap(({ resource, commit = "not committed" }) =>
    formerPeople(resource).map((email) => [email, commit] as const),
  );
  return { takenOut: new Map(commits), partly };
}

/** Who has access to an organization, and what the files say about it. */
interface ReviewedAccess extends OrganizationAccess {
  readonly rows: AccessRows;
  readonly url: string;
  readonly takenOut: ReadonlyMap<string, string>;
  /** Milliseconds since 1970, as `since`. */
  readonly now: number;
  readonly since: number | undefined;
}

async function documentOf(
  { cwd, env }: Runtime,
  config: LoadedConfig | undefined,
  { id, name, address, values, rows, diagnostics, url, takenOut, now, since }: ReviewedAccess,
): Promise<AccessDocument> {
  const isDeclared = config !== undefined && address !== undefined;
  const inFiles = isDeclared ? declaredPeople(config.graph, address) : new Map<string, DeclaredPerson>();
  const domains = isDeclared ? declaredDomains(config.graph, address) : [];
  const declared = config === undefined ? undefined : inFiles;
  const positions = [...inFiles.values()].map(({ position }) => position);
  const commitOf = await commitsOfLines(cwd, env, positions);
  const people = peopleWithAccess(rows, { domains, declared, takenOut, commitOf, since });
  return {
    type: "driftline.access",
    schema_version: 1,
    tool_version: version,
    url,
    made_at: new Date(now).toISOString(),
    since: since === undefined ? null : new Date(since).toISOString(),
    organization: { id, name },
    settings: accessSettings(values, rows),
    configured: config !== undefined,
    people,
    diagnostics: [...diagnostics, ...undeclaredLookAlikes(rows, { people, domains, scope: address })],
  };
}
