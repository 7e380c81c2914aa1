/**
 * What a service took and did not show, remembered from one run to the next on this machine: a plan of the same change says
 * so, in place of a difference that comes back for ever without a reason. Nothing is decided by it, and a file that cannot be
 * read or written only means that less is said.
 */
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import type { Client } from "../api/client.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { isObject } from "../model/json.ts";
import type { Outcome } from "../model/outcome.ts";
import type { Runtime } from "../cli/runtime.ts";
import { stateFiles } from "./state.ts";

/** Code of the outcome of a write that the service ignored. */
const IGNORED = "ignored_by_service";

/** What was ignored, by id of the object: pointers of fields. */
type Ignored = Readonly<Record<string, readonly string[]>>;

/** Notes what this run found to be ignored, and forgets what it found to be taken. The caller holds the lock. */
export async function rememberIgnored(runtime: Runtime, client: Client, outcomes: readonly Outcome[]): Promise<void> {
  const path = stateFiles(runtime, client).ignored;
  const before = await readIgnored(path);
  const ended = outcomes.filter(({ id, status }) => id !== null && ["applied", "unverified"].includes(status));
  const kept = Object.entries(before).filter(([key]) => !ended.some((outcome) => keyOf(outcome) === key));
  const found = ended.flatMap((outcome): [string, readonly string[]][] =>
    outcome.error?.code === IGNORED ? [[keyOf(outcome), pathsIn(outcome.error.message)]] : [],
  );
  const now = [...kept, ...found];
  if (now.length === 0 && Object.keys(before).length === 0) return;
  await replaceFile(path, now.length === 0 ? undefined : `${JSON.stringify(Object.fromEntries(now))}\n`);
}

/** A warning for each planned update of a field that the service has ignored before. Reads one file, writes none. */
export async function ignoredBefore(
  runtime: Runtime,
  client: Client,
  changes: readonly Change[],
): Promise<readonly Diagnostic[]> {
  const ignored = await readIgnored(stateFiles(runtime, client).ignored);
  return changes.flatMap((change): readonly Diagnostic[] => {
    const again = change.fields.map(({ path }) => path).filter((path) => ignored[keyOf(change)]?.includes(path));
    if (change.action !== "update" || again.length === 0) return [];
    return [
      {
        severity: "warning",
        code: "ignored_before",
        message: `${change.address}: the service took ${again.join(", ")} before and did not show it`,
        hint: "Applying it again may end the same way: the field may need a feature of the plan, or be read-only there. lifecycle.ignore leaves it alone.",
        address: change.address,
        ...change.work?.resource?.position,
      },
    ];
  });
}

function keyOf({ kind, id }: Pick<Change, "kind" | "id">): string {
  return `${kind} ${id ?? ""}`;
}

/** The message names nothing else that begins with a slash. */
function pathsIn(message: string): readonly string[] {
  return message.match(/\/[^ ,]+/g) ?? [];
}

async function readIgnored(path: string): Promise<Ignored> {
  try {
    const value = JSON.parse(await readFile(path, "utf8")) as unknown;
    const entries = Object.entries(isObject(value) ? value : {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string[]] => Array.isArray(entry[1])));
  } catch {
    return {};
  }
}

async function replaceFile(path: string, text: string | undefined): Promise<void> {
  try {
    if (text === undefined) return await rm(path, { force: true });
    await writeFile(`${path}.new`, text, { mode: 0o600 });
    await rename(`${path}.new`, path);
  } catch {
    // Only a remark is lost.
  }
}
