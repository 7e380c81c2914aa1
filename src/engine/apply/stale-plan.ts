/** Refuses a plan that is out of date: made for another configuration or service, or the live objects have changed since. */
import { publicUrlOf } from "../../api/http/service-url.ts";
import { command } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { EngineError } from "../../model/engine-error.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { firstOf, MAX_FILES, plural } from "../../model/text/plural.ts";
import { invalidPlan, planAgain, SAVE_A_PLAN } from "./saved-plan.ts";

const STALE = { severity: "error", code: "stale_plan" } as const;

/** The configuration and the service that a plan is held against. */
export interface PlanOrigin {
  readonly configHash: string;
  readonly url: string;
  /** The files of the configuration, and the hashes of those that are no programs, for the error. */
  readonly files?: readonly string[] | undefined;
  readonly fileHashes?: ReadonlyMap<string, string> | undefined;
}

/** @throws EngineError if the plan was made for another configuration or service, or is a drift report */
export function requireSameSource(saved: PlanDocument, file: string, { configHash, url, ...now }: PlanOrigin): void {
  if (saved.type !== "driftline.plan") throw invalidPlan(`${file} holds a drift report, not a plan`, SAVE_A_PLAN);
  if (saved.config_hash !== configHash)
    throw stalePlanError(`${file} was made for another configuration${changedText(saved, now)}`, file);
  if (saved.url !== publicUrlOf(url)) throw stalePlanError(`${file} was made for another service (${saved.url})`, file);
}

/** What changed, as far as the plan has hashes of the files: it has none of variables and programs. */
function changedText({ source }: PlanDocument, now: Pick<PlanOrigin, "files" | "fileHashes">): string {
  const { files = [], fileHashes = new Map<string, string>() } = now;
  const before = new Map(source?.files?.map(({ file, hash }) => [file, hash]));
  const known = new Set(before.size === 0 ? [] : [...before.keys(), ...fileHashes.keys()]);
  const changed = [...known].filter((file) => before.get(file) !== fileHashes.get(file));
  if (changed.length > 0) return `: ${firstOf(changed, MAX_FILES)} changed`;
  const others = files.filter((file) => !known.has(file));
  if (others.length === 0) return known.size === 0 ? "" : ": a variable, or a file that is included, changed";
  const which = others.length === 1 ? "" : "at least one of ";
  return `: ${which}${firstOf(others, MAX_FILES)} or a variable changed`;
}

function stalePlanError(message: string, file: string): EngineError {
  return new EngineError("stale", [{ ...STALE, message, ...planAgain(file) }]);
}

/** Reports a shown change that would no longer be the same. @param what the end of a sentence */
export function staleChangeDiagnostic({ address }: ShownChange, what: string): Diagnostic {
  return { ...STALE, address, message: `it changed since the plan was made: ${what}` };
}

/**
 * Refuses a plan if some of its changes are out of date.
 *
 * @param outdated at least one, as {@link staleChangeDiagnostic} reports them
 * @param file where the plan is saved; undefined if it is not
 */
export function staleChanges(outdated: readonly Diagnostic[], file: string | undefined): EngineError {
  const more = outdated.length > MAX_FILES ? `${plural(outdated.length, "change")} of the plan are stale. ` : "";
  const before = `${more}Nothing was written. `;
  const review = { hint: `${before}To review the new plan:`, command: command("apply") };
  const next = file === undefined ? review : planAgain(file, before);
  const named = outdated.slice(0, MAX_FILES);
  return new EngineError("stale", [...named.slice(0, -1), ...named.slice(-1).map((last) => ({ ...last, ...next }))]);
}
