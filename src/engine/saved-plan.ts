import { resolve } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { parseText } from "../api/json/parse.ts";
import { isPlanDocument } from "../generated/plan-validator.ts";
import { REDACTED, type Redactor } from "../api/redact/redact.ts";
import type { Change, FieldChange } from "../model/change.ts";
import { canonicalJson, isJsonObject, type ValueObject } from "../model/json.ts";
import type { Plan, PlanDocument, PlanOptions } from "../model/plan.ts";
import { hashOf } from "../plan/document.ts";
import { summarize } from "../plan/plan.ts";
import { EXIT } from "../cli/exit-codes.ts";
import { failure } from "../cli/failure.ts";
import { splitPaths } from "../cli/options.ts";
import { reportDiagnostics } from "../cli/output.ts";
import { readBounded } from "../cli/files.ts";
import { redactChange } from "./redact.ts";
import type { Runtime } from "../cli/runtime.ts";

/** Larger ones are none: that of 100,000 resources has a few dozen. Bytes. */
const LARGEST = 256 * 1024 * 1024;

/** Reads a plan that `plan --out` has saved, or that a drift or a plan printed as JSON. */
export async function readPlan(runtime: Runtime, file: string): Promise<PlanDocument> {
  const text = await readBounded(resolve(runtime.cwd, file), LARGEST).catch((error: NodeJS.ErrnoException) => {
    throw failure(EXIT.invalid, "plan_unreadable", `${file} cannot be read (${error.code ?? "error"})`, SAVE);
  });
  const parsed = parseText(text);
  const document = "value" in parsed ? parsed.value : undefined;
  if (!isJsonObject(document) || !TYPES.some((type) => type === document["type"]))
    throw failure(EXIT.invalid, "plan_invalid", `${file} is not a saved plan`, SAVE);
  if (document["schema_version"] !== 1)
    throw failure(EXIT.invalid, "plan_invalid", `${file} was saved by another version of driftline`, "Plan again.");
  if (hashOf(document) !== document["hash"])
    throw failure(
      EXIT.invalid,
      "plan_edited",
      `${file} does not match its own hash`,
      "It was edited or damaged. Plan again.",
    );
  if (!isPlanDocument(document) || !isConsistent(document))
    throw failure(EXIT.invalid, "plan_invalid", `${file} is no plan that driftline has made`, SAVE);
  return document;
}

const TYPES: readonly string[] = ["driftline.plan", "driftline.drift"];
const SAVE = "Save one with: driftline plan --out FILE";

/** Anybody can give a file a hash that fits: it may neither do a thing twice nor count what it does not list. */
function isConsistent({ changes, summary, unmanaged }: PlanDocument): boolean {
  const isOnce = new Set(changes.map(({ address }) => address)).size === changes.length;
  return isOnce && canonicalJson({ ...summary }) === canonicalJson({ ...summarize(changes, unmanaged.length) });
}

/** Ends the command where the configuration or the service is not the one that the plan was made for. */
export function requireSameSource(saved: PlanDocument, file: string, configHash: string, url: string): void {
  const stale = (what: string): Error =>
    failure(EXIT.stale, "stale_plan", `${file} was made for another ${what}`, "Plan again, review it, and apply that.");
  if (saved.type !== "driftline.plan")
    throw failure(
      EXIT.invalid,
      "plan_invalid",
      `${file} holds a drift report, not a plan`,
      "Save one with: driftline plan --out FILE",
    );
  if (saved.config_hash !== configHash) throw stale("configuration");
  if (saved.url !== url) throw stale(`service (${saved.url})`);
}

/** What a saved plan covers was settled when it was made: options that say something else are left out, and that is told. */
export function warnIgnoredOptions(runtime: Runtime, saved: PlanDocument, options: Partial<PlanOptions>): void {
  const { prune, only, rotate } = saved.options;
  const differs = (asked: readonly string[] | undefined, made: readonly string[]): boolean =>
    asked !== undefined && !isDeepStrictEqual(splitPaths(asked).addresses.toSorted(), made.toSorted());
  const unused = [
    ...(options.prune === true && !prune ? ["--prune"] : []),
    ...(differs(options.only, only) ? ["--only"] : []),
    ...(differs(options.rotate, rotate) ? ["--rotate"] : []),
  ];
  reportDiagnostics(
    runtime,
    unused.map((option) => ({
      severity: "warning",
      code: "option_unused",
      message: `${option} changes nothing about a saved plan`,
      hint: `Plan again with ${option}, and apply that.`,
    })),
  );
}

/**
 * Holds the plan that was shown against one that was made just now: exactly what was shown is carried out, and only where
 * every object that it touches is as it was. Changes that came up since are not carried out.
 */
export function matchSavedPlan(shown: PlanDocument, fresh: Plan, redactor: Redactor): Plan {
  const now = new Map(fresh.changes.map((change) => [change.address, change]));
  const changes = shown.changes.map((change): Change => {
    if (change.action === "no_op" || change.action === "unknown") return { ...change, work: null };
    const same = now.get(change.address);
    const isAllowed = change.blocked !== null || same?.blocked === null;
    if (same === undefined || !isSame(change, same, redactor) || !isAllowed) {
      throw failure(
        EXIT.stale,
        "stale_plan",
        `${change.address} is no longer what the plan saw`,
        "Nothing was written. Plan again, review it, and apply that.",
      );
    }
    // What was shown as refused stays so, whatever has changed since.
    return { ...same, blocked: change.blocked };
  });
  return { ...fresh, changes, summary: shown.summary };
}

/**
 * Whether nothing has changed about a change. Which secrets were taken out depends on what the two runs knew of; what cannot
 * be compared for that is in the fingerprint and in the hash of the configuration.
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
