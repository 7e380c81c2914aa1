import { connect } from "node:net";
import type { Emulator } from "../../../src/emulator/index.ts";

/** The bytes of an answer on a raw socket. */
export interface RawAnswer {
  readonly text: string;
  readonly head: string;
  readonly body: string;
  /** The number of pieces it arrived in. */
  readonly pieces: number;
  /** Whether the connection was reset instead of ended. */
  readonly reset: boolean;
}

/** Sends one request over its own socket and waits until the connection is closed. */
export function raw(emulator: Emulator, method: string, path: string, body?: unknown): Promise<RawAnswer> {
  const { hostname, port } = new URL(emulator.url);
  const payload = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${hostname}:${port}`,
    `authorization: Bearer ${emulator.key}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(payload)}`,
    "connection: close",
  ];
  return new Promise((resolve) => {
    let text = "";
    let reset = false;
    let pieces = 0;
    const socket = connect(Number(port), hostname, () => socket.write(`${head.join("\r\n")}\r\n\r\n${payload}`));
    socket.setEncoding("utf8");
    socket.on("data", (piece: string) => {
      text += piece;
      pieces += 1;
    });
    socket.on("error", (error: NodeJS.ErrnoException) => (reset = error.code === "ECONNRESET"));
    socket.on("close", () => {
      const [first = "", ...rest] = text.split("\r\n\r\n");
      resolve({ text, pieces, head: first, body: rest.join("\r\n\r\n"), reset });
    });
  });
}
