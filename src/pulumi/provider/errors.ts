import { own } from "../../model/json/json.ts";
import { ApiError } from "../../api/errors/errors.ts";
import { kinds, neverCreated } from "../../kinds/registry.ts";
import type { Blocked } from "../../model/change.ts";
import { ruleText } from "../../model/rules.ts";
import { CODES } from "../../model/diagnostic-codes.ts";
import { flagOf, hintText, withCommand } from "../../model/command.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Kind } from "../../kinds/kind.ts";
import { stripInvisible } from "../../model/text/invisible.ts";
import { withoutCommands } from "../../model/pipeline-commands.ts";
import { pointerKeys } from "../../model/pointer.ts";
import { isAsDeclared, type Outcome } from "../../model/outcome.ts";
import type { Plan } from "../../model/plan.ts";
import { propertyKeys, type Properties } from "../properties/properties.ts";
import { SETTINGS } from "../properties/settings.ts";
import { missingSecretsIn } from "./missing-secrets.ts";

/**
 * A write that failed although the object exists. The engine records id and properties, and tries again next time.
 * Source: `grpcResponseFromError` of the process of dynamic providers.
 */
export class PartialFailure extends Error {
  readonly id: string;
  readonly properties: Properties;
  readonly reasons: readonly string[];
  constructor(message: string, id: string, properties: Properties) {
    super(message);
    this.name = "PartialFailure";
    this.id = id;
    this.properties = properties;
    this.reasons = [message];
  }
}

/** A setting of the provider comes from a resource that this run has not created yet. */
export class UnknownSettingError extends Error {}

/**
 * Returns why a plan must not be applied. Returns undefined if it may be.
 *
 * @param pinHint hint if no object has the given id
 */
export function refusalReason(plan: Plan, pinHint: string): string | undefined {
  const [change] = plan.changes;
  const problem = plan.diagnostics.find(({ severity }) => severity === "error");
  if (problem !== undefined)
    return withHint(problem.message, problem.code === "pin_missing" ? pinHint : shownHint(problem));
  if (change === undefined) return "driftline: an empty plan; this is a defect";
  if (change.blocked?.rule === "pin_missing") return withHint(change.reason, pinHint);
  if (change.blocked?.rule === "not_there") return withHint(change.reason, neverCreated(kinds[change.kind])?.instead);
  const { action, reason, blocked, work } = change;
  if (blocked === null) return action === "unknown" ? reason : missingSecretsIn(work?.body ?? {});
  const { rule, lift: hint, command } = blocked;
  return `${rule}: ${ruleText(blocked)}. To go ahead: ${PULUMI_LIFTS[rule] ?? shownHint({ hint, command })}`;
}

/** What a plan says about fields that the service does not have, in the words of the command line, with the name of the resource. */
export function missingIn({ changes: [change], diagnostics }: Plan): readonly string[] {
  const name = change === undefined ? "" : `${change.kind} ${JSON.stringify(change.work?.key ?? change.id ?? "")}: `;
  return diagnostics.flatMap(({ code, message, hint }) =>
    code === CODES.notOnService ? [`${name}${withHint(message, hint)}`] : [],
  );
}

/** How to override a rule, in the terms of a Pulumi program. */
const PULUMI_LIFTS: Readonly<Partial<Record<Blocked["rule"], string>>> = {
  confirm_organization:
    "set its input confirmDelete to the name of the organization, run pulumi up, then remove the resource",
  organization_create: "check the name, or remove adopt to create it",
  edited_as_query: "declare the query in the place of filters",
  query_required: "declare a query in the place of filters",
  own_user: "set the e-mail of the key's user: pulumi config set driftline:self E-MAIL",
};

/**
 * Returns why a write was not applied. Returns undefined if it was.
 *
 * @param goneHint hint if an object that could have been restored does not exist
 */
export function failureReason(outcome: Outcome, goneHint?: string): string | undefined {
  if (isAsDeclared(outcome)) return undefined;
  const { status, error, kind, action } = outcome;
  if (error?.code === "ignored_by_service") return ignoredByService(kinds[kind], error.paths ?? []);
  const isGone = action === "restore" && error?.code === "not_found";
  const hint =
    (isGone ? goneHint : own(PULUMI_HINTS, error?.code ?? "")) ?? (error === null ? undefined : shownHint(error));
  return withHint(error?.message ?? `the ${kind} ended as ${status}`, hint);
}

/** Why values of a program are not on the service, in the terms of the program. */
function ignoredByService(kind: Kind, paths: readonly string[]): string {
  const names = paths.map((path) => propertyKeys(kind, [...pointerKeys(path)] as [string]).join(".")).join(", ");
  const message = `the service accepted the write but did not set ${names}`;
  return `${message}. It may need a paid feature, or be read-only. Declare what the service shows, or add it to ignoreChanges`;
}

/** What to do after an error, in the terms of Pulumi. */
const PULUMI_HINTS: Readonly<Record<string, string>> = {
  stale: "Run pulumi up again",
  interrupted: "Run pulumi up again",
  outcome_unknown: "Run pulumi up again: it first finds out what has taken effect",
};

/** A hint with its command, as the command line shows it, but with the settings of Pulumi. */
export function shownHint({ hint, command }: Pick<Diagnostic, "hint" | "command">): string | undefined {
  return hint === undefined ? undefined : withCommand(withSettings(hint), command);
}

/** A hint with the settings of Pulumi in the place of the options that the command line has for them. */
function withSettings(hint: string): string {
  return SETTINGS.reduce((text, name) => text.replaceAll(flagOf(name), `driftline:${name}`), hint);
}

/**
 * A text for the engine, which prints it as it is, also a name of the service. It cannot move the cursor, reverse the text, or be a
 * command of the pipeline.
 */
export function engineText(text: string): string {
  return withoutCommands(stripInvisible(text));
}

/** Joins a message and its hint. A message of the service may end with a full stop. */
export function withHint(message: string, hint: string | undefined): string {
  return hint === undefined ? message : `${message.replace(/\.$/, "")}. ${hint}`;
}

/** Makes the messages of errors into texts for the engine. */
export async function withSanitizedError<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (error instanceof PartialFailure)
      throw new PartialFailure(engineText(error.message), error.id, error.properties);
    // All calls that waited for one list share its error, so each throws a new one.
    if (error instanceof ApiError)
      throw new Error(engineText(withHint(error.message, withSettings(hintText(error.hint)))), { cause: error });
    if (error instanceof Error) error.message = engineText(error.message);
    throw error;
  }
}

/**
 * Removes the stack, which the stock process prints for these calls. It does not help a user. A defect keeps its stack.
 */
export async function withoutStack<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await withSanitizedError(call);
  } catch (error) {
    const isDefect = error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
    if (error instanceof Error && !isDefect) error.stack = "";
    throw error;
  }
}
