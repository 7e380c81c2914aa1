/** The warnings of a plan, and of `validate`. They decide nothing. */
import { CODES } from "../../model/diagnostic-codes.ts";
import { command } from "../../model/command.ts";
import type { Client } from "../../api/client.ts";
import { failsOnDeployed, operations, type OperationName } from "../../api/operations/index.ts";
import type { LoadedConfig } from "../../config/index.ts";
import type { Kind, ScopeType } from "../../kinds/kind.ts";
import { scopesOfKind, collectionOf, createOf, kinds, scopeType } from "../../kinds/registry.ts";
import type { Action, Change } from "../../model/change.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import { firstOf, MAX_FILES, withArticle } from "../../model/text/plural.ts";
import { isSelected, overlaps } from "../../model/plan.ts";
import { isWanted, type DesiredGraph } from "../../model/resource.ts";

/**
 * The diagnostics of a configuration that concern what is planned: all errors, and the warnings about selected resources. A
 * warning about a value that a service may refuse counts only if the value is written: what is live was accepted.
 */
export function configDiagnostics(
  { diagnostics, fieldWarnings }: Pick<LoadedConfig, "diagnostics" | "fieldWarnings">,
  changes: readonly Change[],
  only: readonly string[],
): readonly Diagnostic[] {
  const byAddress = new Map(changes.map((change) => [change.address, change]));
  const written = fieldWarnings.filter(({ diagnostic, field, shown }) =>
    isWritten(byAddress.get(diagnostic.address ?? ""), field, WRITES[shown.plan]),
  );
  return [...diagnostics, ...written.map(({ diagnostic }) => diagnostic)].filter(
    ({ severity, address }) => severity === "error" || address === undefined || isSelected(address, only),
  );
}

/** The actions that a warning about a field is for. */
const WRITES: Readonly<Record<LoadedConfig["fieldWarnings"][number]["shown"]["plan"], readonly Action[]>> = {
  if_written: ["create", "replace", "update", "restore"],
  if_created: ["create", "replace"],
  never: [],
};

function isWritten(change: Change | undefined, field: string, writes: readonly Action[]): boolean {
  return change !== undefined && writes.includes(change.action) && Object.hasOwn(change.work?.body ?? {}, field);
}

/** Warns if the files declare nothing, as in a checkout that lacks some of them: a comparison would find no difference. */
export function nothingDeclared({ graph, files }: Pick<LoadedConfig, "graph" | "files">): readonly Diagnostic[] {
  if (graph.resources.length > 0) return [];
  const message = `${firstOf(files, MAX_FILES)} ${files.length === 1 ? "declares" : "declare"} no organization`;
  const hint = "Check the path, and that no file is missing. To write what is live into files:";
  const words = command("export", { out: "analytics" });
  return [{ severity: "warning", code: CODES.nothingDeclared, message, hint, command: words }];
}

/** Leaves out warnings about what is not selected, such as other projects of the organization. */
export function selectWarnings(diagnostics: readonly Diagnostic[], only: readonly string[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ severity, address }) => severity === "error" || address === undefined || overlaps(address, only),
  );
}

/**
 * Warns about resources whose routes always fail on deployed servers, if another scope of their kind has routes that work.
 *
 * @param profile `document` stands for a service whose routes all work
 * @param changes the planned changes: a resource without one, or with nothing to do, is left out; undefined for all resources
 */
export function failingRouteWarnings(
  { resources }: DesiredGraph,
  profile: Client["profile"],
  changes?: readonly Change[],
): readonly Diagnostic[] {
  if (profile === "document") return [];
  const planned = changes && new Set(changes.filter(({ action }) => action !== "no_op").map(({ address }) => address));
  return resources.flatMap((resource): readonly Diagnostic[] => {
    const { address, kind: name, scope, lifecycle } = resource;
    const kind = kinds[name];
    const create = createOperation(kind, scopeType(scope));
    const mayBeWritten = isWanted(lifecycle) && planned?.has(address) !== false;
    if (!mayBeWritten || create === undefined || !failsOnDeployed(create)) return [];
    const other = scopesOfKind(kind.name).find((type) => !failsOnDeployed(createOperation(kind, type) ?? create));
    const working = other === undefined ? undefined : createOperation(kind, other);
    if (other === undefined || working === undefined) return [];
    const message = `deployed servers answer 500 to ${operations[create].path}, and take ${withArticle(name)} only at ${operations[working].path}`;
    const advice = `Declare it in ${collectionOf(kind.name)} of a ${other}. If your service takes it here:`;
    const hint = { hint: advice, command: command("plan", { profile: "document" }) };
    return [warningAt(resource, { code: "route_fails", message, hint })];
  });
}

function createOperation(kind: Kind, type: ScopeType): OperationName | undefined {
  return createOf(kind)?.(type, {}, "")?.operation;
}
