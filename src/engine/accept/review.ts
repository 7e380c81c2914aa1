/** What somebody has to know of the people before files say what is live. */
import { turnedOffWarnings } from "../../kinds/people/index.ts";
import { warningOf } from "../../kinds/check.ts";
import { worldOf } from "../../kinds/world.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type Unmanaged, unmanagedOf } from "../../model/plan.ts";
import { topField } from "../../model/pointer.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import type { Acceptance } from "./acceptance.ts";

/** A warning for each protection that the files would no longer ask for. */
export function lostProtections(run: PlannedRun, { files }: Pick<Acceptance, "files">): readonly Diagnostic[] {
  const world = worldOf(run.world);
  const sources = files.flatMap(({ edits }) => edits.map(({ source }) => source));
  return sources.flatMap((source) => {
    if (source.type !== "field" || source.accepted.value === undefined) return [];
    const { change, path, accepted } = source;
    const { values: before = {} } = change.work?.resource ?? {};
    const after = { [topField(path)]: accepted.value ?? null };
    const warnings = turnedOffWarnings(change, "is given up by the files", { world, before, after });
    return warnings.map((one) => warningOf(change, one));
  });
}

/** The people whose level the files would newly say. */
export function peopleWritten({ files }: Pick<Acceptance, "files">): readonly Unmanaged[] {
  return files
    .flatMap(({ edits }) => edits)
    .flatMap(({ source }) => {
      const isWritten = source.type === "addition" || (source.type === "field" && source.path === "/level");
      return isWritten && source.change.work?.live !== undefined ? [unmanagedOf(source.change.work.live)] : [];
    });
}
