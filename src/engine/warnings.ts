/**
 * What a plan warns about.
 *
 * Premise: warnings decide nothing. A list that only they need and that cannot be read costs the warning alone.
 */
import type { Client } from "../api/client.ts";
import type { LoadedConfig } from "../config/index.ts";
import { ignoreHint } from "../diff/equal.ts";
import { kinds } from "../kinds/registry.ts";
import { isSelected, overlaps } from "../model/plan.ts";
import type { Action, Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveSnapshot } from "../model/live.ts";
import { takeSnapshot } from "../snapshot/snapshot.ts";
import { objectKey, type IgnoredFields } from "./prior-state.ts";

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

/** Leaves out warnings about what is not selected, such as other projects of the organization. */
export function limitWarnings(diagnostics: readonly Diagnostic[], only: readonly string[]): readonly Diagnostic[] {
  return diagnostics.filter(
    ({ severity, address }) => severity === "error" || address === undefined || overlaps(address, only),
  );
}

/**
 * Returns the warnings that the kinds have about planned changes. A list that a warning needs and the plan did not read is
 * read now. If it cannot be read there is no warning: warnings decide nothing.
 */
export async function planWarnings(
  client: Client,
  { scopes, lists }: LiveSnapshot,
  changes: readonly Change[],
): Promise<readonly Diagnostic[]> {
  const reviewed = changes.flatMap((change) => {
    const review = kinds[change.kind].review;
    const needs = review?.needs(change) ?? [];
    return review === undefined || needs.length === 0 ? [] : [{ change, review, needs }];
  });
  const missing = reviewed.flatMap(({ change, needs }) =>
    needs
      .filter((kind) => !lists.has(listKey(change.address, kind)))
      .map((kind) => ({ scope: change.address, kind, full: false })),
  );
  const read = missing.length === 0 ? new Map() : (await takeSnapshot(client, scopes, missing)).lists;
  const known = new Map([...lists, ...read]);
  return reviewed.flatMap(({ change, review }) =>
    review.warnings(change, (kind) => known.get(listKey(change.address, kind))?.objects ?? []),
  );
}

/** The warning about a planned update, by the code of the outcome of an earlier one. */
const WARNINGS: Readonly<Record<string, (paths: readonly string[]) => { code: string; what: string; hint: string }>> = {
  ignored_by_service: (paths) => ({
    code: "ignored_before",
    what: `the service accepted ${paths.join(", ")} before and did not show it`,
    hint: "Applying it again may end the same way: the field may need a feature of the plan, or be read-only there. Put it under lifecycle.ignore to leave it alone.",
  }),
  added_by_service: (paths) => ({
    code: "added_before",
    what: `the service added ${paths.join(", ")} itself when it was last written to`,
    hint: `Applying it again will end the same way. ${ignoreHint(paths)}`,
  }),
};

/** Returns a warning for each planned update of a field that the service ignored or added before. */
export function ignoredFieldWarnings(changes: readonly Change[], ignored: IgnoredFields): readonly Diagnostic[] {
  return changes.flatMap((change): readonly Diagnostic[] => {
    const before = ignored[objectKey(change)];
    const again = change.fields.map(({ path }) => path).filter((path) => before?.paths.includes(path));
    const warning = WARNINGS[before?.code ?? ""]?.(again);
    if (change.action !== "update" || again.length === 0 || warning === undefined) return [];
    const { code, what, hint } = warning;
    const { address } = change;
    const message = `${address}: ${what}`;
    return [{ severity: "warning", code, message, hint, address, ...change.work?.resource?.position }];
  });
}
