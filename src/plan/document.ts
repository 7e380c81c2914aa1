/** A plan in the form that is printed and saved, and its hash. */
import { declarableFields } from "../kinds/fields.ts";
import { allKinds, isRestorable, kinds } from "../kinds/registry.ts";
import { sha256 } from "../model/hash.ts";
import type { Change } from "../model/change.ts";
import { command, PLAN_HASH } from "../model/command.ts";
import { changesJson } from "../model/document-json.ts";
import { isObject, type ValueObject } from "../model/json/json.ts";
import type { Plan, PlanDocument, ShownChange } from "../model/plan.ts";
import { pointer } from "../model/pointer.ts";

/** What a document says besides its plan. The diagnostics are all of the run, including those of the plan. */
export interface DocumentContext extends Pick<
  PlanDocument,
  "type" | "config_hash" | "tool_version" | "url" | "source" | "not_read" | "diagnostics"
> {
  /** Takes the secrets out of what is shown, before that is hashed. */
  readonly redact?: <T>(shown: T) => T;
}

/**
 * A plan in the form that is printed and saved. `hash` covers everything except itself, the source, the diagnostics, the
 * effects and the tool's version.
 */
export function planDocument(plan: Plan, context: DocumentContext): PlanDocument {
  const { type, config_hash, tool_version, url, source, not_read, diagnostics, redact = (shown) => shown } = context;
  const content = {
    type,
    schema_version: 1 as const,
    config_hash,
    url,
    options: plan.options,
    summary: plan.summary,
    changes: redact(plan.changes.map((change) => toShownChange(change, type))),
    unmanaged: redact(plan.unmanaged),
    ...(not_read === undefined ? {} : { not_read }),
  };
  const hash = hashOf({ ...content, changes: changesJson(content.changes) });
  return { ...content, hash, tool_version, ...(source === undefined ? {} : { source }), diagnostics };
}

/** A drift shows the last change of an object. A plan does not, because its hash must not depend on that. */
function toShownChange({ work, ...change }: Change, type: PlanDocument["type"]): ShownChange {
  if (type !== "driftline.drift") return change;
  const modified = change.action === "no_op" ? undefined : work?.live?.modified;
  const { derived } = kinds[change.kind].lists;
  const missing = change.action === "create" && derived !== undefined ? `${derived}; ` : "";
  const reason = missing + change.reason + deletedNote({ ...change, work });
  const shown = withoutApproval({ ...change, reason });
  return modified === undefined ? shown : { ...shown, modified };
}

/** What is missing may have been deleted, and a create of it is another object. In a plan it may as well be new. */
function deletedNote({ action, kind, work }: Change): string {
  return action === "create" && isRestorable(kinds[kind]) && work?.resource?.pin === undefined
    ? "; if it was deleted, pin its id, because only that can restore it"
    : "";
}

/** Only a plan can be approved, so a drift leads to the plan first. */
function withoutApproval(change: ShownChange): ShownChange {
  const { blocked } = change;
  if (blocked?.command?.includes(PLAN_HASH) !== true) return change;
  return { ...change, blocked: { ...blocked, command: command("plan") } };
}

/** What stands beside a plan. Nothing that is applied depends on it. */
const UNHASHED = ["hash", "source", "diagnostics", "effects", "tool_version"] as const;

/**
 * The hash that the JSON of a plan must have, with {@link PLAN_HASH} in its commands. An edit of anything
 * that will be applied changes it. These do not: what others have added beside the declared values (`more`), links, and
 * what is not declared of a removed person. Nor does the source. The same plan has the same hash however it was typed,
 * so that `--approve` works from another folder. `config_hash` shows whether the source leads to the same
 * configuration.
 */
export function hashOf(content: Readonly<Record<string, unknown>>): string {
  const left = { ...content };
  for (const key of UNHASHED) delete left[key];
  const changes = withoutRemarks(left["changes"], (change) => ({
    ...change,
    more: undefined,
    link: undefined,
    removes: declarableIn(change),
  }));
  const unmanaged = withoutRemarks(left["unmanaged"], (one) => ({ ...one, about: undefined }));
  return sha256({ ...left, changes, unmanaged } as ValueObject);
}

/** A list of a document. A file that was edited may hold anything in its place. */
function withoutRemarks(list: unknown, hashed: (item: Readonly<Record<string, unknown>>) => object): unknown {
  return Array.isArray(list) ? list.map((one: unknown) => (isObject(one) ? hashed(one) : one)) : list;
}

/** What of `removes` can be declared. A file that was edited may hold anything. */
function declarableIn({ kind, removes }: Readonly<Record<string, unknown>>): unknown {
  const name = allKinds.find((one) => one.name === kind)?.name;
  if (!Array.isArray(removes) || name === undefined) return removes;
  const paths = declarableFields(name).map((field) => pointer(field));
  return removes.filter((one: unknown) => isObject(one) && paths.some((path) => path === one["path"]));
}
