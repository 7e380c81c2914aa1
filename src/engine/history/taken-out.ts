/** Which lines were taken out of the files for sure, and what somebody has to know of them. */
import { resolve } from "node:path";
import type { LoadedConfig } from "../../config/index.ts";
import { isProgram } from "../../config/source/files.ts";
import { textIn } from "../../config/source/unread-files.ts";
import { LEVEL, levelText, PROTECT } from "../../kinds/people/index.ts";
import { isPerson, shareIds } from "../../kinds/registry.ts";
import { liveOf, staysText } from "../../kinds/former-resource.ts";
import type { Hint } from "../../model/command.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import type { Value } from "../../model/json/json.ts";
import { listKey, type LiveObject } from "../../model/live.ts";
import { isSelected } from "../../model/plan.ts";
import { firstOf, MAX_FILES } from "../../model/text/plural.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { type FormerResource, isIgnored, type RemovedLines, type Unwatched } from "./removed-lines.ts";

/** What was taken out for sure, and what to say about the rest, which files that were not read may declare. */
export function takenOutForSure<T extends FormerResource>(
  { unreadFiles }: Pick<LoadedConfig, "unreadFiles">,
  { url, cwd }: { readonly url: string; readonly cwd: string },
  entries: readonly T[],
): { readonly sure: readonly T[]; readonly partly: readonly Diagnostic[] } {
  const scopes = entries.map(({ resource: { scope, address } }) => (scope === "" ? address : scope));
  const { files } = scopes.length === 0 ? { files: [] } : unreadFiles(scopes, url);
  // A program, and what cannot be read, may declare anything.
  const texts = files.map(
    (file) => [file, isProgram(file) ? undefined : textIn(resolve(cwd, file))?.toLowerCase()] as const,
  );
  const naming = ({ words }: T): readonly string[] =>
    texts.flatMap(([file, text]) => (words.some((word) => text?.includes(word.toLowerCase()) !== false) ? file : []));
  const unsure = new Map(entries.map((one) => [one, naming(one)] as const).filter(([, named]) => named.length > 0));
  if (unsure.size === 0) return { sure: entries, partly: [] };
  const listed = (names: readonly string[]): string => firstOf([...new Set(names)], MAX_FILES);
  const what = listed([...unsure.keys()].map(({ resource }) => resource.address));
  const message = `whether lines of ${what} were taken out of the files is not known, because only a part of them was given: ${listed([...unsure.values()].flat())} may have them`;
  return {
    sure: entries.filter((one) => !unsure.has(one)),
    partly: [{ severity: "warning", code: "history_cut", message, hint: "Give these files as paths, too." }],
  };
}

/** What a report says of them. @param cwd the folder that the paths of the configuration start from */
export function removedLineWarnings(
  run: PlannedRun,
  { former, lost, cut }: RemovedLines,
  cwd: string,
): readonly Diagnostic[] {
  const warnings = [
    ...former.flatMap((one) => removedDiagnostic(run, one).map((diagnostic) => ({ ...one, diagnostic }))),
    ...lost.flatMap((one) => unwatchedDiagnostic(run, one).map((diagnostic) => ({ ...one, diagnostic }))),
  ];
  const { config, client } = run.input;
  const { sure, partly } = takenOutForSure(config, { url: client.url, cwd }, warnings);
  return [...sure.map(({ diagnostic }) => diagnostic), ...partly, ...(cut === undefined ? [] : [CUTS[cut]])];
}

function removedDiagnostic(run: PlannedRun, { resource, commit }: FormerResource): readonly Diagnostic[] {
  const { address, scope, kind } = resource;
  const { plan, world, stats, input } = run;
  if (!isSelected(address, input.options.only)) return [];
  const isWhole = !stats.some((one) => one.scope === scope && one.kinds.includes(kind) && one.pages === 0);
  const live = liveOf(resource, world.lists.get(listKey(scope, kind)), isWhole);
  // What the plan removes is in it.
  const isPlanned = (object: LiveObject): boolean =>
    plan.changes.some((change) => change.id === object.id && shareIds(change.kind, object.kind));
  if (live === "none" || (live !== "unread" && isPlanned(live))) return [];
  return [removedWarning(address, commit, `; ${staysText(resource, live)}`, TO_REMOVE)];
}

/** What the service has in the place of what protected. Nothing if it does not have the field. */
function unwatchedDiagnostic(
  { planned, input }: PlannedRun,
  { resource, commit, field, prior }: Unwatched,
): readonly Diagnostic[] {
  const { address, kind } = resource;
  if (!isSelected(address, input.options.only)) return [];
  const live = planned.get(address)?.work?.live?.values;
  const hasOf = (name: string): string =>
    live === undefined ? "its live value was not read" : `the service has ${valueText(name, live[name])}`;
  if (field === undefined) {
    const what = `${address} is left to others by lifecycle.forget`;
    const end = `${isPerson(kind) ? `; ${hasOf(LEVEL)}` : ""}; nothing watches it now`;
    return [removedWarning(address, commit, end, "To have drift watch it, take out lifecycle.forget.", what)];
  }
  if (field === PROTECT) {
    const hint = "Declare it again if the object is to stay.";
    return [
      removedWarning(address, commit, "; nothing refuses its removal now", hint, takenOut(`${PROTECT} of ${address}`)),
    ];
  }
  if (live !== undefined && live[field] === undefined) return [];
  const what = `${field}: ${valueText(field, prior)} of ${address}`;
  const isLeft = isIgnored(resource, field);
  const hint = `To have drift watch it and apply restore it, ${isLeft ? "take it out of lifecycle.ignore" : "declare it again"}.`;
  const end = `; ${hasOf(field)}, and no apply restores it now`;
  return [
    removedWarning(address, commit, end, hint, isLeft ? `${what} is ignored by lifecycle.ignore` : takenOut(what)),
  ];
}

function valueText(field: string, value: Value | undefined): string {
  return field === LEVEL ? levelText(value) : JSON.stringify(value);
}

/** What to do if the object is to go as well. */
export const TO_REMOVE = "To remove it from the service, declare it again with lifecycle.state: absent, and apply.";

/** @param end what becomes of it */
export function removedWarning(
  address: string,
  commit: string | undefined,
  end: string,
  hint: Hint,
  what = takenOut(address),
): Diagnostic {
  const message = `${what} (${commit === undefined ? "not committed" : `commit ${commit}`})${end}`;
  return warningAt({ address }, { code: "removed_from_files", message, hint });
}

function takenOut(what: string): string {
  return `${what} was removed from the files`;
}

const CUTS: Readonly<Record<NonNullable<RemovedLines["cut"]>, Diagnostic>> = {
  clone: {
    severity: "warning",
    code: "history_cut",
    message:
      "this clone does not have all commits of the last 30 days, so some lines that were taken out of the files are not found",
    hint: "Set fetch-depth: 0 where the pipeline checks out.",
  },
  long: {
    severity: "warning",
    code: "history_cut",
    message:
      "the files were changed too often in 30 days to look at all of it, so some lines that were taken out are not found",
    hint: "Look at the log of the files in git.",
  },
};
