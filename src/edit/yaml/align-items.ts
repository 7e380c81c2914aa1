import { alignLists } from "../../diff/align.ts";
import { mapSecrets, type Json, type Value } from "../../model/json/json.ts";

/** An element of the declared list, of the wanted one, or of both. */
export interface AlignedItem {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Whether it stands at another place among its neighbours. */
  readonly moved: boolean;
  /** Whether the wanted one is another element, which takes the place of the declared one. */
  readonly replaced: boolean;
}

/**
 * The rows of two lists, in the order of the wanted one. Between two pairs, elements without a partner take the places of those
 * that have none, in their order.
 */
export function alignItems(declared: readonly Value[], value: readonly Value[]): readonly AlignedItem[] {
  const rows: AlignedItem[] = [];
  let [removed, added]: [number[], number[]] = [[], []];
  const endRun = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push({
        from: removed[index],
        to: added[index],
        moved: false,
        replaced: index < removed.length && index < added.length,
      });
    [removed, added] = [[], []];
  };
  for (const { from, to, moved } of alignLists(declared.map(shown), value.map(shown))) {
    if (from === undefined) added.push(to ?? 0);
    else if (to === undefined) removed.push(from);
    else {
      endRun();
      rows.push({ from, to, moved, replaced: false });
    }
  }
  endRun();
  return rows;
}

/** Elements are compared as they are written. */
function shown(value: Value): Json {
  return mapSecrets(value, ({ expression }) => expression);
}
