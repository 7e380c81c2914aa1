/**
 * The live values that no file declares.
 *
 * Premise: exports leave defaults out, and people declare what they care about. So a value that somebody sets in the web interface may
 * differ from nothing. What a file is expected to say is what an export would write for the object now.
 * Algorithm: the comparison notes undeclared keys inside of declared fields. Those that an export would write count, and so do the
 * other fields that it would write. In a drift they are differences if the file asks for that (`undeclared: report`).
 */
import { precedenceOf } from "../../diff/shown-as.ts";
import { liveAsDeclared } from "../../diff/body.ts";
import { comparisonRules } from "../../diff/comparison-rules.ts";
import { exportedValues } from "../../export/resources.ts";
import { ExportSession } from "../../export/session.ts";
import { turnedOffWarnings } from "../../kinds/people/index.ts";
import { warningOf } from "../../kinds/check.ts";
import { schemaAt } from "../../kinds/fields.ts";
import { kinds } from "../../kinds/registry.ts";
import type { World } from "../../kinds/world.ts";
import type { Change, FieldChange } from "../../model/change.ts";
import { command } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { mapSecrets, valueAt } from "../../model/json/json.ts";
import { filterKeys } from "../../model/json/object.ts";
import type { Plan, PlanPurpose } from "../../model/plan.ts";
import { plural } from "../../model/text/plural.ts";
import { pointer, pointerKeys, topField } from "../../model/pointer.ts";
import { type DesiredGraph, isWanted, type Resource } from "../../model/resource.ts";
import { isSensitive, SENSITIVE } from "../../model/secret-values.ts";
import type { FieldPath } from "../../diff/place.ts";
import { fieldChanges } from "../../plan/make-change.ts";
import { withChanges } from "../../plan/summarize.ts";
import type { EngineInput } from "../context.ts";

/** The plan with the undeclared values of its resources, and a warning if it leaves some alone that a drift would report. */
export function addUndeclaredValues(
  { config: { graph }, context: { redactor } }: EngineInput,
  plan: Plan,
  { purpose, world }: { readonly purpose: PlanPurpose; readonly world: World },
): { readonly plan: Plan; readonly diagnostics: readonly Diagnostic[] } {
  const session = new ExportSession({ ids: true, isSecret: redactor.holds });
  const isReported = ({ work }: Change): boolean => graph.reporting?.has(work?.resource?.position.file ?? "") === true;
  const changes = plan.changes.map((change): Change => {
    const { more: _noted, ...bare } = change;
    const undeclared = undeclaredValuesOf(change, graph, session);
    if (undeclared.length === 0) return bare;
    const known = { ...bare, more: undeclared.map(({ path }) => path) };
    return purpose !== "plan" && isReported(change) ? asDifference(known, undeclared) : known;
  });
  const off = changes.flatMap((change) => protectionsOff(change, world));
  const left = purpose === "plan" ? changes.filter(isReported).flatMap(({ more = [] }) => more) : [];
  return {
    plan: withChanges(plan, changes),
    diagnostics: [...off, ...(left.length === 0 ? [] : [leftAlone(left.length)])],
  };
}

/** A drift with them. An apply would not change them, so it says so. */
function asDifference(change: Change, undeclared: readonly FieldChange[]): Change {
  const names = [...new Set(undeclared.map(({ path }) => topField(path)))].join(", ");
  const note = `not declared, and left alone by apply: ${names}`;
  const isSame = change.action === "no_op";
  return {
    ...change,
    action: isSame ? "update" : change.action,
    reason: isSame ? note : `${change.reason}; ${note}`,
    fields: [...change.fields, ...undeclared],
  };
}

/** A warning for each protection that no file declares, and that is reported because it is off. */
function protectionsOff(change: Change, world: World): readonly Diagnostic[] {
  const { fields, more = [], work } = change;
  const shown = new Set(fields.flatMap(({ path }) => (more.includes(path) ? topField(path) : [])));
  const after = filterKeys(work?.live?.values ?? {}, (field) => shown.has(field));
  const hint = "Find out who turned it off. No file declares it, so an apply leaves it off.";
  return turnedOffWarnings(change, "is off on the service", { world, after, hint }).map((warning) =>
    warningOf(change, warning),
  );
}

function leftAlone(count: number): Diagnostic {
  const [are, them] = count === 1 ? ["is", "it"] : ["are", "them"];
  const message = `${plural(count, "undeclared live value")} ${are} left alone`;
  return {
    severity: "warning",
    code: "undeclared",
    message,
    hint: `To see ${them}, and then declare ${them} with --accept:`,
    command: command("drift"),
  };
}

/** The undeclared live values of the object of a change, in the form in which an export would declare them. */
function undeclaredValuesOf(
  { kind: name, action, work, more = [] }: Change,
  graph: DesiredGraph,
  session: ExportSession,
): readonly FieldChange[] {
  const { resource, live } = work ?? {};
  if (resource === undefined || live === undefined || action === "replace" || action === "delete") return [];
  const isOrdinary = isWanted(resource.lifecycle) && live.state === undefined;
  if (!isOrdinary || isOnlyPlaceOfProjects(resource, graph)) return [];
  const kind = kinds[name];
  const { values: declared, lifecycle } = resource;
  const values = liveAsDeclared(kind, declared, live.values);
  const exported = exportedValues({ ...live, values }, resource, session);
  const { isIgnored } = comparisonRules(kind, lifecycle);
  const uncounted = new Set([
    ...(lifecycle.partial ?? []),
    ...(kind.comparison?.setByService ?? []),
    // A list may or may not show them, so an export that shows them is no rule.
    ...(kind.lists.fullListFields ?? []),
    // A declared field takes the place of the one that the service shows.
    ...[precedenceOf(kind, declared, live.values)?.of ?? []].flat(),
  ]);
  const fields = Object.keys(exported).filter((field) => !Object.hasOwn(declared, field) && !isIgnored([field]));
  const paths = [...fields.map((field) => pointer(field)), ...more].filter((path) => !uncounted.has(topField(path)));
  const undeclared = paths.flatMap((path) => {
    const keys = pointerKeys(path) as unknown as FieldPath;
    const value = valueAt(exported, keys);
    if (value === undefined) return [];
    const masked = mapSecrets(value, () => SENSITIVE);
    return [{ keys, live: masked, planned: null, schema: schemaAt(name, live.values, keys) }];
  });
  return fieldChanges(kind, undeclared, declared).filter(({ prior }) => !isSensitive(prior));
}

/** Whether an organization is declared only to say where its projects are. */
function isOnlyPlaceOfProjects({ address, scope, pin, values }: Resource, { resources }: DesiredGraph): boolean {
  if (scope !== "") return false;
  const isNamed = Object.keys(values).every((field) => kinds.organization.identity.keyFields.includes(field));
  if (pin !== undefined) return Object.keys(values).length === 0;
  return isNamed && !resources.some((one) => one.scope === address);
}
