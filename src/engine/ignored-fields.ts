/**
 * Fields that a service ignored or added when it was written to, remembered from one run to the next on this machine. A plan
 * of the same change says so, instead of showing a difference that comes back for ever without a reason. Nothing is decided
 * by it, and a file that cannot be read or written only costs the warning.
 */
import { readFile, rm } from "node:fs/promises";
import { writeAtomically } from "../apply/journal/atomic-write.ts";
import { ignoreHint } from "../diff/extent.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Outcome } from "../model/outcome.ts";

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
