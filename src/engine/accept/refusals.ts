/** Why a change cannot be accepted, with what to do instead. */
import type { Redactor } from "../../api/redact/redact.ts";
import { kinds, neverCreated } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { command, type Hint } from "../../model/command.ts";
import { type Diagnostic, warningAt } from "../../model/diagnostic.ts";
import type { Resource } from "../../model/resource.ts";
import { ruleText } from "../../model/rules.ts";
import type { ManualEdit } from "../../edit/edit.ts";
import { aliasOf } from "../../edit/manual-edits.ts";
import { holdsExactNumber, leavesOf, Secret, someText, type Value } from "../../model/json/json.ts";
import { pathText, pointerKeys } from "../../model/pointer.ts";
import { holdsSensitive, isSecretUrl } from "../../model/secret-values.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import type { AcceptEdit, AcceptSource } from "./accept-edit.ts";
import { isConverted } from "./declared-values.ts";

/**
 * Which declarations of objects that do not exist are removed. An id shows that there was an object; without one it may just not
 * have been created yet, so a person has to say that it is gone.
 */
export type RemovalPolicy = "none" | "pinned" | "all";

/**
 * The policy of a command. Everything that was named, or will be shown in a question, may go.
 *
 * @param only the addresses that were named
 */
export function removalPolicy({
  only,
  isAsked,
}: {
  readonly only: readonly string[];
  readonly isAsked: boolean;
}): RemovalPolicy {
  return isAsked || only.length > 0 ? "all" : "pinned";
}

/** A warning that a change is not accepted, at its declaration. */
export function notAccepted({ address, work }: Change, reason: string, hint: Hint): Diagnostic {
  const message = `not accepted: ${reason}`;
  return warningAt({ address, position: work?.resource?.position }, { code: "not_accepted", message, hint });
}

/** Returns the reason that nothing of a change can be accepted; undefined if edits can be made. */
export function refusalOf(run: PlannedRun, change: Change, remove: RemovalPolicy): Diagnostic | undefined {
  const resource = change.work?.resource;
  if (resource === undefined)
    return mayBeDeclaredUnderFormerName(change, run)
      ? notAccepted(change, "it may be declared under another name", "Settle that first, as the report says.")
      : notAccepted(change, "nothing declares it", undeclaredHint(change));
  const refusal = isGone(change)
    ? (removalRefusal(run, change) ?? policyRefusal(change, resource, remove))
    : isConverted(run, change)
      ? undefined
      : editRefusal(change);
  return refusal ?? programRefusal(change, resource);
}

/** Whether the declared object of a change does not exist on the service. */
export function isGone({ action }: Change): boolean {
  return action === "create" || action === "restore";
}

function policyRefusal(change: Change, resource: Resource, remove: RemovalPolicy): Diagnostic | undefined {
  if (remove === "none") return notAccepted(change, GONE, removeOrCreate("Remove its declaration", change));
  if (remove === "all" || provesItsAbsence(resource)) return undefined;
  return notAccepted(change, "it does not exist on the service, and without an id nothing shows whether it ever did", {
    hint: "If it was deleted:",
    command: command("drift", { accept: true, yes: true, only: change.address }),
  });
}

/** Whether a pin shows that there was an object, and that it is deleted and not just hidden: only an `id` can be read. */
function provesItsAbsence({ kind, pin }: Resource): boolean {
  return pin !== undefined && (pin.field === "id" || kinds[kind].lists.isLong !== true);
}

/** Values can be written only where a file has a place for them. */
export function programRefusal(change: Change, { position }: Resource): Diagnostic | undefined {
  const { file = "its file", line } = position;
  if (line !== undefined) return undefined;
  return isGone(change)
    ? notAccepted(
        change,
        `${GONE}, and ${file} is a program`,
        removeOrCreate("Remove the declaration from it yourself", change),
      )
    : notAccepted(change, `${file} is a program`, "Write the live values into it yourself.");
}

/** Whether a change is about an object that nothing declares: its kind is exclusive. */
export function isUndeclared({ work }: Change): boolean {
  return work !== null && work.resource === undefined;
}

/** Whether an undeclared object may be one that is declared under its former name. An import would have that one made again. */
export function mayBeDeclaredUnderFormerName({ kind, work }: Change, { plan }: PlannedRun): boolean {
  const isNear = (one: Change): boolean => one.kind === kind && one.work?.scope === work?.scope;
  const isRenamed = ({ blocked, work: of }: Change): boolean =>
    blocked?.rule === "forgotten_rename" && of?.moved === undefined;
  return work?.moved !== undefined || plan.changes.some((one) => isRenamed(one) && isNear(one));
}

const GONE = "it no longer exists on the service";

/** What to do about an undeclared object of an exclusive kind. */
export function undeclaredHint({ address }: Change): Hint {
  return { hint: "An apply that prunes deletes it. To declare it:", command: command("import", { only: address }) };
}

/**
 * The advice to remove a declaration, or to have the object again. An apply alone does not create a pinned one.
 *
 * @param remove how to remove it, without a full stop
 */
export function removeOrCreate(remove: string, { address, action, blocked, kind }: Change): Hint {
  if (action === "restore") return { hint: `${remove}, or restore it:`, command: command("apply") };
  if (blocked?.rule === "not_there") return `${remove}. ${neverCreated(kinds[kind])?.instead ?? ""}`.trim();
  const options = blocked?.rule === "pin_missing" ? { recreate: address } : {};
  return { hint: `${remove}, or create it again:`, command: command("apply", options) };
}

/** Why the declaration of an object that is gone is not removed; undefined if it can be. */
function removalRefusal({ input, world }: PlannedRun, change: Change): Diagnostic | undefined {
  const { address, blocked, work } = change;
  const { resources, projects } = input.config.graph;
  if (blocked?.rule === "forgotten_rename")
    return notAccepted(change, "it may have another name now", `Declare ${blocked.lift}.`);
  if (blocked?.rule === "pinned_elsewhere") return notAccepted(change, change.reason, "Move its declaration there.");
  if (work?.resource?.lifecycle.protect === true)
    return notAccepted(
      change,
      `${GONE}, but it is protected`,
      removeOrCreate("Remove its declaration yourself", change),
    );
  const holdsOthers = [
    ...resources.map(({ scope }) => scope),
    ...projects.map(({ organization }) => organization),
  ].includes(address);
  if (holdsOthers || world.scopes.get(work?.scope ?? "")?.status === "absent") {
    const what = holdsOthers ? `${GONE}, and other declarations are in it` : ruleText({ rule: "parent" });
    return notAccepted(change, what, "Remove the declaration of the organization yourself, or create it with apply.");
  }
  return undefined;
}

function editRefusal(change: Change): Diagnostic | undefined {
  if (change.action !== "update" && change.action !== "replace")
    return notAccepted(change, change.reason, "Change its declaration, or apply.");
  // An expired object differs in nothing that could be written into a file.
  if (change.fields.length > 0) return undefined;
  return notAccepted(change, change.reason, "Change its lifecycle as the report says, and apply.");
}

/** Why a live value must not stand in a file; undefined if it may. */
export function unwritable({ source, declared, value }: AcceptEdit, redactor: Redactor): string | undefined {
  if (source.type !== "field") return undefined;
  const { path, live } = source;
  // A key that is declared stands in the file already.
  const isSecretKey = declared === undefined && redactor.holds(pointerKeys(path).at(-1) ?? "");
  if (isSecretKey || holdsSensitive(live) || someText(live, (text) => redactor.holds(text) || isSecretUrl(text)))
    return "it holds a secret";
  // A key that the service no longer has is removed with its expression, which writes nothing over it.
  const isOverwritten = value !== undefined && !secretsIn(declared).every((one) => secretsIn(value).includes(one));
  if (isOverwritten) return "a secret is declared in it";
  return holdsExactNumber(live) ? "it holds a number that YAML cannot hold exactly" : undefined;
}

/** The expressions of the secrets in a declared value. */
function secretsIn(value: Value | undefined): readonly string[] {
  return leavesOf(value ?? null).flatMap(({ value: leaf }) => (leaf instanceof Secret ? leaf.expression : []));
}

/** A warning about an edit that no file gets, with what a person does instead. */
export function editRefused(manual: ManualEdit<AcceptSource>): Diagnostic {
  const { edit, reason } = manual;
  const { source } = edit;
  const { change } = source;
  switch (source.type) {
    case "addition":
      return notAccepted(change, `nothing declares it, and ${reason}`, undeclaredHint(change));
    case "removal":
      return notAccepted(change, `its declaration stays: ${reason}`, removeOrCreate("Remove it yourself", change));
    case "moved":
      return notAccepted(change, `its address stays: ${reason}`, "Change it there by hand.");
    case "field": {
      const what = aliasOf(manual) === undefined ? "Change it there by hand" : "Edit the anchor";
      return notAccepted(change, `${pathText(source.path)} stays: ${reason}`, `${what}, or apply.`);
    }
  }
}
