import type { LoadedConfig } from "../../config/index.ts";
import type { Change } from "../../model/change.ts";
import type { ImportCandidate, Importable } from "../import/candidates.ts";
import { importEdits } from "../import/target-file.ts";
import type { AcceptEdit } from "./accept-edit.ts";

/** An undeclared object of an exclusive kind, in the form in which it would be declared. */
export interface UndeclaredObject {
  readonly change: Change;
  readonly candidate: ImportCandidate;
}

/** Finds the objects of changes among those that can be imported. */
export function undeclaredObjects(
  changes: readonly Change[],
  { candidates }: Pick<Importable, "candidates">,
): readonly UndeclaredObject[] {
  return changes.flatMap((change) => {
    const live = change.work?.live;
    const candidate = candidates.find((one) => one.live.kind === live?.kind && one.live.id === live.id);
    return candidate === undefined ? [] : [{ change, candidate }];
  });
}

/** The edits that declare undeclared objects in existing files. */
export function declareEdits(
  objects: readonly UndeclaredObject[],
  importable: Importable,
  config: LoadedConfig,
): readonly AcceptEdit[] {
  const byAddress = new Map(objects.map(({ change, candidate }) => [candidate.address, change]));
  const edits = importEdits(
    objects.map(({ candidate }) => candidate),
    importable,
    config,
  );
  return edits.flatMap((edit): readonly AcceptEdit[] => {
    const { address: added } = edit.source;
    const change = byAddress.get(added);
    return change === undefined
      ? []
      : [{ ...edit, source: { type: "addition", address: change.address, change, added } }];
  });
}
