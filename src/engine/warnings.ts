import type { Client } from "../api/client.ts";
import { kinds } from "../kinds/registry.ts";
import type { Change } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { listKey, type LiveSnapshot } from "../model/live.ts";
import { takeSnapshot } from "../snapshot/snapshot.ts";

/**
 * Returns the warnings that the kinds have about planned changes. A list that a warning needs and the plan did not read is
 * read now. If it cannot be read there is no warning: warnings decide nothing.
 */
export async function planWarnings(
  client: Client,
  { scopes, lists }: LiveSnapshot,
  changes: readonly Change[],
): Promise<readonly Diagnostic[]> {
  const reviewed = changes.flatMap((change) => {
    const review = kinds[change.kind].review;
    const needs = review?.needs(change) ?? [];
    return review === undefined || needs.length === 0 ? [] : [{ change, review, needs }];
  });
  const missing = reviewed.flatMap(({ change, needs }) =>
    needs
      .filter((kind) => !lists.has(listKey(change.address, kind)))
      .map((kind) => ({ scope: change.address, kind, full: false })),
  );
  const read = missing.length === 0 ? new Map() : (await takeSnapshot(client, scopes, missing)).lists;
  const known = new Map([...lists, ...read]);
  return reviewed.flatMap(({ change, review }) =>
    review.warnings(change, (kind) => known.get(listKey(change.address, kind))?.objects ?? []),
  );
}
