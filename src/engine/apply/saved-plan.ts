/** Reads a saved plan, and refuses one that was edited or damaged. Whether it still holds is decided in stale-plan.ts. */
import { changesJson, planFromJson } from "../../model/document-json.ts";
import { command, type Hint, type Suggestion } from "../../model/command.ts";
import { parseText } from "../../api/json/parse.ts";
import { isPlanDocument } from "../../generated/plan-validator.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import { isJsonObject } from "../../model/json/json.ts";
import type { PlanDocument, ShownChange } from "../../model/plan.ts";
import { pageOfService } from "../../model/web-page.ts";
import { hashOf } from "../../plan/document.ts";
import { summarize } from "../../plan/summarize.ts";
import { engineError, type EngineError } from "../../model/engine-error.ts";

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
    throw invalidPlan(`${file} is not a saved plan`, SAVE_A_PLAN);
  if (document["schema_version"] !== 1)
    throw invalidPlan(`${file} was saved by another version of driftline`, planAgain(file));
  const saved = isPlanDocument(document) ? planFromJson(document) : undefined;
  if (hashOf(saved === undefined ? document : { ...saved, changes: changesJson(saved.changes) }) !== document["hash"]) {
    const message = `${file} does not match its own hash`;
    throw engineError("invalid", "plan_edited", message, planAgain(file, "It was edited or damaged. "));
  }
  if (saved === undefined || !isConsistent(saved))
    throw invalidPlan(`${file} is not a plan that driftline made`, SAVE_A_PLAN);
  return withoutForeignLinks(saved);
}

/** The hash does not cover links, so an edited file could lead its readers away from the service. */
function withoutForeignLinks(saved: PlanDocument): PlanDocument {
  const changes = saved.changes.map(({ link, ...change }): ShownChange => {
    const page = link === undefined ? undefined : pageOfService(saved.url, link);
    return page === undefined ? change : { ...change, link: page };
  });
  return { ...saved, changes };
}

export function invalidPlan(message: string, hint: Hint): EngineError {
  return engineError("invalid", "plan_invalid", message, hint);
}

/** A file can be given a hash that fits. It must not do a thing twice, nor count changes that it does not list. */
function isConsistent({ changes, summary, unmanaged }: PlanDocument): boolean {
  const isOnce = new Set(changes.map(({ address }) => address)).size === changes.length;
  return isOnce && canonicalJson({ ...summary }) === canonicalJson({ ...summarize(changes, unmanaged.length) });
}

/** The way out of a plan that no longer holds, or never did. @param before sentences that go before it */
export function planAgain(file: string, before = ""): Suggestion {
  return { hint: `${before}Plan again, review it, and apply that:`, command: command("plan", { out: file }) };
}
