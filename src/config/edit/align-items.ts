import { pairElements } from "../../diff/align.ts";
import { mapSecrets, type Json, type Value } from "../../model/json.ts";

/** An element of the declared list, of the wanted one, or of both. */
export interface AlignedItem {
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/**
 * The rows of two lists. Elements that are not alike are paired by their order between two pairs, so that what stays of them
 * stays as it is written.
 */
export function alignItems(declared: readonly Value[], value: readonly Value[]): readonly AlignedItem[] {
  const rows: AlignedItem[] = [];
  let [removed, added]: [number[], number[]] = [[], []];
  const endRun = (): void => {
    for (let index = 0; index < Math.max(removed.length, added.length); index++)
      rows.push({ from: removed[index], to: added[index] });
    [removed, added] = [[], []];
  };
  for (const { from, to } of pairElements(declared.map(shown), value.map(shown))) {
    if (from === undefined) added.push(to ?? 0);
    else if (to === undefined) removed.push(from);
    else {
      endRun();
      rows.push({ from, to });
    }
  }
  endRun();
  return rows;
}

/** Elements are compared as they are written. */
function shown(value: Value): Json {
  return mapSecrets(value, ({ expression }) => expression);
}
