import { has, only } from "./effects.ts";
import type { Fault } from "./fault.ts";
import type { ServerResponse } from "node:http";

/** Waits so many milliseconds. */
export type Sleep = (ms: number) => Promise<unknown>;

/** Waits as faults of one type say. */
export async function delay(
  faults: readonly Fault[],
  type: "delay-before" | "delay-after",
  sleep: Sleep,
): Promise<void> {
  for (const fault of faults) {
    if (fault.type !== type) continue;
    if (fault.ms !== undefined) await sleep(fault.ms);
    // The promise only marks a moment: whether it was kept is the test's business.
    if (fault.until !== undefined) await fault.until.catch(() => undefined);
  }
}

/** An answer as bytes on their way. */
interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Whether an answer is sent in another way than whole. */
export function breaksWire(faults: readonly Fault[]): boolean {
  return has(faults, "process-then-drop") || has(faults, "half-body") || has(faults, "slow-drip");
}

/** Sends an answer the way the faults want it: not at all, cut off, or in small pieces. */
export async function sendBroken(
  response: ServerResponse,
  outgoing: Outgoing,
  faults: readonly Fault[],
  sleep: Sleep,
): Promise<void> {
  if (has(faults, "process-then-drop")) {
    reset(response);
    return;
  }
  const bytes = Buffer.from(outgoing.text);
  response.writeHead(outgoing.status, { ...outgoing.headers, "content-length": bytes.length });
  const [drip] = only(faults, "slow-drip");
  const end = has(faults, "half-body") ? Math.floor(bytes.length / 2) : bytes.length;
  const step = drip === undefined ? bytes.length + 1 : (drip.bytes ?? 1);
  for (let start = 0; start < end && !response.destroyed; start += step) {
    await write(response, bytes.subarray(start, Math.min(end, start + step)));
    if (drip !== undefined) await sleep(drip.ms ?? 1);
  }
  if (end < bytes.length) response.destroy();
  else response.end();
}

/** Breaks the connection off without another byte: the client sees a reset. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
  response.destroy();
}

/** Resolves when the piece has left the process, so that a reset does not swallow it. */
function write(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(piece, () => resolve());
  });
}
