/**
 * Replaces that are cut in two: one run removes the old object, and a later one creates the new one.
 *
 * Premise: the engine replaces by a delete and a create, and a run may end between the two. Then only the journal has the values
 * that the program does not declare. The engine does not say that a create will follow, but it compares only resources
 * that the program has, and compares them again in the later run.
 * Algorithm: before the delete of a compared resource, journal what the new object is to keep. A create of a compared resource
 * that deleted nothing in its own run takes it from there.
 */
import { compare } from "../../diff/compare.ts";
import { replacementOf } from "../../diff/replacement.ts";
import { silentFieldsFor } from "../../kinds/people/index.ts";
import { replacementIn, type CreateKey } from "../../engine/one-resource/shared-journal.ts";
import type { LiveObject } from "../../model/live.ts";
import type { JsonObject } from "../../model/json/json.ts";
import type { DeclaredResource } from "../properties/properties.ts";
import { readScope } from "./scope-read.ts";
import type { ProviderSession } from "./session.ts";

/** What the new object gets of the one that is removed before it, beside what the program declares. */
export function keptBy({ kind, values }: DeclaredResource, live: LiveObject): JsonObject {
  const { carried } = replacementOf(kind, values, live.values);
  return { ...silentFieldsFor(live, compare(kind, values, live.values)), ...carried };
}

/** Journals what a new object is to keep of one that is about to be removed. */
export async function journalRemoval(
  session: ProviderSession,
  live: LiveObject,
  next: DeclaredResource,
): Promise<void> {
  const carried = keptBy(next, live);
  const create = createKey(session, next);
  if (Object.keys(carried).length === 0 || create.key !== live.keys[0]) return;
  const intent = { ...create, payload: "", known: [live.id], removed: live.id, carried, at: session.clock.now() };
  await session.journal.use(({ journal }) => journal.begin(intent));
}

/**
 * Finds the object that an earlier run has created to replace the one of a resource. That run ended before the engine knew the
 * new object.
 *
 * @param isReplaced whether the resource is to have another object than the one with this id
 */
export async function findReplacement(
  session: ProviderSession,
  declared: DeclaredResource,
  isReplaced: (id: string) => boolean,
): Promise<string | undefined> {
  const create = createKey(session, declared);
  const isReplacement = replacementIn(await session.journal.of(create), create, isReplaced);
  if (isReplacement === undefined) return undefined;
  const { objects } = await readScope(session, declared);
  return objects.find(isReplacement)?.id;
}

/** What a create of a resource is journaled under. */
export function createKey({ client }: ProviderSession, { kind, values, name, path }: DeclaredResource): CreateKey {
  return { url: client.url, kind: kind.name, scope: path, key: kind.identity.declaredKeys(values, name)[0] ?? "" };
}
