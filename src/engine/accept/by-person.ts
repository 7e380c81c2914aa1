/**
 * Divides what a drift accepts by the person who changed it, so that each person's part can be a commit of its own.
 *
 * Algorithm: the persons follow each other by the time of their first change. The files of each one hold the changes of those before
 * as well, and the last ones are the files of the whole acceptance.
 */
import { groupBy } from "../../model/group-by.ts";
import { prepareEdits, type PreparedFile } from "../../edit/files.ts";
import type { Change } from "../../model/change.ts";
import { compareText } from "../../model/compare-text.ts";
import type { Modified } from "../../model/live.ts";
import type { PlannedRun } from "../plan/plan-config.ts";
import type { Acceptance } from "./acceptance.ts";
import type { AcceptEdit, AcceptSource } from "./accept-edit.ts";

export interface PersonsPart {
  /** The person's e-mail, else the first name. Undefined if the service does not say who it was. */
  readonly by: string | undefined;
  /** The time of the person's last change, as the service writes it. Undefined if it does not say when. */
  readonly at: string | undefined;
  readonly edits: readonly AcceptEdit[];
  /** Each file with the changes of this person and of those before. */
  readonly files: readonly PreparedFile<AcceptSource>[];
}

/** @throws EngineError `stale` if a file is no longer as it was loaded */
export async function byPerson(
  { input }: PlannedRun,
  { files }: Pick<Acceptance, "files">,
  cwd: string,
): Promise<readonly PersonsPart[]> {
  const groups = groupBy(
    // An edit can be in two files: in its own, and in a text that this one includes.
    [...new Set(files.flatMap(({ edits }) => edits))],
    ({ source }) => lastChangeOf(source.change)?.by ?? undefined,
  );
  const parts = [...groups].map(([by, edits]) => ({ by, edits, times: timesOf(edits) }));
  const ordered = parts.toSorted((a, b) => compareText(a.times[0] ?? "~", b.times[0] ?? "~"));
  const persons: PersonsPart[] = [];
  for (const { by, edits, times } of ordered) {
    const before = [...persons.flatMap((one) => one.edits), ...edits];
    const isLast = persons.length === ordered.length - 1;
    const newFiles = files.flatMap((file) => newFileWith(file, before));
    const ofLoaded = before.filter((edit) => !newFiles.some((file) => file.edits.includes(edit)));
    const prepared = isLast ? files : [...(await prepareEdits(ofLoaded, input.config, cwd)).files, ...newFiles];
    persons.push({ by, at: times.at(-1), edits, files: prepared });
  }
  return persons;
}

/** A new file with those of its edits that are among some; nothing for other files, or without any. */
function newFileWith(
  file: PreparedFile<AcceptSource>,
  some: readonly AcceptEdit[],
): readonly PreparedFile<AcceptSource>[] {
  const edits = file.edits.filter((edit) => some.includes(edit));
  return file.textWith === undefined || edits.length === 0 ? [] : [{ ...file, edits, after: file.textWith(edits) }];
}

function lastChangeOf({ work }: Change): Modified | undefined {
  return work?.live?.modified;
}

/** When the objects of the edits were changed, the oldest first. */
function timesOf(edits: readonly AcceptEdit[]): readonly string[] {
  return edits.flatMap(({ source }) => lastChangeOf(source.change)?.at ?? []).toSorted(compareText);
}
