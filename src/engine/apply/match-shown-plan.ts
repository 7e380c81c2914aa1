import { CODES } from "../../model/diagnostic-codes.ts";
import { REDACTED, type Redactor } from "../../api/redact/redact.ts";
import type { Change, FieldChange, FieldValue } from "../../model/change.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { canonicalJson } from "../../model/json/canonical-json.ts";
import type { ValueObject } from "../../model/json/json.ts";
import { quoted } from "../../model/text/quote.ts";
import { topField } from "../../model/pointer.ts";
import { listKey, type LiveWorld, type Unread } from "../../model/live.ts";
import type { Plan, PlanDocument, ShownChange } from "../../model/plan.ts";
import { scopeOf } from "../../model/resource.ts";
import { allKinds } from "../../kinds/registry.ts";
import { mayContain } from "../../plan/match.ts";
import { EngineError } from "../../model/engine-error.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import { redacted } from "../redact.ts";
import { staleChangeDiagnostic, staleChanges } from "./stale-plan.ts";

/**
 * Matches the plan that was shown against a fresh one. Exactly the shown changes are returned, with the work of the fresh
 * ones. Changes that are new since then are not applied.
 *
 * @param file where the shown plan is saved; undefined if it is not
 * @returns an error, `stale`, if an object of the shown plan is no longer as the plan saw it; `failed` if that could not be read
 */
export function matchShownPlan(
  shown: PlanDocument,
  { plan: fresh, world }: Pick<PlannedRun, "plan" | "world">,
  redactor: Redactor,
  file: string | undefined,
): Plan | EngineError {
  const now = new Map(fresh.changes.map((change) => [change.address, change]));
  const matches = shown.changes.map((change) => matchChange(change, now.get(change.address), { world, redactor }));
  const outdated = matches.flatMap((one) => ("outdated" in one ? one.outdated : []));
  if (outdated.length > 0) return staleChanges(outdated, file);
  const unread = matches.flatMap((one) => ("unread" in one ? one.unread : []));
  if (unread.length > 0) return new EngineError("failed", unread.slice(0, 1));
  const changes = matches.flatMap((one) => ("change" in one ? one.change : []));
  return { ...fresh, changes, summary: shown.summary };
}

/** The change to apply, or why there is none: it is out of date, or that could not be read. */
type MatchedChange = { readonly change: Change } | { readonly outdated: Diagnostic } | { readonly unread: Diagnostic };

/** @param now what the fresh plan says about the object; undefined if it says nothing */
function matchChange(
  shown: ShownChange,
  now: Change | undefined,
  { world, redactor }: { readonly world: LiveWorld; readonly redactor: Redactor },
): MatchedChange {
  if (shown.action === "no_op" || shown.action === "unknown") return { change: { ...shown, work: null } };
  const isKnown = now !== undefined && now.action !== "unknown";
  const failed = isKnown ? undefined : failedRead(shown, world);
  if (failed !== undefined) return { unread: couldNotBeRead(shown, failed) };
  const isAllowed = shown.blocked !== null || now?.blocked === null;
  if (now === undefined || !isSame(shown, now, redactor) || !isAllowed)
    return { outdated: staleChangeDiagnostic(shown, describeChange(shown, now && redacted(now, redactor))) };
  // A change that was shown as refused stays refused, even if its rule would allow it now.
  return { change: { ...now, blocked: shown.blocked } };
}

/** What could not be read and may show the object of a change. Then nothing says that the object has changed. */
function failedRead({ address, kind }: ShownChange, { scopes, lists }: LiveWorld): Unread | undefined {
  const target = { scope: scopeOf(address), kind };
  const near = [...scopes.keys()].flatMap((scope) =>
    allKinds
      .filter(({ name }) => mayContain({ scope, kind: name }, target))
      .map(({ name }) => lists.get(listKey(scope, name))),
  );
  return [scopes.get(target.scope), ...near].find((read) => read?.status === "unknown");
}

function couldNotBeRead({ address }: ShownChange, { reason, isDenied }: Unread): Diagnostic {
  const code = isDenied ? CODES.accessDenied : "unreadable";
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
  const moved = now.references?.find(({ path, id }) =>
    before.references?.some((one) => one.path === path && one.id !== id),
  );
  if (moved !== undefined) return `${quoted(moved.name)} is another object now, with the id ${String(moved.id)}`;
  const [shown, live] = [fieldsByText(before), fieldsByText(now)];
  const changed = [...shown, ...live].filter(([text]) => shown.has(text) !== live.has(text)).map(([, field]) => field);
  if (changed.length === 0) return "it changed in values that the plan does not contain";
  return `the live value of ${[...new Set(changed)].join(", ")} has changed`;
}

/** The names of the fields that can be compared, by their differences. */
function fieldsByText({ fields, removes = [] }: ShownChange): ReadonlyMap<string, string> {
  const comparable = [...fields, ...removes].filter((field) => !isRedacted(field));
  return new Map(comparable.map((field) => [canonicalJson({ ...field }), topField(field.path)]));
}

/**
 * Whether two changes decide the same. The two runs may have known different secrets, so redacted values are not compared:
 * the fingerprint and the hash of the configuration cover them.
 */
function isSame(shown: Omit<Change, "work">, fresh: Change, redactor: Redactor): boolean {
  const [before, now] = [redacted(shown, redactor), redacted(fresh, redactor)];
  const fields = before.fields.map((field, index) => (isRedacted(field) ? (now.fields[index] ?? field) : field));
  const id = before.id?.includes(REDACTED) === true ? now.id : before.id;
  return comparableText({ ...before, fields, id }) === comparableText(now);
}

function isRedacted(field: FieldChange | FieldValue): boolean {
  return JSON.stringify(field).includes(REDACTED);
}

function comparableText(change: Omit<Change, "work">): string {
  const { address, kind, action, id, fingerprint, fields, references } = change;
  const compared = { address, kind, action, id, fingerprint, fields, references };
  return canonicalJson(JSON.parse(JSON.stringify(compared)) as ValueObject);
}
