import { hasFault, faultsOfType } from "./effects.ts";
import type { Fault } from "./fault.ts";
import type { ServerResponse } from "node:http";

/** Waits for a number of milliseconds. */
export type Sleep = (ms: number) => Promise<unknown>;

/** Waits for every delay of one type. */
export async function delay(
  faults: readonly Fault[],
  type: "delay-before" | "delay-after",
  sleep: Sleep,
): Promise<void> {
  for (const fault of faults) {
    if (fault.type !== type) continue;
    if (fault.ms !== undefined) await sleep(fault.ms);
    // The promise only marks a moment. A rejection is no error of the emulator.
    if (fault.until !== undefined) await fault.until.catch(() => undefined);
  }
}

/** The parts of an answer that are sent. */
interface Outgoing {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const TRANSPORT_FAULTS = [
  "process-then-drop",
  "half-body",
  "half-headers",
  "headers-only",
  "half-chunked",
  "bytes",
  "hang-up",
  "slow-drip",
] as const;

/** Reports whether a fault changes how the bytes of an answer are sent. */
export function changesTransport(faults: readonly Fault[]): boolean {
  return TRANSPORT_FAULTS.some((type) => hasFault(faults, type));
}

/** Sends an answer as the faults require: not at all, cut off, or in small pieces. */
export async function sendWithFaults(
  response: ServerResponse,
  outgoing: Outgoing,
  faults: readonly Fault[],
  sleep: Sleep,
): Promise<void> {
  if (hasFault(faults, "process-then-drop")) return reset(response);
  if (hasFault(faults, "half-headers")) return breakHead(response, outgoing);
  const [instead] = faultsOfType(faults, "bytes");
  if (instead !== undefined) return void response.socket?.end(instead.text, "latin1");
  const bytes = Buffer.from(outgoing.text);
  const isChunked = hasFault(faults, "half-chunked");
  response.writeHead(outgoing.status, {
    ...outgoing.headers,
    ...(isChunked ? { "transfer-encoding": "chunked" } : { "content-length": bytes.length }),
  });
  const [drip] = faultsOfType(faults, "slow-drip");
  const isHalf = isChunked || hasFault(faults, "half-body");
  const end = hasFault(faults, "headers-only") ? 0 : isHalf ? Math.floor(bytes.length / 2) : bytes.length;
  if (end === 0) await flushHead(response);
  const step = drip === undefined ? bytes.length + 1 : (drip.bytes ?? 1);
  for (let start = 0; start < end && !response.destroyed; start += step) {
    await write(response, bytes.subarray(start, Math.min(end, start + step)));
    if (drip !== undefined) await sleep(drip.ms ?? 1);
  }
  if (end < bytes.length || isChunked) return void response.destroy();
  const { socket } = response;
  response.end();
  if (hasFault(faults, "hang-up")) response.once("finish", () => socket?.destroySoon());
}

/** Sends a status line and half a header, then resets the connection. */
async function breakHead(response: ServerResponse, { status }: Outgoing): Promise<void> {
  await new Promise<void>((resolve) => {
    response.socket?.write(`HTTP/1.1 ${status} OK\r\nContent-Ty`, () => resolve());
  });
  reset(response);
}

/** Resolves when the headers have left the process. */
async function flushHead(response: ServerResponse): Promise<void> {
  response.flushHeaders();
  await new Promise<void>((resolve) => {
    response.socket?.write("", () => resolve());
  });
}

/** Resets the connection without sending another byte. */
export function reset(response: ServerResponse): void {
  response.socket?.resetAndDestroy();
  response.destroy();
}

/** Resolves when the piece has left the process. A later reset cannot discard it then. */
function write(response: ServerResponse, piece: Buffer): Promise<void> {
  return new Promise((resolve) => {
    response.write(piece, () => resolve());
  });
}
