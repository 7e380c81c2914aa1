/**
 * Fields that a service accepted and did not show, remembered from one run to the next on this machine. A plan of the same
 * change says so, instead of showing a difference that comes back for ever without a reason. Nothing is decided by it, and a
 * file that cannot be read or written only costs the warning.
 */
import { readFile, rm } from "node:fs/promises";
import { writeAtomically } from "../apply/journal/atomic-write.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Outcome } from "../model/outcome.ts";

/** JSON Pointers of the ignored fields, by kind and id of the object. */
export type IgnoredFields = Readonly<Record<string, readonly string[]>>;

/** Code of the outcome of a write that the service ignored. */
const IGNORED = "ignored_by_service";

/** Reads what earlier runs remembered; nothing if the file is missing or damaged. Never rejects. */
export async function readIgnoredFields(path: string): Promise<IgnoredFields> {
  try {
    const value = JSON.parse(await readFile(path, "utf8")) as unknown;
    const entries = Object.entries(isObject(value) ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1])));
  } catch {
    return {};
  }
}

/** Remembers the fields that this run found ignored, and forgets those that were accepted. The caller holds the lock. */
export async function rememberIgnoredFields(path: string, outcomes: readonly Outcome[]): Promise<void> {
  const before = await readIgnoredFields(path);
  const ended = outcomes.filter(({ id, status }) => id !== null && ["applied", "unverified"].includes(status));
  const kept = Object.entries(before).filter(([key]) => !ended.some((outcome) => objectKey(outcome) === key));
  const found = ended.flatMap((outcome): [string, readonly string[]][] =>
    outcome.error?.code === IGNORED ? [[objectKey(outcome), outcome.error.paths ?? []]] : [],
  );
  const now = [...kept, ...found];
  if (now.length === 0 && Object.keys(before).length === 0) return;
  const write = now.length === 0 ? rm(path, { force: true }) : writeAtomically(path, textOf(now));
  await write.catch(() => undefined);
}

function textOf(entries: readonly (readonly [string, readonly string[]])[]): string {
  return `${JSON.stringify(Object.fromEntries(entries))}\n`;
}

/** Returns a warning for each planned update of a field that the service ignored before. */
export function ignoredFieldWarnings(changes: readonly Change[], ignored: IgnoredFields): readonly Diagnostic[] {
  return changes.flatMap((change): readonly Diagnostic[] => {
    const again = change.fields.map(({ path }) => path).filter((path) => ignored[objectKey(change)]?.includes(path));
    if (change.action !== "update" || again.length === 0) return [];
    return [
      {
        severity: "warning",
        code: "ignored_before",
        message: `${change.address}: the service accepted ${again.join(", ")} before and did not show it`,
        hint: "Applying it again may end the same way: the field may need a feature of the plan, or be read-only there. Put it under lifecycle.ignore to leave it alone.",
        address: change.address,
        ...change.work?.resource?.position,
      },
    ];
  });
}

function objectKey({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind} ${id ?? ""}`;
}
