import { publicUrlOf } from "../api/http/url.ts";
import { parseText } from "../api/json/parse.ts";
import { REDACTED, type Redactor } from "../api/redact/redact.ts";
import { isPlanDocument } from "../generated/plan-validator.ts";
import type { Change, FieldChange } from "../model/change.ts";
import { canonicalJson, isJsonObject, type ValueObject } from "../model/json.ts";
import type { Plan, PlanDocument } from "../model/plan.ts";
import { hashOf } from "../plan/document.ts";
import { summarize } from "../plan/plan.ts";
import { engineError, type EngineError } from "./errors.ts";
import { redactChange } from "./redact.ts";
import { suggestedCommand } from "../model/suggested-command.ts";

/** The types of documents that hold a plan. */
const TYPES: readonly string[] = ["driftline.plan", "driftline.drift"];
/** The hint for a file that is not a saved plan. It names another file: this one may be something else, and must not be overwritten. */
export const SAVE_A_PLAN = `Save one with: ${suggestedCommand("plan", "--out", "plan.json")}`;

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
  if (hashOf(document) !== document["hash"]) {
    const message = `${file} does not match its own hash`;
    throw engineError("invalid", "plan_edited", message, `It was edited or damaged. ${planAgain(file)}`);
  }
  if (!isPlanDocument(document) || !isConsistent(document))
    throw invalid(`${file} is not a plan that driftline made`, SAVE_A_PLAN);
  return document;
}

function invalid(message: string, hint: string): EngineError {
  return engineError("invalid", "plan_invalid", message, hint);
}

/** A file can be given a hash that fits. It must not do a thing twice, nor count changes that it does not list. */
function isConsistent({ changes, summary, unmanaged }: PlanDocument): boolean {
  const isOnce = new Set(changes.map(({ address }) => address)).size === changes.length;
  return isOnce && canonicalJson({ ...summary }) === canonicalJson({ ...summarize(changes, unmanaged.length) });
}

/** @throws EngineError if the plan was made for another configuration or service, or is a drift report */
export function requireSameSource(saved: PlanDocument, file: string, configHash: string, url: string): void {
  if (saved.type !== "driftline.plan") throw invalid(`${file} holds a drift report, not a plan`, SAVE_A_PLAN);
  if (saved.config_hash !== configHash) throw stale(`${file} was made for another configuration`, planAgain(file));
  if (saved.url !== publicUrlOf(url))
    throw stale(`${file} was made for another service (${saved.url})`, planAgain(file));
}

function stale(message: string, hint: string): EngineError {
  return engineError("stale", "stale_plan", message, hint);
}

function planAgain(file: string): string {
  return `Plan again, review it, and apply that: ${suggestedCommand("plan", "--out", file)}`;
}

/**
 * Matches the plan that was shown against a fresh one. Exactly the shown changes are returned, with the work of the fresh
 * ones. Changes that are new since then are not applied.
 *
 * @param file where the shown plan is saved; undefined if it is not
 * @throws EngineError `stale` if an object of the shown plan is no longer as the plan saw it
 */
export function matchSavedPlan(shown: PlanDocument, fresh: Plan, redactor: Redactor, file: string | undefined): Plan {
  const now = new Map(fresh.changes.map((change) => [change.address, change]));
  const changes = shown.changes.map((change): Change => {
    if (change.action === "no_op" || change.action === "unknown") return { ...change, work: null };
    const same = now.get(change.address);
    const isAllowed = change.blocked !== null || same?.blocked === null;
    if (same === undefined || !isSame(change, same, redactor) || !isAllowed) {
      const next = file === undefined ? `Review the new plan: ${suggestedCommand("apply")}` : planAgain(file);
      throw stale(`${change.address} is no longer what the plan saw`, `Nothing was written. ${next}`);
    }
    // A change that was shown as refused stays refused, even if its rule would allow it now.
    return { ...same, blocked: change.blocked };
  });
  return { ...fresh, changes, summary: shown.summary };
}

/**
 * Whether two changes decide the same. The two runs may have known different secrets, so redacted values are not compared:
 * the fingerprint and the hash of the configuration cover them.
 */
function isSame(shown: Omit<Change, "work">, fresh: Change, redactor: Redactor): boolean {
  const [before, now] = [redactChange(shown, redactor), redactChange(fresh, redactor)];
  const fields = before.fields.map((field, index) => (isRedacted(field) ? (now.fields[index] ?? field) : field));
  const id = before.id?.includes(REDACTED) === true ? now.id : before.id;
  return comparableText({ ...before, fields, id }) === comparableText(now);
}

function isRedacted(field: FieldChange): boolean {
  return JSON.stringify(field).includes(REDACTED);
}

function comparableText({ address, kind, action, id, fingerprint, fields }: Omit<Change, "work">): string {
  return canonicalJson(JSON.parse(JSON.stringify({ address, kind, action, id, fingerprint, fields })) as ValueObject);
}
