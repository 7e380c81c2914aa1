import type { LoadedConfig } from "../../config/index.ts";
import type { Edit } from "../../edit/edit.ts";
import { addressOf, kinds } from "../../kinds/registry.ts";
import type { Change } from "../../model/change.ts";
import { type Unmanaged, undeclaredAddress } from "../../model/plan.ts";
import { pruneChange } from "../../plan/make-change.ts";
import type { ImportCandidate, Importable } from "../import/candidates.ts";
import { showsIn } from "../import/select.ts";
import { hasId } from "../../model/live.ts";
import { importEdits, type ImportFolders, type ImportSource } from "../import/target-file.ts";
import type { AcceptEdit, Additions } from "./accept-edit.ts";

/** An undeclared object of an exclusive kind, in the form in which it would be declared. */
export interface UndeclaredObject {
  readonly change: Change;
  readonly candidate: ImportCandidate;
}

/** Finds the objects of changes among those that can be imported. */
export function importableChanges(
  changes: readonly Change[],
  importable: Pick<Importable, "candidates">,
): readonly UndeclaredObject[] {
  return changes.flatMap((change) => {
    const candidate = change.work?.live && candidateOf(change.work.live, importable);
    return candidate === undefined ? [] : [{ change, candidate }];
  });
}

/** The objects that a report only lists (`--unmanaged`), among those that can be imported. A prune would remove them. */
export function importableUnmanaged(
  unmanaged: readonly Unmanaged[],
  importable: Pick<Importable, "candidates">,
): readonly UndeclaredObject[] {
  return unmanaged.flatMap((one) => {
    const candidate = candidateOf(one, importable);
    if (candidate === undefined) return [];
    return [{ change: pruneChange(kinds[one.kind], candidate.live, undeclaredAddress(one)), candidate }];
  });
}

function candidateOf(
  one: Pick<Unmanaged, "scope" | "kind" | "id">,
  { candidates }: Pick<Importable, "candidates">,
): ImportCandidate | undefined {
  return candidates.find((other) => showsIn(other, addressOf(one)) && hasId(other.live, one.id));
}

/** Declares undeclared objects where an import would. Their scopes are declared, because a kind is exclusive in one. */
export function declareObjects(
  objects: readonly UndeclaredObject[],
  importable: Importable,
  config: LoadedConfig,
  where: ImportFolders,
): Additions {
  const byAddress = new Map(objects.map(({ change, candidate }) => [candidate.address, change]));
  const accepting = (edit: Edit<ImportSource>): readonly AcceptEdit[] => {
    const { address: added } = edit.source;
    const change = byAddress.get(added);
    return change === undefined
      ? []
      : [{ ...edit, source: { type: "addition", address: change.address, change, added } }];
  };
  const candidates = objects.map(({ candidate }) => candidate);
  const { edits, newFiles } = importEdits(candidates, importable, config, where);
  return {
    edits: edits.flatMap(accepting),
    newFiles: newFiles.map((file) => ({ ...file, edits: file.edits.flatMap(accepting) })),
  };
}
