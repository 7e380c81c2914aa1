import { systemClock } from "../../api/limits/clock.ts";
import { engineError } from "../../model/engine-error.ts";

/** A mount that has not answered for this long is taken for dead. Milliseconds. */
const LIMIT = 10_000;

/**
 * Waits for work on the state folder, but not for ever: a mount may hang without any error.
 *
 * @param undo is called with a result that came too late
 * @param clock of the machine, because a simulated one does not wait for the disk
 * @throws EngineError `no_journal` if the folder does not answer in time
 */
export async function withFolderTimeout<T>(
  folder: string,
  work: Promise<T>,
  undo: (late: T) => unknown = () => undefined,
  clock = systemClock,
): Promise<T> {
  const answered = new AbortController();
  const isAnswered = await Promise.race([
    work.then(() => true),
    clock.sleep(LIMIT, answered.signal).then(() => false),
  ]).finally(() => answered.abort());
  if (isAnswered) return work;
  void work.then(undo).catch(() => undefined);
  throw engineError(
    "failed",
    "no_journal",
    `the journal cannot be kept: the folder ${folder} does not answer`,
    "Name another folder in DRIFTLINE_STATE_DIR. Nothing was written to the service.",
  );
}
