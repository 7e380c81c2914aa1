/** What is wrong with an object that was read after a write, as an error. It reads nothing. */
import type { Difference } from "../../diff/compare.ts";
import { type Precedence, precedenceOf } from "../../diff/shown-as.ts";
import type { Kind } from "../../kinds/kind.ts";
import { kinds } from "../../kinds/registry.ts";
import { isUnknownField } from "../../kinds/unknown-fields.ts";
import { takenFields, varyingFields } from "../../kinds/varying-fields.ts";
import type { KindName } from "../../model/kind-name.ts";
import type { LiveObject } from "../../model/live.ts";
import { pathTexts, pointer, topField } from "../../model/pointer.ts";
import type { Resource } from "../../model/resource.ts";
import { ChangeError } from "../change-error.ts";

/** The codes of changes that a service accepted and stored otherwise, or cannot make yet. Another apply would not change that. */
export const OTHER_THAN_WRITTEN: ReadonlySet<string> = new Set([
  "ignored_by_service",
  "added_by_service",
  "not_comparable",
  "reference_missing",
  "verification_required",
]);

/** Why an object still differs from what was declared; undefined if it does not. */
export function remainingDifference(
  kind: Kind,
  { values }: Resource,
  live: LiveObject,
  remaining: readonly Difference[],
): ChangeError | undefined {
  const ignored = remaining.filter(({ isUndeclared }) => isUndeclared !== true);
  const precedence = precedenceOf(kind, values, live.values);
  if (ignored.length === 0) return remaining.length > 0 ? addedByService(live, remaining) : undefined;
  if (precedence !== undefined && ignored.every(({ keys: [field] }) => isEither(precedence, field)))
    return notComparable(live, [pointer(precedence.over)], precedence);
  return ignoredByService(live.id, pathsOf(ignored), ignoredHint(live, ignored));
}

/**
 * Whether the service stores a reference, and leaves it out where it looks it up. What was not written is as it was before.
 *
 * @param live the object as a read by its id shows it
 */
export function missingReference(
  { comparison }: Kind,
  { values }: Resource,
  live: LiveObject,
  written: readonly string[],
): ChangeError | undefined {
  const references = comparison?.missingReferences?.(values, live.values) ?? [];
  const missing = references.filter((path) => written.includes(topField(path)));
  if (missing.length === 0) return undefined;
  const message = `the project does not have what ${pathTexts(missing)} refers to`;
  const hint = "It was written as declared. Ids of another project mean nothing here: declare one of this project.";
  return new ChangeError("unverified", "reference_missing", message, { hint, id: live.id, paths: missing });
}

/** Whether the row lacks a field that not every service has. An empty list could not show that: the next plan says it. */
export function isNotOnService(kind: KindName, live: LiveObject, keys: readonly string[]): boolean {
  const path = pointer(...keys);
  const varies = varyingFields(kind).some((field) => pointer(...field.keys) === path);
  return varies && !takenFields(kind, [live]).includes(path);
}

function pathsOf(differences: readonly Difference[]): readonly string[] {
  return differences.map(({ keys }) => pointer(...keys));
}

/** The error about a write that was accepted, and does not show in the object. */
export function ignoredByService(id: string, paths: readonly string[], hint: string): ChangeError {
  const message = `the service accepted the write but did not set ${pathTexts(paths)}`;
  return new ChangeError("unverified", "ignored_by_service", message, { hint, id, paths });
}

export function isEither({ of, over }: Precedence, field: string): boolean {
  return field === of || field === over;
}

/** What to do about fields that the service did not set. */
function ignoredHint({ kind }: LiveObject, differences: readonly Difference[]): string {
  if (differences.every(({ keys: [field] }) => isUnknownField(kind, field)))
    return "The service may not know what stands in extra_fields. Check the name, or remove it.";
  const needs = kinds[kind].writes.firstStep === undefined ? "a paid feature" : `a paid feature or a verified ${kind}`;
  return `The field may need ${needs}, or it may be read-only. Add it to lifecycle.ignore to leave it unmanaged.`;
}

function addedByService(live: LiveObject, differences: readonly Difference[]): ChangeError {
  const paths = pathsOf(differences);
  const message = `the service added ${pathTexts(paths)} to what was sent`;
  const hint = `To leave it to the service, declare in the resource: lifecycle: { ignore: ${JSON.stringify(paths)} } (ignoreChanges in a Pulumi program).`;
  return new ChangeError("unverified", "added_by_service", message, { hint, id: live.id, paths });
}

export function notComparable(live: LiveObject, paths: readonly string[], shown?: Precedence): ChangeError {
  const message = `the service returns what is declared in another form, which does not show ${pathTexts(paths)}`;
  const instead =
    shown === undefined
      ? ""
      : ` Declare the \`${shown.of}\` that the service returns instead of \`${shown.over}\`: \`drift --accept\` writes it.`;
  const hint = `The service accepted the write, but driftline cannot verify it.${instead}`;
  return new ChangeError("unverified", "not_comparable", message, { hint, id: live.id, paths });
}
