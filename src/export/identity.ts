/**
 * What resources will be found by.
 *
 * Terms: a pin is the id that is written; a key is what an unpinned resource is found by.
 * Premise: what is written has to load, and has to find its object again. An id can be pinned once in a space; keys that two
 * resources share are fine only where both are pinned.
 * Algorithm: pin whatever can be pinned; of the others keep each key's first and report the rest; then name what is left.
 */
import { kindSchema } from "../kinds/fields.ts";
import { kinds } from "../kinds/registry.ts";
import { keyOf } from "../kinds/helpers.ts";
import type { LiveObject } from "../model/live.ts";
import { type ExportSession, warn } from "./session.ts";
import { invalidFields } from "./invalid-fields.ts";
import type { Scope } from "./types.ts";

/** An object that may be written. */
export interface Candidate {
  readonly live: LiveObject;
  readonly title: string;
  readonly pin: string | number | undefined;
}

/** What people call it. */
export function titleOf(live: LiveObject): string {
  return keyOf(live.values["name"])[0] ?? live.keys[0] ?? "";
}

/** Whether it is met for the first time: batch exports are listed by their project and by its organization. */
export function isNew(live: LiveObject, scope: Scope, session: ExportSession): boolean {
  const { idSpace: space, identity } = kinds[live.kind];
  const met = [space, identity({ ...live, scope: scope.address })].join("\n");
  if (session.met.has(met)) return false;
  session.met.add(met);
  return true;
}

/** The id to write, unless ids are not wanted, the configuration would refuse it, or it is pinned already. */
export function pinOf({ kind, pins }: LiveObject, session: ExportSession): Candidate["pin"] {
  const { "x-pins": fields, properties } = kindSchema(kind);
  const text = pins["id"];
  if (!session.ids || text === undefined || !fields.includes("id")) return undefined;
  const pin = properties["id"]?.type === "integer" && Number.isSafeInteger(Number(text)) ? Number(text) : text;
  const pinned = [kinds[kind].idSpace, text.toLowerCase()].join("\n");
  if (session.pins.has(pinned) || invalidFields(kind, { id: pin }).has("id")) return undefined;
  session.pins.add(pinned);
  return pin;
}

/** The candidates without those that nothing would tell apart: from other resources, or from other objects of the service. */
export function withOwnKeys(
  candidates: readonly Candidate[],
  scope: Scope,
  session: ExportSession,
): readonly Candidate[] {
  const holders = new Map<string, number>();
  for (const { live } of candidates) {
    for (const key of new Set([...live.keys, ...keysOf(live)])) {
      const spaced = inSpace(live, key);
      holders.set(spaced, (holders.get(spaced) ?? 0) + 1);
    }
  }
  // An undeclared type matches any: what is declared of one may be only one of the names of another.
  const declared = new Set<string>();
  const named = new Set<string>();
  return candidates.filter((candidate) => {
    const { live, pin } = candidate;
    const [key] = keysOf(live);
    if (pin !== undefined) return true;
    const spaced = key === undefined ? undefined : inSpace(live, key);
    const names = live.keys.map((name) => inSpace(live, name));
    const isTaken = spaced !== undefined && (named.has(spaced) || names.some((name) => declared.has(name)));
    const isShared = spaced !== undefined && (session.ids ? holders.get(spaced) !== 1 : isTaken);
    if (spaced === undefined || isShared) {
      reportUnfindable(candidate, isShared, scope, session);
      return false;
    }
    declared.add(spaced);
    for (const name of [spaced, ...names]) named.add(name);
    return true;
  });
}

function keysOf(live: LiveObject): readonly string[] {
  return kinds[live.kind].declaredKeys(live.values, "");
}

function inSpace(live: LiveObject, key: string): string {
  return [kinds[live.kind].idSpace, key].join("\n");
}

function reportUnfindable({ live, title }: Candidate, isShared: boolean, scope: Scope, session: ExportSession): void {
  const { name, keyFields } = kinds[live.kind];
  const what = `${name} ${live.id}`;
  const message = isShared
    ? `${what} is left out: another one is called ${JSON.stringify(title)} as well`
    : `${what} is left out: it has no ${keyFields.join(" or ")} by which it could be found`;
  const hint = session.ids ? "give it a name of its own" : "export with ids, or give it a name of its own";
  warn(session, scope.address, isShared ? "ambiguous_key" : "no_natural_key", message, hint);
}
