/**
 * What a plan warns about.
 *
 * Terms: a deviation is what a service made of a write: fields that it ignored or added. The last one of each object is
 * remembered on this machine, so that a plan of the same change says so, instead of showing a difference that comes back for
 * ever without a reason.
 * Premise: warnings decide nothing. A list that only they need, or a file that cannot be read, costs the warning alone.
 */
import { readFile, rm } from "node:fs/promises";
import type { Client } from "../api/client.ts";
import { writeAtomically } from "../apply/journal/atomic-write.ts";
import type { LoadedConfig } from "../config/index.ts";
import { ignoreHint } from "../diff/equal.ts";
import { kinds } from "../kinds/registry.ts";
import { isSelected, overlaps } from "../model/address.ts";
import type { Action, Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import { listKey, type LiveSnapshot } from "../model/live.ts";
import type { Outcome } from "../model/outcome.ts";
import { takeSnapshot } from "../snapshot/snapshot.ts";

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

/** What a service made of a write. */
interface Deviation {
  /** Code of the outcome. */
  readonly code: string;
  /** JSON Pointers. */
  readonly paths: readonly string[];
}

/** The last deviation, by kind and id of the object. */
export type IgnoredFields = Readonly<Record<string, Deviation>>;

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

/** Reads what earlier runs remembered; nothing if the file is missing or damaged. Never rejects. */
export async function readIgnoredFields(path: string): Promise<IgnoredFields> {
  try {
    const value = JSON.parse(await readFile(path, "utf8")) as unknown;
    const entries = Object.entries(isObject(value) ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, Deviation] => isDeviation(entry[1])));
  } catch {
    return {};
  }
}

function isDeviation(value: unknown): value is Deviation {
  return isObject(value) && typeof value["code"] === "string" && Array.isArray(value["paths"]);
}

/** Remembers the fields that this run found ignored or added, and forgets those that were accepted. The caller holds the lock. */
export async function rememberIgnoredFields(path: string, outcomes: readonly Outcome[]): Promise<void> {
  const before = await readIgnoredFields(path);
  const ended = outcomes.filter(({ id, status }) => id !== null && ["applied", "unverified"].includes(status));
  const kept = Object.entries(before).filter(([key]) => !ended.some((outcome) => objectKey(outcome) === key));
  const found = ended.flatMap((outcome): [string, Deviation][] => {
    const { code = "", paths = [] } = outcome.error ?? {};
    return Object.hasOwn(WARNINGS, code) ? [[objectKey(outcome), { code, paths }]] : [];
  });
  const now = [...kept, ...found];
  if (now.length === 0 && Object.keys(before).length === 0) return;
  const write = now.length === 0 ? rm(path, { force: true }) : writeAtomically(path, textOf(now));
  await write.catch(() => undefined);
}

function textOf(entries: readonly (readonly [string, Deviation])[]): string {
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** Returns the paths of a change that the service itself added when the object was last written to. */
export function addedBefore({ fields, ...change }: Change, ignored: IgnoredFields): readonly string[] {
  const before = ignored[objectKey(change)];
  const added = before?.code === "added_by_service" ? before.paths : [];
  return fields.map(({ path }) => path).filter((path) => added.includes(path));
}

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

function objectKey({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind} ${id ?? ""}`;
}
