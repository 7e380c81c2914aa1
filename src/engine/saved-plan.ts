import { scopeOf } from "../model/resource.ts";
import { changesJson, planFromJson } from "../model/document-json.ts";
import { command, type Hint, type Suggestion } from "../model/command.ts";
import { publicUrlOf } from "../api/http/url.ts";
import { parseText } from "../api/json/parse.ts";
import { REDACTED, type Redactor } from "../api/redact/redact.ts";
import { isPlanDocument } from "../generated/plan-validator.ts";
import type { Change, FieldChange } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { firstOf, plural } from "../model/plural.ts";
import { canonicalJson, isJsonObject, pointerKeys, type ValueObject } from "../model/json.ts";
import { listKey, type LiveSnapshot } from "../model/live.ts";
import type { Plan, PlanDocument, ShownChange } from "../model/plan.ts";
import { allKinds } from "../kinds/registry.ts";
import { mayContain } from "../plan/match.ts";
import { hashOf } from "../plan/document.ts";
import { summarize } from "../plan/plan.ts";
import { engineError, EngineError } from "../model/engine-error.ts";
import type { PlannedRun } from "./plan.ts";
import { redactChange } from "./redact.ts";

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
  return saved;
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

function topField(path: string): string {
  return pointerKeys(path)[0] ?? path;
}

/** The most files or changes that a message names. */
const MAX_NAMED = 3;

const STALE = { severity: "error", code: "stale_plan" } as const;

function stale(message: string, hint: Suggestion): EngineError {
  return new EngineError("stale", [{ ...STALE, message, ...hint }]);
}

function planAgain(file: string, before = ""): Suggestion {
  return { hint: `${before}Plan again, review it, and apply that:`, command: command("plan", { out: file }) };
}

/**
 * Matches the plan that was shown against a fresh one. Exactly the shown changes are returned, with the work of the fresh
 * ones. Changes that are new since then are not applied.
 *
 * @param file where the shown plan is saved; undefined if it is not
 * @throws EngineError `stale` if an object of the shown plan is no longer as the plan saw it, `failed` if that could not be read
 */
export function matchSavedPlan(
  shown: PlanDocument,
  { plan: fresh, snapshot }: Pick<PlannedRun, "plan" | "snapshot">,
  redactor: Redactor,
  file: string | undefined,
): Plan {
  const now = new Map(fresh.changes.map((change) => [change.address, change]));
  const outdated: Diagnostic[] = [];
  const unread: Diagnostic[] = [];
  const changes = shown.changes.map((change): Change => {
    if (change.action === "no_op" || change.action === "unknown") return { ...change, work: null };
    const same = now.get(change.address);
    const isFound = same !== undefined && same.action !== "unknown";
    const failed = isFound ? undefined : failedRead(change, snapshot);
    if (failed !== undefined) {
      unread.push(couldNotBeRead(change, failed));
      return { ...change, work: null };
    }
    const isAllowed = change.blocked !== null || same?.blocked === null;
    if (same === undefined || !isSame(change, same, redactor) || !isAllowed) {
      const what = describeChange(change, same && redactChange(same, redactor));
      outdated.push({ ...STALE, address: change.address, message: `it changed since the plan was made: ${what}` });
      return { ...change, work: null };
    }
    // A change that was shown as refused stays refused, even if its rule would allow it now.
    return { ...same, blocked: change.blocked };
  });
  if (outdated.length === 0 && unread.length > 0) throw new EngineError("failed", unread.slice(0, 1));
  if (outdated.length === 0) return { ...fresh, changes, summary: shown.summary };
  const more = outdated.length > MAX_NAMED ? `${plural(outdated.length, "change")} of the plan are stale. ` : "";
  const before = `${more}Nothing was written. `;
  const review = { hint: `${before}To review the new plan:`, command: command("apply") };
  const next = file === undefined ? review : planAgain(file, before);
  const named = outdated.slice(0, MAX_NAMED);
  throw new EngineError("stale", [...named.slice(0, -1), ...named.slice(-1).map((last) => ({ ...last, ...next }))]);
}

/** A scope or a list that could not be read. */
type FailedRead = { readonly reason: string; readonly denied: boolean };

/** What could not be read and may show the object of a change. Then nothing says that the object has changed. */
function failedRead({ address, kind }: ShownChange, { scopes, lists }: LiveSnapshot): FailedRead | undefined {
  const target = { scope: scopeOf(address), kind };
  const near = [...scopes.keys()].flatMap((scope) =>
    allKinds
      .filter(({ name }) => mayContain({ scope, kind: name }, target))
      .map(({ name }) => lists.get(listKey(scope, name))),
  );
  return [scopes.get(target.scope), ...near].find((read) => read?.status === "unknown");
}

function couldNotBeRead({ address }: ShownChange, { reason, denied }: FailedRead): Diagnostic {
  const code = denied ? "access_denied" : "unreadable";
  const hint = "Nothing was written. The same plan can be applied once the service can be read.";
  return { severity: "error", code, message: `it could not be read: ${reason}`, hint, address };
}

/** What is another than it was when the plan was made. */
function describeChange(before: ShownChange, now: ShownChange | undefined): string {
  if (now === undefined) return `nothing is left to ${before.action}`;
  if (now.action !== before.action || (before.blocked === null && now.blocked !== null)) {
    const rule = now.blocked === null ? "" : ` (blocked: ${now.blocked.rule})`;
    const what = now.action === "no_op" || now.action === "unknown" ? "" : `it is ${now.action}${rule}: `;
    return `${before.action} was planned, and now ${what}${now.reason}`;
  }
  if (now.id !== before.id) return `it is another object now, with the id ${String(now.id)}`;
  const texts = ({ fields }: ShownChange): readonly string[] =>
    fields.filter((field) => !isRedacted(field)).map((field) => canonicalJson({ ...field }));
  const [shown, live] = [new Set(texts(before)), new Set(texts(now))];
  const changed = [...before.fields, ...now.fields]
    .filter(
      (field) => !isRedacted(field) && shown.has(canonicalJson({ ...field })) !== live.has(canonicalJson({ ...field })),
    )
    .map(({ path }) => topField(path));
  if (changed.length === 0) return "it changed in values that the plan does not contain";
  return `the live value of ${[...new Set(changed)].join(", ")} has changed`;
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
