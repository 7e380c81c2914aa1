import { cpSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { Agent, type Dispatcher } from "undici";
import type { Workspace } from "../support/workspace.ts";
import { instantClock } from "./support.ts";

/**
 * Where in the life of a request the machine stops. A stop after the answer came, and before anything was made of it, leaves
 * the same behind as one before it: what differs is only in the memory that is lost.
 */
export type Moment = "before it is sent" | "before its answer is there";

/** What was on disk when the machine stopped. */
export interface Stopped {
  /** A folder for what is left of the journal; the lock has expired. */
  readonly state: string;
  readonly hasJournal: boolean;
}

/**
 * Runs an apply on a machine that stops at its nth request: from there on nothing is sent or heard, and nothing that is
 * written is kept. Undefined where it ended before.
 */
export async function stopAt(
  space: Workspace,
  args: readonly string[],
  number: number,
  moment: Moment,
): Promise<Stopped | undefined> {
  const agent = new Agent();
  const [kept, state] = [join(space.folder, "state"), join(space.folder, "left")];
  let isDead = false;
  let sent = 0;
  const die = (): void => {
    isDead = true;
    if (existsSync(kept)) cpSync(kept, state, { recursive: true, filter: (file) => !file.includes(".lock") });
  };
  const dispatcher = agent.compose((next) => (options, handler) => {
    const isIt = !isDead && sent + 1 === number;
    if (isIt && moment === "before it is sent") die();
    if (isDead) throw new StoppedError();
    sent += 1;
    return next(
      options,
      deafening(handler, () => isDead, isIt ? die : undefined),
    );
  });
  // What goes on here after the stop is of no consequence; it only ends, so that it leaves nothing open.
  await space.run(args, { runtime: { clock: instantClock(), dispatcher } });
  while (space.emulator.requests.length < sent || space.emulator.requests.some(({ status }) => status === null))
    await setImmediate();
  await agent.destroy();
  if (!isDead) return undefined;
  return { state, hasJournal: existsSync(state) && readdirSync(state).some((file) => file.endsWith(".journal")) };
}

class StoppedError extends Error {
  readonly code = "UND_ERR_DESTROYED";
}

/** Hands an answer on as long as the machine runs. `die` stops it when this answer is about to come. */
function deafening(
  handler: Dispatcher.DispatchHandler,
  isDead: () => boolean,
  die: (() => void) | undefined,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => handler.onRequestStart?.(controller, context),
    onResponseStart: (controller, status, headers, message) => {
      if (!isDead()) die?.();
      if (!isDead()) handler.onResponseStart?.(controller, status, headers, message);
    },
    onResponseData: (controller, chunk) => {
      if (!isDead()) handler.onResponseData?.(controller, chunk);
    },
    onResponseEnd: (controller, trailers) => {
      if (isDead()) handler.onResponseError?.(controller, new StoppedError());
      else handler.onResponseEnd?.(controller, trailers);
    },
    onResponseError: (controller, error) => handler.onResponseError?.(controller, error),
  };
}
