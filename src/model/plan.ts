import type { Profile } from "./profile.ts";
import type { Action, Change, FieldValue } from "./change.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { Effects } from "./effect.ts";
import { collections, type KindName } from "./kind-name.ts";
import type { LiveObject, Modified } from "./live.ts";
import { pointer } from "./pointer.ts";
import { isWithin } from "./resource.ts";

export interface PlanOptions {
  readonly prune: boolean;
  /** Addresses that the plan is limited to, with their children; empty for no limit. */
  readonly only: readonly string[];
  /** Addresses whose write-only fields are sent again. */
  readonly rotate: readonly string[];
  /** Addresses whose pinned object may be created anew if it is missing; absent if there are none. */
  readonly recreate?: readonly string[] | undefined;
}

/** What a plan is made for: for an apply, for a report of drift, or for files that accept a drift. */
export type PlanPurpose = "plan" | "drift" | "acceptance";

/** Whether an address is one of `only`, or below one. */
export function isSelected(address: string, only: readonly string[]): boolean {
  return only.length === 0 || only.some((chosen) => isWithin(address, chosen));
}

/** Whether one of `only` may be at this address or below it, or contains it. */
export function overlaps(address: string, only: readonly string[]): boolean {
  return isSelected(address, only) || only.some((chosen) => chosen.startsWith(`${address}/`));
}

/** How a run was given: what `apply --plan` needs to repeat it. */
export interface PlanSource {
  /** Configuration files and folders, relative to the folder in which the command ran, with slashes. */
  readonly paths: readonly string[];
  /** Files of `--vars`, in order, relative in the same way. */
  readonly variable_files: readonly string[];
  /** `--var`, in order. The value is null if it is a secret. */
  readonly variables: readonly { readonly name: string; readonly value: string | null }[];
  readonly profile: Profile;
  /** The service, if `--url` named it; null if the environment or the configuration did. */
  readonly url: string | null;
  /** The files that were read and are no programs, with the SHA-256 of their texts, to name those that changed since. */
  readonly files?: readonly { readonly file: string; readonly hash: string }[] | undefined;
}

export type Summary = Readonly<Record<Action | "blocked" | "unmanaged", number>>;

/** An undeclared object that a plan leaves alone: no change of the plan removes it. */
export interface Unmanaged {
  readonly kind: KindName;
  readonly scope: string;
  readonly id: string;
  readonly key: string | null;
  /** Of a person: what a reader has to know. The hash does not cover it. */
  readonly about?: readonly FieldValue[] | undefined;
}

/** An undeclared object as it is listed. */
export function unmanagedOf({ kind, scope, id, keys, about }: LiveObject): Unmanaged {
  const found = { kind, scope, id, key: keys[0] ?? null };
  if (about === undefined) return found;
  return { ...found, about: Object.entries(about).map(([field, value]) => ({ path: pointer(field), value })) };
}

/** The address by which an undeclared object is imported, such as `acme/domains/id=7`. */
export function undeclaredAddress({ scope, kind, id }: Pick<Unmanaged, "scope" | "kind" | "id">): string {
  return `${scope}/${collections[kind]}/id=${id}`;
}

/** Everything that apply will do, as data. */
export interface Plan {
  readonly summary: Summary;
  readonly options: PlanOptions;
  readonly changes: readonly Change[];
  readonly unmanaged: readonly Unmanaged[];
  readonly diagnostics: readonly Diagnostic[];
}

/** A change in a document. */
export interface ShownChange extends Omit<Change, "work"> {
  /** In a drift: when the object was changed last, and by whom, if the service reports that. */
  readonly modified?: Modified | undefined;
}

/**
 * A plan in the form that is printed, saved and hashed, without secrets and without `work`. schemas/plan.schema.json
 * describes it.
 */
export interface PlanDocument {
  readonly type: "driftline.plan" | "driftline.drift";
  readonly schema_version: 1;
  readonly hash: string;
  readonly config_hash: string;
  readonly tool_version: string;
  readonly url: string;
  /** Absent if the plan was not made by a command. The hash does not cover it. */
  readonly source?: PlanSource | undefined;
  readonly options: PlanOptions;
  readonly summary: Summary;
  readonly changes: readonly ShownChange[];
  readonly unmanaged: readonly Unmanaged[];
  /** Addresses of collections of declared scopes that were not read, because nothing is declared there. */
  readonly not_read?: readonly string[] | undefined;
  readonly diagnostics: readonly Diagnostic[];
  /** How the changes affect the numbers of insights. Only present with `--effect`. The hash does not cover it. */
  readonly effects?: Effects | undefined;
}

/**
 * Whether nothing at all could be compared, and errors say why. Then people are shown the diagnostics only, because each
 * resource would repeat them. Without an error, the resources are the only place of the reason.
 */
export function nothingCouldBeRead({ changes, diagnostics }: Pick<PlanDocument, "changes" | "diagnostics">): boolean {
  const hasError = diagnostics.some(({ severity }) => severity === "error");
  return hasError && changes.length > 0 && changes.every(({ action }) => action === "unknown");
}
