/**
 * Resources that were taken out of the files lately, and that nothing declares now: the service keeps their objects. And what
 * protects in the others, and is watched no longer: it is declared no more, or `lifecycle` leaves it to others.
 *
 * Algorithm: read which of them the replaced contents of the files declare. Only if the files lack one now, load the whole
 * configuration as it was, with the variables of this run. The newest version of a resource decides: one that was let go, or is declared
 * under another address, is done with.
 */
import type { LoadedConfig } from "../../config/index.ts";
import { textHash } from "../../config/source/read.ts";
import { declaredIn } from "../../config/tree/addresses.ts";
import { type Declared, isLeftToOthers, PROTECT, protectionsIn, watchedIn } from "../../kinds/people/index.ts";
import { declaredKeys, isPerson } from "../../kinds/registry.ts";
import { successorOf } from "../../kinds/former-resource.ts";
import type { FilesHistory } from "../../model/files-history.ts";
import type { Value } from "../../model/json/json.ts";
import { isNamedBy } from "../../model/pointer.ts";
import { isWanted, type Resource } from "../../model/resource.ts";
import { type FormerOptions, loadFormer } from "./load-former.ts";

/** More former configurations are not loaded, and longer contents of files are not parsed: a plan does not wait for its history. */
const [MAX_LOADED, MAX_CHARACTERS] = [20, 5_000_000];

/** A resource that the files declared. */
export interface FormerResource {
  readonly resource: Resource;
  /** The commit without it; undefined if that is not committed. */
  readonly commit: string | undefined;
  /** A file that declares it has one of these in it. */
  readonly words: readonly string[];
}

/** What protected and is watched no longer, in a resource that is still declared. */
export interface Unwatched extends FormerResource {
  /** Undefined for all of it. */
  readonly field: string | undefined;
  readonly prior?: Value | undefined;
}

/** What was taken out of the files lately. */
export interface RemovedLines {
  readonly former: readonly FormerResource[];
  readonly lost: readonly Unwatched[];
  /** Why there may be more. */
  readonly cut: "clone" | "long" | undefined;
}

/** Finds what was taken out of the files. @param settings how the configuration is loaded, with absolute paths */
export async function findRemovedLines(
  { fileHashes, graph }: Pick<LoadedConfig, "fileHashes" | "graph">,
  { isCut, isLong, versions }: FilesHistory,
  settings: FormerOptions,
): Promise<RemovedLines> {
  const seen = new Set(fileHashes.values());
  const answered = new Set(graph.resources.flatMap(lookedForKeys));
  const [former, lost]: [FormerResource[], Unwatched[]] = [[], []];
  const cut = isCut ? "clone" : isLong ? "long" : undefined;
  let [loaded, parsed] = [0, 0];
  for (const { commit, texts, files } of versions) {
    const replaced = texts.filter((text) => !seen.has(textHash(text)));
    for (const text of replaced) seen.add(textHash(text));
    parsed += replaced.reduce((sum, { length }) => sum + length, 0);
    if (parsed > MAX_CHARACTERS || loaded === MAX_LOADED) return { former, lost, cut: cut ?? "long" };
    const missing = new Set(
      replaced
        .flatMap(declaredIn)
        .flatMap(lookedForKeys)
        .filter((key) => !answered.has(key)),
    );
    if (missing.size === 0) continue;
    loaded += 1;
    const before = await loadFormer(await files().catch(() => new Map<string, string>()), settings);
    if (before.length > 0) for (const key of missing) answered.add(key);
    for (const resource of before.filter(({ lifecycle }) => isWanted(lifecycle))) {
      const now = successorOf(resource, graph);
      const isMissing = (field?: string): boolean => missing.has(lookedForKey(resource.address, field));
      if (now !== undefined) lost.push(...unwatchedIn(now, resource, isMissing).map((one) => ({ ...one, commit })));
      else if (isMissing()) former.push({ resource, commit, words: wordsOf(resource) });
    }
  }
  return { former, lost, cut };
}

/** What protected in a resource, and is watched no longer. @param isMissing whether the files lack a field of it, or all of it */
function unwatchedIn(
  now: Resource,
  before: Resource,
  isMissing: (field?: string) => boolean,
): readonly Omit<Unwatched, "commit">[] {
  if (now.lifecycle.forget === true)
    return isLeftToOthers(now) && isMissing() ? [{ resource: now, field: undefined, words: [] }] : [];
  const [watched, isAbsent] = [watchedIn(now), !isWanted(now.lifecycle)];
  const fields = protectionsIn(before).filter(
    (field) => isMissing(field) && !watched.includes(field) && (!isAbsent || field === PROTECT),
  );
  return fields.map((field) => {
    const words = isIgnored(now, field) ? [] : [field.replace("lifecycle.", "")];
    return { resource: now, field, prior: before.values[field], words };
  });
}

/** Whether a field is left to others by name. */
export function isIgnored({ lifecycle: { ignore = [] } }: Resource, field: string): boolean {
  return isNamedBy(ignore, [field]);
}

/** What is looked for: a resource, or what protects in it. */
function lookedForKey(address: string, field?: string): string {
  return (field === undefined ? address : `${address} ${field}`).toLowerCase();
}

function lookedForKeys(declared: Declared & { readonly address: string }): readonly string[] {
  if (isLeftToOthers(declared)) return [];
  return [undefined, ...watchedIn(declared)].map((field) => lookedForKey(declared.address, field));
}

/** What a file that declares a resource has in it. A variable may stand for anything but a person. */
function wordsOf(resource: Resource): readonly string[] {
  const { pin, name, kind } = resource;
  return [
    name,
    ...declaredKeys(resource),
    ...(pin === undefined ? [] : [pin.value]),
    ...(isPerson(kind) ? [] : ["${"]),
  ];
}
