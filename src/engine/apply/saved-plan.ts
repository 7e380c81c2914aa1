/**
 * Reads a saved plan, and refuses one that was edited, or made for another service or configuration. Whether the live objects are still
 * as they were planned is found out in match-shown-plan.ts.
 */
import { changesJson, planFromJson } from "../../model/document-json.ts";
import { command, type Hint, type Suggestion } from "../../model/command.ts";
import { publicUrlOf } from "../../api/http/url.ts";
import { parseText } from "../../api/json/parse.ts";
import { isPlanDocument } from "../../generated/plan-validator.ts";
import { firstOf } from "../../model/plural.ts";
import { canonicalJson, isJsonObject } from "../../model/json.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { pageOfService } from "../../model/web-page.ts";
import { hashOf } from "../../plan/document.ts";
import { summarize } from "../../plan/plan.ts";
import { engineError, EngineError } from "../../model/engine-error.ts";

/** The types of documents that hold a plan. */
const TYPES: readonly string[] = ["driftline.plan", "driftline.drift"];
/** The hint for a file that is not a saved plan. It names another file: this one may be something else, and must not be overwritten. */
export const SAVE_A_PLAN: Suggestion = { hint: "To save one:", command: command("plan", { out: "plan.json" }) };

/**
 * Reads the text of a plan that `plan --out` saved, or that a drift or a plan printed as JSON.
 *
 * @param file name of the file, for messages
 * @throws EngineError `invalid` if the text is not such a plan, or was edited
 */
export function parseSavedPlan(text: string, file: string): PlanDocument {
  const parsed = parseText(text);
  const document = "value" in parsed ? parsed.value : undefined;
  if (!isJsonObject(document) || !TYPES.some((type) => type === document["type"]))
    throw invalid(`${file} is not a saved plan`, SAVE_A_PLAN);
  if (document["schema_version"] !== 1)
    throw invalid(`${file} was saved by another version of driftline`, planAgain(file));
  const saved = isPlanDocument(document) ? planFromJson(document) : undefined;
  if (hashOf(saved === undefined ? document : { ...saved, changes: changesJson(saved.changes) }) !== document["hash"]) {
    const message = `${file} does not match its own hash`;
    throw engineError("invalid", "plan_edited", message, planAgain(file, "It was edited or damaged. "));
  }
  if (saved === undefined || !isConsistent(saved))
    throw invalid(`${file} is not a plan that driftline made`, SAVE_A_PLAN);
  return withoutForeignLinks(saved);
}

/** The hash does not cover links, so an edited file could lead its readers away from the service. */
function withoutForeignLinks(saved: PlanDocument): PlanDocument {
  const own = saved.changes.map(({ link, ...change }): ShownChange => {
    const page = link === undefined ? undefined : pageOfService(saved.url, link);
    return page === undefined ? change : { ...change, link: page };
  });
  return { ...saved, changes: own };
}

function invalid(message: string, hint: Hint): EngineError {
  return engineError("invalid", "plan_invalid", message, hint);
}

/** A file can be given a hash that fits. It must not do a thing twice, nor count changes that it does not list. */
function isConsistent({ changes, summary, unmanaged }: PlanDocument): boolean {
  const isOnce = new Set(changes.map(({ address }) => address)).size === changes.length;
  return isOnce && canonicalJson({ ...summary }) === canonicalJson({ ...summarize(changes, unmanaged.length) });
}

/** The configuration and the service that a plan is held against. */
export interface PlanOrigin {
  readonly configHash: string;
  readonly url: string;
  /** The files of the configuration, for the error. */
  readonly files?: readonly string[] | undefined;
}

/** @throws EngineError if the plan was made for another configuration or service, or is a drift report */
export function requireSameSource(
  saved: PlanDocument,
  file: string,
  { configHash, url, files = [] }: PlanOrigin,
): void {
  if (saved.type !== "driftline.plan") throw invalid(`${file} holds a drift report, not a plan`, SAVE_A_PLAN);
  if (saved.config_hash !== configHash) {
    const what = files.length === 0 ? "" : `: ${firstOf(files, MAX_NAMED)} or a variable changed`;
    throw stale(`${file} was made for another configuration${what}`, planAgain(file));
  }
  if (saved.url !== publicUrlOf(url))
    throw stale(`${file} was made for another service (${saved.url})`, planAgain(file));
}

/** The most files or changes that a message names. */
export const MAX_NAMED = 3;

export const STALE = { severity: "error", code: "stale_plan" } as const;

function stale(message: string, hint: Suggestion): EngineError {
  return new EngineError("stale", [{ ...STALE, message, ...hint }]);
}

export function planAgain(file: string, before = ""): Suggestion {
  return { hint: `${before}Plan again, review it, and apply that:`, command: command("plan", { out: file }) };
}
