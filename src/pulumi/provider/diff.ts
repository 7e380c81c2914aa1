import { compare, type Difference } from "../../diff/compare.ts";
import type { Kind } from "../../kinds/kind.ts";
import { text } from "../../kinds/helpers.ts";
import { canonicalJson, type Json, type JsonObject } from "../../model/json.ts";
import { fieldsOf, propertyOf, type Properties } from "../properties/properties.ts";
import { SECRET_PLACEHOLDER } from "../../model/sensitive.ts";
import { missingSecretsIn } from "./missing-secrets.ts";
import type { DiffResult } from "./provider.ts";

/**
 * Whether a program wants something else than a state holds; the plan's own comparison, with the state in place of the live
 * object. Pure: the engine asks for one resource at a time. What changes in detail is left to the engine, by its inputs.
 */
export function diff(kind: Kind, olds: Properties, news: Properties): DiffResult {
  const leaves = differencesOf(kind, olds, news);
  const immutable = leaves.filter(({ schema }) => schema?.["x-immutable"] === true);
  const replaces = [...moved(kind, olds, news), ...immutable.map(({ keys }) => propertyOf(kind, keys[0] ?? ""))];
  const untold = missingSecretsIn(fieldsOf(kind, news), replaces.length > 0 ? undefined : leaves);
  if (untold !== undefined) throw new Error(untold);
  // Whoever takes a natural key has to wait until it is free.
  if (replaces.length > 0) return { replaces: [...new Set(replaces)], deleteBeforeReplace: true };
  const isChanged =
    leaves.length > 0 ||
    isReleased(kind, olds, news) ||
    olds["confirmDelete"] !== news["confirmDelete"] ||
    // Soft-deleted behind our back: the update brings it back under its id.
    olds["deleted"] === true;
  return isChanged ? {} : { changes: false };
}

/**
 * All leaves at which the state is not what was declared. The state holds what was sent, also where the service does not give
 * it back, so that such fields are compared as well.
 */
export function differencesOf(kind: Kind, olds: Properties, news: Properties): readonly Difference[] {
  const state = fieldsOf(kind, olds);
  return compare(kind, fieldsOf(kind, news), state, { rotate: true }).filter(
    ({ prior, planned, keys }) =>
      planned !== SECRET_PLACEHOLDER && (!has(state, keys) || canonicalJson(prior) !== canonicalJson(planned)),
  );
}

/** Inputs that say where it is, or who: another one is another object. */
function moved(kind: Kind, olds: Properties, news: Properties): readonly string[] {
  const spelling = (value: Json | undefined): string => (text(value) ?? "").trim().toLowerCase();
  const names = ["organizationId", "projectId", ...(kind.keyedBy === undefined ? [] : ["email"])];
  return names.filter((name) => name in { ...olds, ...news } && spelling(olds[name]) !== spelling(news[name]));
}

/** Whether a field is no longer declared: nothing is sent, but the state has to learn that it is nobody's. */
function isReleased(kind: Kind, olds: Properties, news: Properties): boolean {
  const declared = fieldsOf(kind, news);
  return Object.keys(fieldsOf(kind, olds)).some((field) => !(field in declared));
}

function has(values: JsonObject, keys: readonly string[]): boolean {
  let at: Json | undefined = values;
  for (const key of keys) at = (at as Readonly<Record<string, Json>> | null | undefined)?.[key];
  return at !== undefined;
}
